// Lays a frame into buffers in every way that a driver might, and some that none should.
#pragma once

#include <rte_mbuf.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "dataplane/wire/bytes.h"
#include "tests/fault/storm_traffic.h"

namespace sluice::testing {

// Ends of Ethernet, a tag, IPv4, IPv6 and what follows, with one byte to either side.
inline constexpr std::array<uint16_t, 26> kBoundaries{0,  1,  6,  12, 13, 14, 15, 17, 18, 19, 23,  33,  34,
                                                      35, 37, 38, 39, 42, 53, 54, 55, 62, 74, 127, 128, 129};

class BufferLayout {
 public:
  BufferLayout(rte_mempool* pool, Random& random) : pool_(pool), random_(random) {}

  // nullptr while the pool is empty. A sound layout is one that the data plane must not refuse.
  rte_mbuf* lay(wire::Bytes frame, bool sound) {
    const bool chain = random_.one_in(4) || frame.size() > kRoom;
    rte_mbuf* first = rte_pktmbuf_alloc(pool_);
    if (!first) return nullptr;
    if (!chain) {
      append(first, first, frame);
      return first;
    }
    // A first segment without room behind its data: headers cannot be pulled up.
    if (!sound && random_.one_in(16))
      first->data_off = static_cast<uint16_t>(first->buf_len - random_.below(32));
    return split(first, frame) ? first : (rte_pktmbuf_free(first), nullptr);
  }

 private:
  static constexpr size_t kRoom = 2048;

  static void append(rte_mbuf* first, rte_mbuf* segment, wire::Bytes bytes) {
    std::memcpy(rte_pktmbuf_mtod(segment, uint8_t*), bytes.data(), bytes.size());
    segment->data_len = static_cast<uint16_t>(bytes.size());
    first->pkt_len += static_cast<uint32_t>(bytes.size());
  }

  size_t cut(size_t left) {
    const size_t at =
        random_.one_in(4) ? random_.below(left + 1) : kBoundaries[random_.below(kBoundaries.size())];
    return std::min(at, left);
  }

  bool split(rte_mbuf* first, wire::Bytes frame) {
    rte_mbuf* segment = first;
    const size_t wanted = 2 + random_.below(4);
    for (size_t made = 1;; ++made) {
      const size_t room = static_cast<size_t>(segment->buf_len - segment->data_off);
      const bool last = made >= wanted && frame.size() <= room;
      const size_t taken =
          last ? frame.size() : std::min(made >= wanted ? frame.size() : cut(frame.size()), room);
      append(first, segment, frame.first(taken));
      frame = frame.subspan(taken);
      if (last) return true;
      rte_mbuf* next = rte_pktmbuf_alloc(pool_);
      if (!next) return false;
      next->data_off = static_cast<uint16_t>(random_.below(256));
      segment->next = next;
      ++first->nb_segs;
      segment = next;
    }
  }

  rte_mempool* pool_;
  Random& random_;
};

}  // namespace sluice::testing
