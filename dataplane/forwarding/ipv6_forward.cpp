#include "dataplane/forwarding/ipv6_forward.h"

#include "dataplane/forwarding/nodes.h"

namespace sluice::forwarding {

const NodeSpec kIpv6ForwardNode{Ipv6Forward::kId, process_each<Ipv6Forward>, Ipv6Forward::kEdges};

}  // namespace sluice::forwarding
