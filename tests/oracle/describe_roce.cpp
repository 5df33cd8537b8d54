#include "dataplane/wire/roce.h"

#include "dataplane/wire/icrc.h"
#include "tests/oracle/describe.h"

namespace sluice::oracle {
namespace {

void describe_bth(const wire::Bth& bth, Fields& out) {
  out.set("bth.opcode", bth.opcode.get());
  out.set("bth.solicited", static_cast<int>(bth.solicited()));
  out.set("bth.migrated", static_cast<int>(bth.migrated()));
  out.set("bth.pad", bth.pad_count());
  out.set("bth.version", bth.version());
  out.set("bth.partition_key", bth.partition_key.get());
  out.set("bth.fecn", static_cast<int>(bth.forward_congestion()));
  out.set("bth.becn", static_cast<int>(bth.backward_congestion()));
  out.set("bth.destination", static_cast<uint32_t>(bth.destination()));
  out.set("bth.wants_ack", static_cast<int>(bth.wants_ack()));
  out.set("bth.psn", bth.sequence().value());
}

void describe_aeth(const wire::Aeth& aeth, Fields& out) {
  out.set("aeth.syndrome", aeth.syndrome.get());
  out.set("aeth.kind", static_cast<uint8_t>(aeth.kind()));
  switch (aeth.kind()) {
    case wire::AethKind::ack:
      out.set("aeth.credits", aeth.value());
      break;
    case wire::AethKind::rnr_nak:
      out.set("aeth.timer", aeth.value());
      break;
    case wire::AethKind::nak:
      out.set("aeth.nak_code", static_cast<uint8_t>(aeth.nak_code()));
      break;
    case wire::AethKind::reserved:
      break;
  }
  out.set("aeth.msn", aeth.msn.get());
}

}  // namespace

void describe_roce(Bytes in, Bytes ip_packet, Fields& out) {
  const auto roce = wire::parse_roce(in);
  if (!roce) return out.drop(roce.error());
  describe_bth(*roce->bth, out);
  if (roce->reth) {
    out.set("reth.address", roce->reth->address.get());
    out.set("reth.key", static_cast<uint32_t>(roce->reth->key()));
    out.set("reth.length", roce->reth->length.get());
  }
  if (roce->atomic_eth) {
    out.set("atomic.address", roce->atomic_eth->address.get());
    out.set("atomic.key", static_cast<uint32_t>(roce->atomic_eth->key()));
    out.set("atomic.swap_or_add", roce->atomic_eth->swap_or_add.get());
    out.set("atomic.compare", roce->atomic_eth->compare.get());
  }
  if (roce->aeth) describe_aeth(*roce->aeth, out);
  if (roce->atomic_ack_eth) out.set("atomic_ack.original", roce->atomic_ack_eth->original.get());
  if (roce->immediate) out.set("immediate.value", hex(bytes_of(roce->immediate->value)));
  if (!roce->payload.empty()) out.set("roce.data", hex(roce->payload) + hex(roce->pad));
  out.set("roce.icrc", hex(roce->icrc->octets));
  const auto expected = wire::compute_icrc(ip_packet);
  if (!expected) return out.drop(expected.error());
  out.set("roce.icrc_expected", hex(expected->octets));
  out.set("roce.icrc_ok", !wire::check_icrc(ip_packet));
}

}  // namespace sluice::oracle
