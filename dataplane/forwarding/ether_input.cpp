#include "dataplane/forwarding/ether_input.h"

#include "dataplane/forwarding/nodes.h"

namespace sluice::forwarding {

const NodeSpec kEtherInputNode{EtherInput::kId, process_each<EtherInput>, EtherInput::kEdges};

}  // namespace sluice::forwarding
