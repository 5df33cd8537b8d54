// Decisions tell an observer what they looked up. On the fast path it is Silent and costs nothing;
// `sluice trace` passes one that writes it down.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

struct Silent {
  static constexpr bool listens = false;
  void lookup(std::string_view, const auto&, const auto&) const {}
  void note(const auto&) const {}
};

}  // namespace sluice
