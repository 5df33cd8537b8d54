// The node that every function's packets may end in.
#pragma once

namespace sluice {

struct NodeSpec;
extern const NodeSpec kDropNode;

}  // namespace sluice
