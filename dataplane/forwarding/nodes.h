// The nodes that this function adds to the graph.
#pragma once

#include "dataplane/graph/node.h"

namespace sluice::forwarding {

extern const NodeSpec kEtherInputNode, kIpv4RouteNode, kIpv4ForwardNode, kIpv6RouteNode, kIpv6ForwardNode,
    kBridgeNode, kPuntNode;

}  // namespace sluice::forwarding
