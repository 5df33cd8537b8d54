// The forwarding tables without ports or workers, and packets to ask its decisions about.
#pragma once

#include <gtest/gtest.h>
#include <rte_mbuf.h>
#include <rte_memory.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/forwarding/state.h"
#include "dataplane/graph/packet.h"
#include "dataplane/tables/text.h"
#include "tests/support/frames.h"

namespace sluice::testing {

// Tables are large and so are made once a suite; each test starts with empty ones.
class ForwardingFixture : public ::testing::Test {
 protected:
  static constexpr uint16_t kPorts = 4;
  using NamedTexts = std::vector<tables::NamedText>;

  static void SetUpTestSuite() {
    shared_ = std::make_unique<Shared>();
    shared_->pool = rte_pktmbuf_pool_create("fixture", 1023, 0, sizeof(PacketMeta), RTE_MBUF_DEFAULT_BUF_SIZE,
                                            SOCKET_ID_ANY);
    ASSERT_NE(shared_->pool, nullptr);
  }
  static void TearDownTestSuite() {
    rte_mempool_free(shared_->pool);
    shared_.reset();
  }

  void TearDown() override {
    for (rte_mbuf* mbuf : packets_) rte_pktmbuf_free(mbuf);
    for (size_t id = 0; id < service().table_count(); ++id) {
      std::vector<tables::Update> removals;
      service().read(static_cast<tables::TableId>(id), 0, SIZE_MAX, [&](const tables::Entry& entry) {
        removals.push_back({tables::Operation::remove, entry});
      });
      for (const auto& status : service().apply(removals)) EXPECT_TRUE(status.ok()) << status;
    }
    EXPECT_EQ(rte_mempool_in_use_count(pool()), 0u) << "buffers leaked";
  }

  static forwarding::State& state() { return shared_->state; }
  static tables::TableService& service() { return shared_->service; }
  static const forwarding::TableIds& ids() { return shared_->ids; }
  static rte_mempool* pool() { return shared_->pool; }

  absl::Status write(tables::Operation operation, const tables::EntryText& text) {
    static const tables::Names names{{"p0", "p1", "p2", "p3"}, cause_names()};
    const auto table = service().table_by_name(text.table);
    if (!table.ok()) return table.status();
    const auto entry = tables::entry_from_text(*table, service().schema(*table), text, names);
    return entry.ok() ? service().apply({operation, *entry}) : entry.status();
  }
  void insert(const tables::EntryText& text) {
    EXPECT_EQ(write(tables::Operation::insert, text), absl::OkStatus());
  }
  void modify(const tables::EntryText& text) {
    EXPECT_EQ(write(tables::Operation::modify, text), absl::OkStatus());
  }
  void remove(const tables::EntryText& text) {
    EXPECT_EQ(write(tables::Operation::remove, text), absl::OkStatus());
  }

  static tables::EntryText via(const std::string& dst, const std::string& port, const std::string& next_hop) {
    return {dst.find(':') == dst.npos ? "ipv4_lpm" : "ipv6_lpm",
            {{"dst", dst}},
            0,
            "via",
            {{"port", port}, {"next_hop", next_hop}}};
  }
  static tables::EntryText route(const std::string& dst, const std::string& action,
                                 const NamedTexts& params = {}) {
    return {dst.find(':') == dst.npos ? "ipv4_lpm" : "ipv6_lpm", {{"dst", dst}}, 0, action, params};
  }
  static tables::EntryText neighbour(const std::string& port, const std::string& next_hop,
                                     const std::string& dst_mac, const std::string& mtu = "1500") {
    return {next_hop.find(':') == next_hop.npos ? "ipv4_neighbour" : "ipv6_neighbour",
            {{"port", port}, {"next_hop", next_hop}},
            0,
            "rewrite",
            {{"src_mac", "02:00:00:00:00:01"}, {"dst_mac", dst_mac}, {"mtu", mtu}}};
  }

  Packet packet(const Frame& frame, PortNumber port = 0) {
    rte_mbuf* mbuf = rte_pktmbuf_alloc(pool());
    packets_.push_back(mbuf);
    std::ranges::copy(frame, reinterpret_cast<uint8_t*>(rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size()))));
    mbuf->port = port;
    Packet(mbuf).meta() = {};
    Packet(mbuf).meta().l3_offset = sizeof(wire::EthernetHeader);
    return Packet(mbuf);
  }
  // Takes it out of the test's care.
  void forget(Packet packet) { std::erase(packets_, packet.mbuf()); }

 private:
  struct Shared {
    forwarding::State state;
    tables::TableService service{[] {}, kPorts};
    forwarding::TableIds ids = forwarding::add_tables(
        state, service, {.ipv4 = {2048, 256}, .ipv6 = {2048, 8192}, .neighbours = 64, .fdb = 64});
    rte_mempool* pool = nullptr;
  };

  static std::vector<std::string> cause_names() {
    std::vector<std::string> names;
    for (const auto& cause : kPuntCauses) names.emplace_back(cause.name);
    return names;
  }

  inline static std::unique_ptr<Shared> shared_;
  std::vector<rte_mbuf*> packets_;
};

}  // namespace sluice::testing
