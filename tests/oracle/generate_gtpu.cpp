#include "dataplane/wire/gtpu.h"

#include "dataplane/wire/gtpu_elements.h"
#include "dataplane/wire/l4_checksum.h"
#include "dataplane/wire/pdu_session.h"
#include "tests/oracle/generate.h"

namespace sluice::oracle {
namespace {

struct Chain {
  wire::GtpuExtensionType first = wire::GtpuExtensionType::none;
  Buffer bytes;
};

struct Extension {
  wire::GtpuExtensionType type;
  Buffer content;
};

Buffer dl_session(Random& random, Fields& fields) {
  wire::DlPduSession dl;
  dl.qfi = wire::Qfi{static_cast<uint8_t>(random.below(64))};
  dl.reflective_qos = random.one_in(2);
  fields.set("pdu_session.type", 0);
  fields.append("pdu_session.qfi", static_cast<uint8_t>(dl.qfi));
  fields.set("pdu_session.rqi", static_cast<int>(dl.reflective_qos));
  const bool paging = random.one_in(2);
  fields.set("pdu_session.ppp", static_cast<int>(paging));
  if (paging) {
    dl.paging = wire::PagingPolicy{static_cast<uint8_t>(random.below(8)), 0};
    fields.set("pdu_session.ppi", dl.paging->indicator);
  }
  if (random.one_in(3))
    fields.set("pdu_session.dl_sending_time", *(dl.sending_time = random.any<uint64_t>()));
  if (random.one_in(3)) fields.set("pdu_session.dl_sequence", *(dl.qfi_sequence = random.below(1 << 24)));
  return emitted(dl);
}

Buffer ul_session(Random& random, Fields& fields) {
  wire::UlPduSession ul;
  ul.qfi = wire::Qfi{static_cast<uint8_t>(random.below(64))};
  fields.set("pdu_session.type", 1);
  fields.append("pdu_session.qfi", static_cast<uint8_t>(ul.qfi));
  if (random.one_in(3)) {
    ul.times = wire::UlTimes{random.any<uint64_t>(), random.any<uint64_t>(), random.any<uint64_t>()};
    fields.set("pdu_session.dl_sending_repeated", ul.times->dl_sending_repeated);
    fields.set("pdu_session.dl_received", ul.times->dl_received);
    fields.set("pdu_session.ul_sending", ul.times->ul_sending);
  }
  if (random.one_in(3)) fields.set("pdu_session.dl_delay", *(ul.dl_delay = random.any<uint32_t>()));
  if (random.one_in(3)) fields.set("pdu_session.ul_delay", *(ul.ul_delay = random.any<uint32_t>()));
  if (random.one_in(3)) fields.set("pdu_session.ul_sequence", *(ul.qfi_sequence = random.below(1 << 24)));
  if (random.one_in(3)) fields.set("pdu_session.n3_n9_delay", *(ul.n3_n9_delay = random.any<uint32_t>()));
  return emitted(ul);
}

Extension number_extension(Random& random, Fields& fields) {
  const bool port = random.one_in(2);
  const auto number = static_cast<uint16_t>(random.below(1 << 15));  // a PDCP number has 15 bits
  fields.append(port ? "gtpu.udp_ports" : "gtpu.pdcp_numbers", number);
  Buffer content;
  append(content, wire::Be16(number));
  return {port ? wire::GtpuExtensionType::udp_port : wire::GtpuExtensionType::pdcp_pdu_number, content};
}

Extension session_extension(Random& random, Fields& fields) {
  return {wire::GtpuExtensionType::pdu_session_container,
          random.one_in(2) ? dl_session(random, fields) : ul_session(random, fields)};
}

Chain emitted_chain(const std::vector<Extension>& extensions, Fields& fields) {
  Chain chain;
  for (size_t i = 0; i < extensions.size(); ++i) {
    const size_t units = (extensions[i].content.size() + 2 + 3) / 4;
    Buffer bytes(units * 4);
    wire::Writer out(bytes);
    const auto next = i + 1 < extensions.size() ? extensions[i + 1].type : wire::GtpuExtensionType::none;
    wire::emit_extension(extensions[i].content, next, out);
    append(chain.bytes, bytes);
    fields.append("gtpu.extensions", static_cast<uint8_t>(extensions[i].type));
    fields.append("gtpu.extension_units", units);
  }
  if (!extensions.empty()) chain.first = extensions[0].type;
  return chain;
}

Buffer in_udp(Random& random, const Buffer& payload, Fields& fields) {
  const IpContext ip = any_ip(random);
  wire::UdpHeader header{wire::Be16(wire::kGtpuPort),
                         wire::Be16(wire::kGtpuPort),
                         wire::Be16(static_cast<uint16_t>(sizeof(wire::UdpHeader) + payload.size())),
                         {}};
  Buffer datagram = emitted(wire::UdpView{&header, payload, {}});
  const auto view = *wire::parse_udp(datagram);
  header.checksum = ip.v6 ? udp_checksum(ip.src6, ip.dst6, view) : udp_checksum(ip.src4, ip.dst4, view);
  datagram = emitted(wire::UdpView{&header, payload, {}});
  return in_ethernet(random, ip.v6 ? wire::EtherType::ipv6 : wire::EtherType::ipv4,
                     plain_ip(random, ip, wire::IpProtocol::udp, datagram, fields), fields);
}

Buffer make_message(Random& random, wire::GtpuMessage message, uint8_t flags, const Chain& chain,
                    const Buffer& payload, Fields& fields) {
  if (chain.first != wire::GtpuExtensionType::none) flags |= wire::GtpuHeader::kExtension;
  const bool optional = flags != 0;
  const size_t length = (optional ? sizeof(wire::GtpuOptional) : 0) + chain.bytes.size() + payload.size();
  const auto teid = random.any<uint32_t>();
  const wire::GtpuOptional fixed{wire::Be16(random.any<uint16_t>()), wire::Be8(random.any<uint8_t>()),
                                 wire::Be8(static_cast<uint8_t>(chain.first))};
  const wire::GtpuHeader header{wire::Be8(wire::GtpuHeader::kVersion1 | flags),
                                wire::Be8(static_cast<uint8_t>(message)),
                                wire::Be16(static_cast<uint16_t>(length)), wire::Be32(teid)};
  fields.set("gtpu.flags", 0x30 | flags);
  fields.set("gtpu.message", static_cast<uint8_t>(message));
  fields.set("gtpu.length", length);
  fields.set("gtpu.teid", teid);
  if (flags & wire::GtpuHeader::kSequence) fields.set("gtpu.sequence", fixed.sequence.get());
  if (flags & wire::GtpuHeader::kNPdu) fields.set("gtpu.n_pdu", fixed.n_pdu.get());
  const auto extensions = wire::GtpuExtensions::parse(static_cast<uint8_t>(chain.first), chain.bytes);
  return in_udp(random,
                emitted(wire::GtpuView{&header, optional ? &fixed : nullptr, *extensions, payload, {}}),
                fields);
}

uint8_t any_flags(Random& random) {
  return static_cast<uint8_t>((random.one_in(2) ? wire::GtpuHeader::kSequence : 0) |
                              (random.one_in(3) ? wire::GtpuHeader::kNPdu : 0));
}

Buffer user_message(Random& random, const std::vector<Extension>& extensions, Fields& fields) {
  const Chain chain = emitted_chain(extensions, fields);
  if (random.one_in(8))
    return make_message(random, wire::GtpuMessage::end_marker, any_flags(random), chain, {}, fields);
  const Buffer payload = random.bytes(1 + random.below(100));
  fields.set("gtpu.payload", hex(payload));
  return make_message(random, wire::GtpuMessage::g_pdu, any_flags(random), chain, payload, fields);
}

Buffer gtpu(Random& random, Fields& fields) {
  std::vector<Extension> extensions;
  if (random.one_in(4))
    extensions.push_back(number_extension(random, fields));
  else if (!random.one_in(4))
    extensions.push_back(session_extension(random, fields));
  return user_message(random, extensions, fields);
}

Buffer gtpu_chain(Random& random, Fields& fields) {
  std::vector<Extension> extensions;
  const size_t count = 2 + random.below(wire::GtpuExtensions::kMost - 1);
  const size_t session = random.below(count + 1);
  for (size_t i = 0; i < count; ++i)
    extensions.push_back(i == session ? session_extension(random, fields) : number_extension(random, fields));
  return user_message(random, extensions, fields);
}

void add_element(wire::GtpuElementType type, const Buffer& value, Buffer& elements) {
  append(elements, emitted(wire::GtpuElement{type, value}));
}

void add_private(Random& random, Buffer& elements, Fields& fields) {
  const auto identifier = random.any<uint16_t>();
  const Buffer content = random.bytes(1 + random.below(40));
  Buffer value;
  append(value, wire::Be16(identifier));
  append(value, content);
  fields.set("gtpu.private_identifier", identifier);
  fields.set("gtpu.private_value", hex(content));
  add_element(wire::GtpuElementType::private_extension, value, elements);
}

void add_error(Random& random, Buffer& elements, Fields& fields) {
  const auto teid = random.any<uint32_t>();
  wire::GtpuErrorIndication indication{wire::Teid{teid}, random.ipv4()};
  if (random.one_in(2)) indication.peer = random.ipv6();
  fields.set("gtpu.error_teid", teid);
  fields.set(indication.peer.index() == 0 ? "gtpu.error_peer4" : "gtpu.error_peer6",
             std::visit([](const auto& address) { return to_text(address); }, indication.peer));
  append(elements, emitted(indication));
}

Buffer gtpu_signalling(Random& random, Fields& fields) {
  using enum wire::GtpuMessage;
  const auto message =
      random.pick({echo_request, echo_response, error_indication, supported_extension_headers});
  Buffer elements;
  if (message == echo_response) {
    const auto counter = random.any<uint8_t>();
    fields.set("gtpu.restart_counter", counter);
    add_element(wire::GtpuElementType::recovery, {counter}, elements);
  }
  if (message == error_indication) add_error(random, elements, fields);
  if (message == supported_extension_headers) {
    const Buffer types = random.bytes(1 + random.below(6));
    fields.set("gtpu.extension_types", std::vector<int>(types.begin(), types.end()));
    add_element(wire::GtpuElementType::extension_header_types, types, elements);
  } else if (random.one_in(2)) {
    add_private(random, elements, fields);
  }
  // 5.1: these messages have a sequence number.
  return make_message(random, message, wire::GtpuHeader::kSequence, {}, elements, fields);
}

}  // namespace

std::map<std::string, Generator> gtpu_generators() {
  return {{"gtpu", gtpu}, {"gtpu_chain", gtpu_chain}, {"gtpu_signalling", gtpu_signalling}};
}

}  // namespace sluice::oracle
