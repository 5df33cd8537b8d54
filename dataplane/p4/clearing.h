// DPDK's pipeline does not clear metadata between packets: a field would hold what another packet left there.
#pragma once

#include <cstddef>
#include <set>

#include "dataplane/p4/layout.h"

namespace sluice::p4 {

// The metadata fields that some path of the program may read before it has written them. The program must
// have passed check(): jumps go forward only, so that one pass over it is exact.
std::set<size_t> read_before_written(const Layout& layout);

}  // namespace sluice::p4
