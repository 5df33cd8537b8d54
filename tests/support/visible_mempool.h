// DPDK's mempool drivers order memory in code that ThreadSanitizer does not see: a buffer that one thread
// frees and another takes would look like a race at every byte. This driver is plain C++ with a lock.
#pragma once

namespace sluice::testing {

// For all packet pools that are made from now on.
void use_visible_mempool();

}  // namespace sluice::testing
