#include "dataplane/wire/gtpu.h"

#include "dataplane/wire/gtpu_elements.h"
#include "dataplane/wire/pdu_session.h"
#include "tests/oracle/describe.h"

namespace sluice::oracle {
namespace {

template <class Value>
void set_if(const std::string& name, const std::optional<Value>& value, Fields& out) {
  if (value) out.set(name, *value);
}

void describe_session(const wire::DlPduSession& dl, Fields& out) {
  out.set("pdu_session.type", 0);
  out.set("pdu_session.rqi", static_cast<int>(dl.reflective_qos));
  out.set("pdu_session.ppp", static_cast<int>(dl.paging.has_value()));
  if (dl.paging) out.set("pdu_session.ppi", dl.paging->indicator);
  set_if("pdu_session.dl_sending_time", dl.sending_time, out);
  set_if("pdu_session.dl_sequence", dl.qfi_sequence, out);
}

void describe_session(const wire::UlPduSession& ul, Fields& out) {
  out.set("pdu_session.type", 1);
  if (ul.times) {
    out.set("pdu_session.dl_sending_repeated", ul.times->dl_sending_repeated);
    out.set("pdu_session.dl_received", ul.times->dl_received);
    out.set("pdu_session.ul_sending", ul.times->ul_sending);
  }
  set_if("pdu_session.dl_delay", ul.dl_delay, out);
  set_if("pdu_session.ul_delay", ul.ul_delay, out);
  set_if("pdu_session.ul_sequence", ul.qfi_sequence, out);
  set_if("pdu_session.n3_n9_delay", ul.n3_n9_delay, out);
}

void describe_extension(const wire::GtpuExtension& extension, Fields& out) {
  out.append("gtpu.extensions", static_cast<uint8_t>(extension.type));
  out.append("gtpu.extension_units", (extension.content.size() + 2) / 4);
  const auto* number = wire::overlay<wire::Be16>(extension.content);
  switch (extension.type) {
    case wire::GtpuExtensionType::udp_port:
      return out.append("gtpu.udp_ports", number->get());
    case wire::GtpuExtensionType::pdcp_pdu_number:
      return out.append("gtpu.pdcp_numbers", number->get());
    case wire::GtpuExtensionType::pdu_session_container: {
      const auto session = wire::parse_pdu_session(extension.content);
      if (!session) return out.drop(session.error());
      out.append("pdu_session.qfi", static_cast<uint8_t>(qfi_of(*session)));
      return std::visit([&](const auto& s) { describe_session(s, out); }, *session);
    }
    default:
      return;
  }
}

void describe_elements(Bytes in, Fields& out) {
  const auto elements = wire::parse_gtpu_elements(in);
  if (!elements) return out.drop(elements.error());
  set_if("gtpu.restart_counter", restart_counter_of(*elements), out);
  if (const auto types = elements->find(wire::GtpuElementType::extension_header_types))
    out.set("gtpu.extension_types", std::vector<int>(types->begin(), types->end()));
  if (const auto extension = private_extension_of(*elements)) {
    out.set("gtpu.private_identifier", extension->identifier);
    out.set("gtpu.private_value", hex(extension->value));
  }
  if (const auto indication = error_indication_of(*elements)) {
    out.set("gtpu.error_teid", static_cast<uint32_t>(indication->teid));
    const bool v4 = std::holds_alternative<wire::Ipv4Address>(indication->peer);
    out.set(v4 ? "gtpu.error_peer4" : "gtpu.error_peer6",
            std::visit([](const auto& address) { return to_text(address); }, indication->peer));
  }
}

}  // namespace

void describe_gtpu(Bytes in, Fields& out) {
  const auto gtpu = wire::parse_gtpu(in);
  if (!gtpu) return out.drop(gtpu.error());
  const wire::GtpuHeader& header = *gtpu->header;
  out.set("gtpu.flags", header.flags.get());
  out.set("gtpu.message", header.message.get());
  out.set("gtpu.length", header.length.get());
  out.set("gtpu.teid", static_cast<uint32_t>(header.tunnel()));
  if (header.has_sequence()) out.set("gtpu.sequence", gtpu->optional->sequence.get());
  if (header.has_n_pdu()) out.set("gtpu.n_pdu", gtpu->optional->n_pdu.get());
  for (const wire::GtpuExtension extension : gtpu->extensions) describe_extension(extension, out);
  if (header.message_type() != wire::GtpuMessage::g_pdu)
    describe_elements(gtpu->payload, out);
  else if (!gtpu->payload.empty())
    out.set("gtpu.payload", hex(gtpu->payload));
}

}  // namespace sluice::oracle
