// What one lcore counts. One writer each, so that the hot path needs no atomic read-modify-write;
// readers add up over lcores and may be one burst behind.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "dataplane/graph/ids.h"
#include "dataplane/wire/drop.h"

namespace sluice {

class Counter {
 public:
  void add(uint64_t n) { value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); }
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// A packet comes in as received, injected or copied, and ends as transmitted, punted or dropped:
//   received + injected + copied == transmitted + punted + dropped (+ what is in flight).
struct alignas(64) LcoreCounters {
  Counter received, transmitted, injected, copied;
  std::array<Counter, kPuntCauseCount> punted;
  std::array<std::array<Counter, wire::kDropCount>, kNodeCount> dropped;
};

}  // namespace sluice
