// What DPDK's pipeline would not refuse, or would refuse without a word: a program that would crash it or
// silently do something else than its P4 source says.
#pragma once

#include <absl/status/status.h>

#include "dataplane/p4/layout.h"

namespace sluice::p4 {

// INVALID_ARGUMENT `file:line: the thing and its limit`.
absl::Status check(const Layout& layout);

}  // namespace sluice::p4
