#include "controlplane/cli/quantity.h"

#include <fmt/format.h>

#include <cmath>

namespace sluice::cli {

std::string with_separators(uint64_t value) {
  auto text = fmt::format("{}", value);
  for (size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  static constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  // 999.995 would be rounded to 1000.00.
  for (; value >= 999.995; value /= 1000) ++unit;
  return fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", std::floor(seconds * 10) / 10);
  const auto whole = static_cast<uint64_t>(seconds);
  const auto minutes = whole / 60, hours = minutes / 60, days = hours / 24;
  if (hours == 0) return fmt::format("{} min {} s", minutes, whole % 60);
  if (days == 0) return fmt::format("{} h {} min", hours, minutes % 60);
  return fmt::format("{} d {} h", days, hours % 24);
}

std::string ratio_text(double value, double of) { return of > 0 ? fmt::format("{:.1f}", value / of) : "-"; }

std::string plural(uint64_t count, std::string noun) {
  if (count != 1) noun = noun.ends_with('y') ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s";
  return fmt::format("{} {}", with_separators(count), noun);
}

}  // namespace sluice::cli
