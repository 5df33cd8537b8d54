#include "dataplane/p4runtime/capabilities.h"

#include <fmt/format.h>

namespace sluice::p4runtime {

bool supports(std::string_view engine, Feature feature) {
  const auto& row = kFeatures[static_cast<size_t>(feature)];
  return (engine == "native" && row.native) || (engine == "swx" && row.swx);
}

absl::Status require(std::string_view engine, Feature feature) {
  if (supports(engine, feature)) return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("engine {} does not support {}", engine, kFeatures[static_cast<size_t>(feature)].text));
}

absl::Status refuse_feature(std::string_view engine, Feature feature) {
  auto status = require(engine, feature);
  return status.ok() ? absl::InternalError("capabilities.def promises what the server does not do") : status;
}

}  // namespace sluice::p4runtime
