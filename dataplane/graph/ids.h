// Numbers and names of nodes, ports and punt causes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice {

enum class NodeId : uint8_t {
#define NODE(name) name,
#include "dataplane/graph/nodes.def"
#undef NODE
};

inline constexpr auto kNodeNames = std::to_array<const char*>({
#define NODE(name) #name,
#include "dataplane/graph/nodes.def"
#undef NODE
});
inline constexpr size_t kNodeCount = kNodeNames.size();
constexpr const char* name_of(NodeId id) { return kNodeNames[static_cast<size_t>(id)]; }

enum class PuntCause : uint8_t {
#define CAUSE(name, text) name,
#include "dataplane/graph/punt_causes.def"
#undef CAUSE
};

struct PuntCauseInfo {
  std::string_view name;
  std::string_view text;
};
inline constexpr auto kPuntCauses = std::to_array<PuntCauseInfo>({
#define CAUSE(name, text) {#name, text},
#include "dataplane/graph/punt_causes.def"
#undef CAUSE
});
inline constexpr size_t kPuntCauseCount = kPuntCauses.size();
constexpr std::string_view name_of(PuntCause cause) { return kPuntCauses[static_cast<size_t>(cause)].name; }

// Sluice's own port number: the position in the configuration, not DPDK's port id.
using PortNumber = uint16_t;
inline constexpr PortNumber kMaxPorts = 64;
inline constexpr PortNumber kNoPort = 0xffff;

}  // namespace sluice
