// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::cli {

std::string with_separators(uint64_t value);      // 1,234,567
std::string bytes_text(uint64_t bytes);           // 1.23 MB: powers of 1000, as link rates are
std::string duration_text(double seconds);        // 4.2 s, 12 min 5 s, 3 h 4 min, 2 d 5 h
std::string ratio_text(double value, double of);  // one decimal, or - where there is nothing to divide by
std::string plural(uint64_t count, std::string noun);  // 1 port, 2 ports, 0 entries

}  // namespace sluice::cli
