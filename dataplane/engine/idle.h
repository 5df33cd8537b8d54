// What an lcore does when nothing comes.
#pragma once

#include <rte_pause.h>
#include <time.h>

#include <algorithm>

namespace sluice::engine {

struct IdlePolicy {
  bool sleeps = true;
  unsigned max_sleep_us = 200;
};

inline void sleep_us(unsigned microseconds) {
  const timespec duration{microseconds / 1000000, static_cast<long>(microseconds % 1000000) * 1000};
  nanosleep(&duration, nullptr);
}

// Sleeps a little longer each time that a round brought no packet, but not before `patience` such rounds: a
// burst's gap should not cost a timer.
class Idler {
 public:
  Idler(IdlePolicy policy, unsigned patience) : policy_(policy), patience_(patience) {}

  // `sleep` is called with microseconds.
  template <class Sleep>
  void after_round(bool had_packets, Sleep sleep) {
    if (had_packets) {
      rounds_ = 0;
      sleep_us_ = 1;
    } else if (policy_.sleeps && ++rounds_ > patience_) {
      sleep(sleep_us_);
      sleep_us_ = std::min(2 * sleep_us_, policy_.max_sleep_us);
    } else {
      rte_pause();
    }
  }

 private:
  IdlePolicy policy_;
  unsigned patience_;
  unsigned rounds_ = 0, sleep_us_ = 1;
};

}  // namespace sluice::engine
