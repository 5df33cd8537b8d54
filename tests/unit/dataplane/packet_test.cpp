#include "dataplane/graph/packet.h"

#include <gtest/gtest.h>
#include <rte_memory.h>

#include <numeric>
#include <vector>

namespace sluice {
namespace {

class PullUp : public ::testing::Test {
 protected:
  void SetUp() override {
    pool_ = rte_pktmbuf_pool_create("pull_up", 255, 0, sizeof(PacketMeta), RTE_MBUF_DEFAULT_BUF_SIZE,
                                    SOCKET_ID_ANY);
    ASSERT_NE(pool_, nullptr);
  }
  void TearDown() override {
    EXPECT_EQ(rte_mempool_in_use_count(pool_), 0u) << "buffers leaked";
    rte_mempool_free(pool_);
  }

  // A frame of bytes 0, 1, 2, ... in segments of these lengths.
  rte_mbuf* chain(const std::vector<size_t>& lengths) {
    rte_mbuf* first = nullptr;
    rte_mbuf* last = nullptr;
    uint8_t value = 0;
    for (const size_t length : lengths) {
      rte_mbuf* segment = rte_pktmbuf_alloc(pool_);
      auto* data = rte_pktmbuf_append(segment, static_cast<uint16_t>(length));
      for (size_t i = 0; i < length; ++i) data[i] = static_cast<char>(value++);
      if (!first) {
        first = segment;
      } else {
        last->next = segment;
        ++first->nb_segs;
        first->pkt_len += static_cast<uint32_t>(length);
      }
      last = segment;
    }
    return first;
  }

  // The chain is whole: counts agree, and the bytes are as they were.
  static void expect_intact(const rte_mbuf* first, size_t length) {
    std::vector<uint8_t> bytes;
    unsigned segments = 0;
    for (const auto* segment = first; segment; segment = segment->next, ++segments) {
      const auto* data = rte_pktmbuf_mtod(segment, const uint8_t*);
      bytes.insert(bytes.end(), data, data + segment->data_len);
    }
    std::vector<uint8_t> wanted(length);
    std::iota(wanted.begin(), wanted.end(), uint8_t{0});
    EXPECT_EQ(bytes, wanted);
    EXPECT_EQ(first->pkt_len, length);
    EXPECT_EQ(first->nb_segs, segments);
  }

  rte_mempool* pool_ = nullptr;
};

TEST_F(PullUp, AFrameCutAtAnyByteIsContiguousUpToItsHeaders) {
  for (const size_t length : {20u, 127u, 128u, 129u, 200u})
    for (size_t cut = 0; cut <= length; ++cut) {
      rte_mbuf* mbuf = chain({cut, length - cut});
      ASSERT_TRUE(make_headers_contiguous(mbuf)) << length << " cut at " << cut;
      EXPECT_GE(mbuf->data_len, std::min<size_t>(length, kContiguousBytes));
      expect_intact(mbuf, length);
      rte_pktmbuf_free(mbuf);
    }
}

TEST_F(PullUp, ManySmallAndEmptySegmentsToo) {
  for (const auto& lengths : std::vector<std::vector<size_t>>{{0, 0, 20},
                                                              {1, 1, 1, 1, 1, 95},
                                                              {14, 0, 20, 0, 8, 100},
                                                              {0, 128, 72},
                                                              {100, 28, 72},
                                                              {100, 27, 1, 72}}) {
    rte_mbuf* mbuf = chain(lengths);
    ASSERT_TRUE(make_headers_contiguous(mbuf));
    expect_intact(mbuf, std::accumulate(lengths.begin(), lengths.end(), size_t{0}));
    rte_pktmbuf_free(mbuf);
  }
}

TEST_F(PullUp, NothingIsMovedWhereHeadersAreTogetherAlready) {
  rte_mbuf* mbuf = chain({128, 72});
  ASSERT_TRUE(make_headers_contiguous(mbuf));
  EXPECT_EQ(mbuf->nb_segs, 2);
  EXPECT_EQ(mbuf->data_len, 128);
  rte_pktmbuf_free(mbuf);
}

TEST_F(PullUp, AFirstSegmentWithoutRoomIsRefusedAndLeftAsItWas) {
  rte_mbuf* mbuf = chain({20, 100});
  auto* data = rte_pktmbuf_mtod(mbuf, uint8_t*);
  mbuf->data_off = static_cast<uint16_t>(mbuf->buf_len - 20 - 50);
  std::copy(data, data + 20, rte_pktmbuf_mtod(mbuf, uint8_t*));
  EXPECT_FALSE(make_headers_contiguous(mbuf));
  expect_intact(mbuf, 120);
  rte_pktmbuf_free(mbuf);
}

TEST_F(PullUp, DataThatOthersShareIsRefused) {
  rte_mbuf* mbuf = chain({20, 100});
  rte_mbuf* clone = rte_pktmbuf_clone(mbuf, pool_);
  ASSERT_NE(clone, nullptr);
  EXPECT_FALSE(make_headers_contiguous(clone));
  expect_intact(clone, 120);
  rte_pktmbuf_free(clone);
  EXPECT_TRUE(make_headers_contiguous(mbuf)) << "its own again";
  rte_pktmbuf_free(mbuf);
}

}  // namespace
}  // namespace sluice
