#include "dataplane/wire/gtpu.h"

#include "dataplane/wire/gtpu_elements.h"
#include "tests/fuzz/pdu_session.h"

namespace sluice::fuzz {

// Both lists are walked by iterators that trust what the parser has checked: each item emitted again must
// add up to the bytes that the list was parsed from.
void follow_extensions(const wire::GtpuExtensions& extensions) {
  std::vector<uint8_t> again(extensions.bytes().size());
  wire::Writer out(again);
  size_t count = 0;
  for (auto it = extensions.begin(); it != extensions.end(); ++count) {
    const wire::GtpuExtension extension = *it;
    ++it;
    const auto next = it == extensions.end() ? wire::GtpuExtensionType::none : (*it).type;
    wire::emit_extension(extension.content, next, out);
    if (extension.type == wire::GtpuExtensionType::pdu_session_container)
      follow_pdu_session(extension.content);
  }
  require(count <= wire::GtpuExtensions::kMost, "GTP-U chain longer than its bound");
  require(out.ok() && out.written().size() == again.size(), "GTP-U extensions do not add up");
  require(std::equal(again.begin(), again.end(), extensions.bytes().begin()), "GTP-U extensions change");
}

void follow_elements(Bytes bytes) {
  const Exact in(bytes);
  const auto elements = wire::parse_gtpu_elements(in);
  if (!elements) return;
  std::vector<uint8_t> again(in.bytes.size());
  wire::Writer out(again);
  for (const wire::GtpuElement element : *elements) emit(element, out);
  require(out.ok() && out.written().size() == again.size(), "GTP-U elements do not add up");
  require(again == in.bytes, "GTP-U elements change");
  (void)wire::restart_counter_of(*elements);
  (void)wire::private_extension_of(*elements);
  (void)wire::error_indication_of(*elements);
}

void follow_gtpu(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_gtpu(in);
  if (!view) return;
  require_same_bytes(*view, in);
  follow_extensions(view->extensions);
  if (view->header->message_type() != wire::GtpuMessage::g_pdu) follow_elements(view->payload);
}

}  // namespace sluice::fuzz

FUZZ_TARGET(sluice::fuzz::follow_gtpu)
