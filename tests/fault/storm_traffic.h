// The packets of packet_storm: half random bytes, half valid packets that something is done to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/support/frames.h"
#include "tests/support/random.h"

namespace sluice::testing {

// The addresses that the storm's configuration and its packets share.
inline constexpr wire::MacAddress kRouterMac{{2, 0, 0, 0, 0, 1}};
inline constexpr wire::MacAddress kLeftNeighbour{{2, 0, 0, 0, 1, 2}}, kRightNeighbour{{2, 0, 0, 0, 2, 2}};

// A packet that nothing is done to is a function of its seed, so that the one that comes out can be
// compared with what must have become of it.
inline constexpr size_t kLargestFrame = 9000;
Frame clean_frame(uint64_t seed);
// The seed, where a frame is, or was before it was routed, a clean one.
std::optional<uint64_t> seed_of(wire::Bytes frame);
// What clean_frame(seed) looks like behind the router, by RFC 1812, with all checksums made anew.
Frame routed_clean_frame(uint64_t seed);

class StormTraffic {
 public:
  explicit StormTraffic(uint64_t seed);

  struct Made {
    wire::Bytes frame;  // until the next call
    bool is_clean;
  };
  Made next();

  Random& random() { return random_; }

 private:
  wire::Bytes random_bytes();
  wire::Bytes mutated();
  void fill(size_t begin, size_t end);

  Random random_;
  uint64_t clean_ = 0;
  std::vector<Frame> templates_;
  std::array<uint8_t, kLargestFrame + 8> scratch_{};
  Frame clean_scratch_;
};

}  // namespace sluice::testing
