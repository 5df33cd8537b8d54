// Packets between controller and data plane, with the metadata that the p4info's controller headers name.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string_view>

#include "dataplane/engine/engine.h"
#include "dataplane/p4runtime/messages.h"

namespace sluice::p4runtime {

struct ControllerField {
  std::string_view name;
  unsigned bits;
};

struct ControllerHeader {
  std::string_view name;
  std::span<const ControllerField> fields;
};

// What every program's controller headers hold: engine::PacketIn, and the way out of a packet-out.
inline constexpr ControllerField kPacketInFields[] = {
    {"ingress_port", 32}, {"egress_port", 32}, {"mtu", 16}, {"cause", 8}};
inline constexpr ControllerField kPacketOutFields[] = {{"egress_port", 32}};
inline constexpr ControllerHeader kControllerHeaders[] = {{"packet_in", kPacketInFields},
                                                          {"packet_out", kPacketOutFields}};

// The p4info has been compared with kControllerHeaders before.
v1::PacketIn packet_in_message(const info::P4Info& p4info, const engine::PacketIn& packet);

struct PacketOut {
  PortNumber port;
  wire::Bytes frame;  // of the message
};

// INVALID_ARGUMENT where the metadata is not exactly what the p4info asks for (P4Runtime §16.1).
absl::StatusOr<PacketOut> packet_out_from(const info::P4Info& p4info, const v1::PacketOut& message);

}  // namespace sluice::p4runtime
