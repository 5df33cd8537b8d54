// Random numbers for tests that want very many: cheap, and the same for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::testing {

// xorshift64*: a number every few nanoseconds, not a good one.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }
  size_t below(size_t bound) { return static_cast<size_t>((next() >> 32) * bound >> 32); }
  bool one_in(size_t n) { return below(n) == 0; }
  template <class Container>
  const auto& pick(const Container& values) {
    return values[below(values.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace sluice::testing
