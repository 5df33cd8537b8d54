// Reads capabilities.def: what an engine can do.
#pragma once

#include <absl/status/status.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace sluice::p4runtime {

enum class Feature : uint8_t {
#define FEATURE(name, text, native, swx) name,
#include "dataplane/p4runtime/capabilities.def"
#undef FEATURE
};

struct FeatureRow {
  Feature feature;
  std::string_view name;
  std::string_view text;
  bool native;
  bool swx;
};

inline constexpr auto kFeatures = [] {
  constexpr bool yes = true, no = false;
  return std::to_array<FeatureRow>({
#define FEATURE(name, text, native, swx) {Feature::name, #name, text, native, swx},
#include "dataplane/p4runtime/capabilities.def"
#undef FEATURE
  });
}();

// An engine that has no column can do nothing of the list.
bool supports(std::string_view engine, Feature feature);

// OK, or UNIMPLEMENTED that names engine and feature.
absl::Status require(std::string_view engine, Feature feature);
// Where the server has no code for a feature: as above, and INTERNAL if the table promises it all the same.
absl::Status refuse_feature(std::string_view engine, Feature feature);

}  // namespace sluice::p4runtime
