// Short names for P4Runtime's messages. `::p4` in full, because sluice may have a namespace p4 of its own.
#pragma once

#include "p4/config/v1/p4info.pb.h"
#include "p4/v1/p4runtime.pb.h"

namespace sluice::p4runtime {

namespace v1 = ::p4::v1;
namespace info = ::p4::config::v1;

}  // namespace sluice::p4runtime
