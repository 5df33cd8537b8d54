// What has happened between two readings of the daemon's counters.
#pragma once

#include "controlplane/cli/client.h"

namespace sluice::cli {

// Every counter of `after` less that of `before`, and the seconds between them as uptime_s. A daemon that
// was started anew in between has counted from zero.
Json counted_between(const Json& before, const Json& after);

}  // namespace sluice::cli
