#include "dataplane/p4runtime/packet_io.h"

#include <fmt/format.h>

#include "dataplane/p4runtime/bytestring.h"

namespace sluice::p4runtime {
namespace {

const info::ControllerPacketMetadata* find_header(const info::P4Info& p4info, std::string_view name) {
  for (const auto& header : p4info.controller_packet_metadata())
    if (header.preamble().name() == name) return &header;
  return nullptr;
}

tables::Value value_of(std::string_view field, const engine::PacketIn& packet) {
  if (field == "ingress_port") return packet.ingress_port;
  if (field == "egress_port") return packet.egress_port;
  if (field == "mtu") return packet.mtu;
  return static_cast<uint8_t>(packet.cause);
}

absl::Status refuse(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("packet_out: {}", what));
}

}  // namespace

v1::PacketIn packet_in_message(const info::P4Info& p4info, const engine::PacketIn& packet) {
  v1::PacketIn message;
  message.set_payload(packet.frame.data(), packet.frame.size());
  if (const auto* header = find_header(p4info, "packet_in"))
    for (const auto& field : header->metadata()) {
      auto& metadata = *message.add_metadata();
      metadata.set_metadata_id(field.id());
      metadata.set_value(encode(value_of(field.name(), packet)));
    }
  return message;
}

absl::StatusOr<PacketOut> packet_out_from(const info::P4Info& p4info, const v1::PacketOut& message) {
  const auto* header = find_header(p4info, "packet_out");
  if (!header) return refuse("the program has no such header");
  if (message.metadata_size() != header->metadata_size())
    return refuse(
        fmt::format("{} metadata fields, {} are expected", message.metadata_size(), header->metadata_size()));
  if (message.payload().empty()) return refuse("payload: is empty");

  PacketOut packet{kNoPort,
                   {reinterpret_cast<const uint8_t*>(message.payload().data()), message.payload().size()}};
  // The header has one field, egress_port: one metadata with its id is exactly what must be there.
  for (const auto& field : header->metadata()) {
    const auto& metadata = message.metadata(0);
    if (metadata.metadata_id() != field.id())
      return refuse(fmt::format("metadata field {} is unknown", metadata.metadata_id()));
    const auto value = decode(metadata.value(), static_cast<unsigned>(field.bitwidth()));
    if (!value.ok())
      return refuse(fmt::format("{}: {}", field.name(), std::string(value.status().message())));
    if (*value >= kNoPort) return refuse(fmt::format("{}: no such port", field.name()));
    packet.port = static_cast<PortNumber>(*value);
  }
  return packet;
}

}  // namespace sluice::p4runtime
