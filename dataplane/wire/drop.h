// Reasons to give a packet up, from drop_reasons.def, and the result type of every parser.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

namespace sluice::wire {

enum class Drop : uint8_t {
#define DROP(name, text) name,
#include "dataplane/wire/drop_reasons.def"
#undef DROP
};

struct DropInfo {
  std::string_view name;
  std::string_view text;
};

inline constexpr auto kDropInfo = std::to_array<DropInfo>({
#define DROP(name, text) {#name, text},
#include "dataplane/wire/drop_reasons.def"
#undef DROP
});

inline constexpr size_t kDropCount = kDropInfo.size();
static_assert(kDropCount < 255, "a drop reason travels in one byte of packet metadata");

constexpr std::string_view name_of(Drop d) { return kDropInfo[static_cast<size_t>(d)].name; }
constexpr std::string_view text_of(Drop d) { return kDropInfo[static_cast<size_t>(d)].text; }

// Parsing is total: any bytes give a value or the reason why there is none.
template <class T>
using Parsed = tl::expected<T, Drop>;

constexpr tl::unexpected<Drop> drop(Drop reason) { return tl::unexpected<Drop>(reason); }

}  // namespace sluice::wire
