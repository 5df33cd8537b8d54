// A rate limit for one writer: at most `rate` a second in the long run, a tenth of that at once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice {

class TokenBucket {
 public:
  // `now` and `hz` are of any steady clock. Tokens are counted in ticks, so that nothing is divided.
  bool take(uint32_t rate, uint64_t now, uint64_t hz) {
    if (rate == 0) return false;
    const uint64_t cost = hz / rate, depth = std::max(hz / 10, cost);
    const uint64_t earned = started_ ? now - last_ : depth;
    started_ = true;
    last_ = now;
    ticks_ = std::min(depth, ticks_ + std::min(earned, depth));
    if (ticks_ < cost) return false;
    ticks_ -= cost;
    return true;
  }

 private:
  uint64_t ticks_ = 0;
  uint64_t last_ = 0;
  bool started_ = false;
};

}  // namespace sluice
