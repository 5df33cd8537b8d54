#include "dataplane/wire/roce.h"

#include "dataplane/wire/icrc.h"
#include "dataplane/wire/l4_checksum.h"
#include "tests/oracle/generate.h"

namespace sluice::oracle {
namespace {

enum class Family { v4_only, both };

// The headers that a view points to.
struct Headers {
  wire::Bth bth;
  wire::Reth reth;
  wire::AtomicEth atomic_eth;
  wire::Aeth aeth;
  wire::AtomicAckEth atomic_ack_eth;
  wire::ImmediateData immediate;
  wire::CongestionReserved notification;
  wire::Icrc icrc;
  Buffer payload, pad;
};

void fill_bth(Random& random, wire::RoceOpcode opcode, Headers& headers, Fields& fields) {
  const bool solicited = random.one_in(2), migrated = random.one_in(2), fecn = random.one_in(2),
             becn = random.one_in(2), ack = random.one_in(2);
  const auto pad = headers.pad.size();
  const auto key = random.any<uint16_t>();
  const auto qp = static_cast<uint32_t>(random.below(1 << 24)),
             psn = static_cast<uint32_t>(random.below(1 << 24));
  headers.bth = {.opcode = wire::Be8(static_cast<uint8_t>(opcode)),
                 .flags = wire::Be8(static_cast<uint8_t>(solicited << 7 | migrated << 6 | pad << 4)),
                 .partition_key = wire::Be16(key),
                 .congestion = wire::Be8(static_cast<uint8_t>(fecn << 7 | becn << 6 | random.below(64))),
                 .dst_qp = wire::Be24(qp),
                 .ack_request = wire::Be8(static_cast<uint8_t>(ack << 7 | random.below(128))),
                 .psn = wire::Be24(psn)};
  fields.set("bth.opcode", static_cast<uint8_t>(opcode));
  fields.set("bth.solicited", static_cast<int>(solicited));
  fields.set("bth.migrated", static_cast<int>(migrated));
  fields.set("bth.pad", pad);
  fields.set("bth.version", 0);
  fields.set("bth.partition_key", key);
  fields.set("bth.fecn", static_cast<int>(fecn));
  fields.set("bth.becn", static_cast<int>(becn));
  fields.set("bth.destination", qp);
  fields.set("bth.wants_ack", static_cast<int>(ack));
  fields.set("bth.psn", psn);
}

void fill_reth(Random& random, Headers& headers, Fields& fields) {
  const auto address = random.any<uint64_t>();
  const auto key = random.any<uint32_t>(), length = random.any<uint32_t>();
  headers.reth = {wire::Be64(address), wire::Be32(key), wire::Be32(length)};
  fields.set("reth.address", address);
  fields.set("reth.key", key);
  fields.set("reth.length", length);
}

void fill_atomic(Random& random, Headers& headers, Fields& fields) {
  const auto address = random.any<uint64_t>(), swap = random.any<uint64_t>(),
             compare = random.any<uint64_t>();
  const auto key = random.any<uint32_t>();
  headers.atomic_eth = {wire::Be64(address), wire::Be32(key), wire::Be64(swap), wire::Be64(compare)};
  fields.set("atomic.address", address);
  fields.set("atomic.key", key);
  fields.set("atomic.swap_or_add", swap);
  fields.set("atomic.compare", compare);
}

void fill_aeth(Random& random, Headers& headers, Fields& fields) {
  const auto kind = random.pick({wire::AethKind::ack, wire::AethKind::rnr_nak, wire::AethKind::nak});
  const auto value = static_cast<uint8_t>(random.below(kind == wire::AethKind::nak ? 5 : 32));
  const auto msn = static_cast<uint32_t>(random.below(1 << 24));
  headers.aeth = {wire::Be8(wire::Aeth::make_syndrome(kind, value)), wire::Be24(msn)};
  fields.set("aeth.syndrome", static_cast<unsigned>(kind) * 32 + value);
  fields.set("aeth.kind", static_cast<uint8_t>(kind));
  fields.set(kind == wire::AethKind::ack       ? "aeth.credits"
             : kind == wire::AethKind::rnr_nak ? "aeth.timer"
                                               : "aeth.nak_code",
             value);
  fields.set("aeth.msn", msn);
}

void fill_small(Random& random, const wire::RoceOpcodeInfo& info, Headers& headers, Fields& fields) {
  if (info.atomic_ack_eth) {
    const auto original = random.any<uint64_t>();
    headers.atomic_ack_eth = {wire::Be64(original)};
    fields.set("atomic_ack.original", original);
  }
  if (info.immediate) {
    headers.immediate = {wire::Be32(random.any<uint32_t>())};
    fields.set("immediate.value", hex(bytes_of(headers.immediate)));
  }
}

wire::RoceView view_of(const Headers& headers, const wire::RoceOpcodeInfo& info) {
  return {.bth = &headers.bth,
          .reth = info.reth ? &headers.reth : nullptr,
          .atomic_eth = info.atomic_eth ? &headers.atomic_eth : nullptr,
          .aeth = info.aeth ? &headers.aeth : nullptr,
          .atomic_ack_eth = info.atomic_ack_eth ? &headers.atomic_ack_eth : nullptr,
          .immediate = info.immediate ? &headers.immediate : nullptr,
          .notification = info.notification ? &headers.notification : nullptr,
          .payload = headers.payload,
          .pad = headers.pad,
          .icrc = &headers.icrc};
}

// The ICRC is stored last, over the finished packet: `roce.icrc` is what store_icrc() made of it, so what is
// intended for that one field is judged by the oracle alone.
Buffer in_packet(Random& random, Family family, const Buffer& payload, Fields& fields) {
  IpContext ip = any_ip(random);
  ip.v6 = ip.v6 && family == Family::both;
  const wire::UdpHeader header{wire::Be16(random.any<uint16_t>() | 0xc000),
                               wire::Be16(wire::kRocePort),
                               wire::Be16(static_cast<uint16_t>(sizeof(wire::UdpHeader) + payload.size())),
                               {}};
  Buffer packet =
      plain_ip(random, ip, wire::IpProtocol::udp, emitted(wire::UdpView{&header, payload, {}}), fields);
  if (const auto why = wire::store_icrc(packet)) throw std::runtime_error(std::string(name_of(*why)));
  const std::string icrc = hex(Bytes(packet).last(sizeof(wire::Icrc)));
  fields.set("roce.icrc", icrc);
  fields.set("roce.icrc_expected", icrc);
  fields.set("roce.icrc_ok", true);
  return in_ethernet(random, ip.v6 ? wire::EtherType::ipv6 : wire::EtherType::ipv4, packet, fields);
}

Buffer make_roce(Random& random, wire::RoceOpcode opcode, Family family, Fields& fields) {
  const wire::RoceOpcodeInfo& info = wire::info_of(opcode);
  Headers headers;
  if (info.payload) {
    headers.payload = random.bytes(1 + random.below(300));
    headers.payload[0] |= 0xf0;  // tshark takes data that begin with an EtherType and zeros for that protocol
    headers.pad.resize((4 - headers.payload.size() % 4) % 4);
    fields.set("roce.data", hex(headers.payload) + hex(headers.pad));
  }
  fill_bth(random, opcode, headers, fields);
  if (info.reth) fill_reth(random, headers, fields);
  if (info.atomic_eth) fill_atomic(random, headers, fields);
  if (info.aeth) fill_aeth(random, headers, fields);
  fill_small(random, info, headers, fields);
  return in_packet(random, family, emitted(view_of(headers, info)), fields);
}

wire::RoceOpcode any_opcode(Random& random) {
  for (;;) {
    const wire::RoceOpcode opcode{random.any<uint8_t>()};
    const bool known_to_tshark = opcode != wire::RoceOpcode::congestion_notification;
    if (wire::info_of(opcode).supported() && known_to_tshark) return opcode;
  }
}

// scapy knows the headers of these only: a BTH alone and an acknowledgement.
Buffer bth(Random& random, Fields& fields) {
  const auto opcode =
      random.pick({wire::RoceOpcode::acknowledge, wire::RoceOpcode::send_only, wire::RoceOpcode::write_middle,
                   wire::RoceOpcode::congestion_notification});
  return make_roce(random, opcode, Family::v4_only, fields);
}

Buffer roce(Random& random, Fields& fields) {
  return make_roce(random, any_opcode(random), Family::both, fields);
}

Buffer icrc(Random& random, Fields& fields) {
  return make_roce(random, any_opcode(random), Family::v4_only, fields);
}

}  // namespace

std::map<std::string, Generator> roce_generators() { return {{"bth", bth}, {"roce", roce}, {"icrc", icrc}}; }

}  // namespace sluice::oracle
