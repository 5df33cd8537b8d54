// The nodes by which packets enter and leave the graph.
#pragma once

#include "dataplane/graph/node.h"

namespace sluice::io {

extern const NodeSpec kPortRxNode, kPortTxNode, kInjectNode;

}  // namespace sluice::io
