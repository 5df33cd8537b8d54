#include "dataplane/forwarding/ipv4_forward.h"

#include "dataplane/forwarding/nodes.h"

namespace sluice::forwarding {

const NodeSpec kIpv4ForwardNode{Ipv4Forward::kId, process_each<Ipv4Forward>, Ipv4Forward::kEdges};

}  // namespace sluice::forwarding
