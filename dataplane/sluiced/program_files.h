// A compiled P4 program's files: PROGRAM.spec and PROGRAM.p4info.txtpb, as p4/compile makes them.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "dataplane/p4/swx_engine.h"

namespace sluice {

// Errors name the configuration's field p4_folder and the file.
absl::StatusOr<p4::SwxProgram> read_program(const std::string& folder, const std::string& name);

}  // namespace sluice
