// Tables change ten thousand times a second while packets flow: no packet takes a way that was not
// true at some time while it was inside, and neither packets nor writes come to a halt.
#include <gtest/gtest.h>
#include <rte_mbuf.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include "tests/fault/churn_model.h"
#include "tests/support/eal_environment.h"
#include "tests/support/ring_network.h"

namespace sluice::testing {
namespace {

using std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr char kConfig[] = R"(
  ports { name: "in" addresses: "10.0.1.254/24" addresses: "fd00:9::254/64" }
  ports { name: "out1" addresses: "10.0.2.254/24" addresses: "fd00:1::fe00/64" }
  ports { name: "out2" addresses: "10.0.3.254/24" addresses: "fd00:2::fe00/64" }
  eal { buffers: 20000 }
)";
constexpr uint64_t kWritesPerSecond = 10'000;
constexpr size_t kBatch = 128, kLargestBatch = 1024;
// Not a measure of speed: on a crowded machine, under a sanitizer, a thread may well wait seconds for its turn.
constexpr auto kStall = std::chrono::seconds(60);

config::Config churn_config() {
  auto config = config_from_text(kConfig);
  for (unsigned i = 0; i < worker_count(); ++i) config.add_lcores()->set_id(i);
  return config;
}

// Behind the UDP header.
struct Label {
  uint32_t magic, subject, version;
};
constexpr uint32_t kMagic = 0x43687572;
constexpr size_t kUdpHeader = 8;

// Longest time between two signs of life.
class Pulse {
 public:
  void beat(steady_clock::time_point now) {
    longest_ = std::max(longest_, now - last_);
    last_ = now;
  }
  bool stalled(steady_clock::time_point now) const { return now - last_ > kStall; }
  double longest() const { return Seconds(longest_).count(); }

 private:
  steady_clock::time_point last_ = steady_clock::now();
  steady_clock::duration longest_{0};
};

// Writes batches at the wanted rate; when it was held up, larger ones until it has caught up.
class Writer {
 public:
  Writer(tables::TableService& service, ChurnModel& model) : service_(service), model_(model) {}
  ~Writer() { stop(); }

  void start() {
    thread_ = std::thread([this] { run(); });
  }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  uint64_t writes() const { return writes_; }
  uint64_t refused() const { return refused_; }
  // When it is stopped.
  const std::string& first_refusal() const { return first_refusal_; }

 private:
  void run() {
    const auto begin = steady_clock::now();
    while (!stop_) {
      const auto due = static_cast<uint64_t>(Seconds(steady_clock::now() - begin).count() * kWritesPerSecond);
      if (due < writes_ + kBatch) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      write(std::min<size_t>(due - writes_, kLargestBatch));
    }
  }

  // A batch goes round the subjects, so that none is in it twice.
  void write(size_t count) {
    const auto& changing = model_.changing();
    count = std::min(count, changing.size());
    std::vector<tables::Update> updates;
    for (size_t i = 0; i < count; ++i) {
      const size_t subject = changing[(next_ + i) % changing.size()];
      const uint32_t version = model_.completed(subject).load() + 1;
      model_.started(subject).store(version);
      updates.push_back(model_.subjects()[subject].change_to(version, model_.ids()));
    }
    for (const auto& status : service_.apply(updates))
      if (!status.ok() && refused_++ == 0) first_refusal_ = status.ToString();
    for (size_t i = 0; i < count; ++i) {
      const size_t subject = changing[(next_ + i) % changing.size()];
      model_.completed(subject).store(model_.started(subject).load());
    }
    next_ = (next_ + count) % changing.size();
    writes_ += count;
  }

  tables::TableService& service_;
  ChurnModel& model_;
  size_t next_ = 0;
  std::atomic<uint64_t> writes_{0}, refused_{0};
  std::string first_refusal_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

class TableChurn : public ::testing::Test {
 protected:
  TableChurn() : network_(churn_config()), model_(network_.engine().tables()) {
    for (const auto& subject : model_.subjects()) {
      const auto type = subject.is_ipv4 ? wire::EtherType::ipv4 : wire::EtherType::ipv6;
      const Frame payload(kUdpHeader + sizeof(Label) + 16);
      frames_.push_back(ethernet_frame(kChurnRouter, {{2, 0, 0, 0, 9, 9}}, type, subject.packet(payload)));
    }
  }

  void feed_one() {
    const size_t subject = next_subject_;
    const auto& frame = frames_[subject];
    rte_mbuf* mbuf = rte_pktmbuf_alloc(network_.pool());
    if (!mbuf) return;
    const Label label{kMagic, static_cast<uint32_t>(subject), model_.completed(subject).load()};
    auto* bytes = reinterpret_cast<uint8_t*>(rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size())));
    std::memcpy(bytes, frame.data(), frame.size());
    std::memcpy(bytes + label_offset(model_.subjects()[subject].is_ipv4), &label, sizeof label);
    if (!network_.feed(0, static_cast<unsigned>(fed_ % network_.queue_count()), mbuf))
      return rte_pktmbuf_free(mbuf);
    next_subject_ = (next_subject_ + 1) % frames_.size();
    ++fed_;
    ++fed_by_kind_[static_cast<size_t>(model_.subjects()[subject].kind)];
  }

  static size_t label_offset(bool is_ipv4) {
    return sizeof(wire::EthernetHeader) + (is_ipv4 ? sizeof(wire::Ipv4Header) : sizeof(wire::Ipv6Header)) +
           kUdpHeader;
  }

  uint64_t received() {
    uint64_t sum = 0;
    for (const auto& worker : network_.engine().workers()) sum += worker->context().counters.received.get();
    return sum;
  }

  unsigned collect_all() {
    rte_mbuf* burst[64];
    unsigned total = 0;
    for (PortNumber port = 0; port < network_.port_count(); ++port)
      while (const unsigned count = network_.collect(port, burst, std::size(burst))) {
        for (unsigned i = 0; i < count; ++i) judge(port, burst[i]);
        rte_pktmbuf_free_bulk(burst, count);
        total += count;
      }
    collected_ += total;
    return total;
  }

  void judge(PortNumber port, rte_mbuf* mbuf) {
    const wire::Bytes frame(rte_pktmbuf_mtod(mbuf, uint8_t*), mbuf->data_len);
    const auto* ethernet = wire::overlay<wire::EthernetHeader>(frame);
    const bool is_ipv4 = ethernet->ether_type() == wire::EtherType::ipv4;
    Label label{};
    if (frame.size() >= label_offset(is_ipv4) + sizeof label)
      std::memcpy(&label, frame.data() + label_offset(is_ipv4), sizeof label);
    if (label.magic != kMagic) return;  // the agent's own: ARP, ND, ICMP
    const auto& subject = model_.subjects()[label.subject];
    ++left_by_kind_[static_cast<size_t>(subject.kind)];
    const WayOut taken{port, ethernet->dst};
    const uint32_t newest = model_.started(label.subject).load();
    bool legal = false;
    for (uint32_t version = label.version; version <= newest && !legal; ++version)
      legal = subject.expected(version) == taken;
    changes_seen_ += newest != label.version;
    if (!legal && wrong_++ < 10)
      ADD_FAILURE() << "kind " << static_cast<int>(subject.kind) << (is_ipv4 ? " v4 " : " v6 ")
                    << subject.number << ", versions " << label.version << " to " << newest
                    << ": left by port " << port << " to " << to_text(ethernet->dst);
  }

  // True until something has stood still for too long.
  bool run_until(const Writer& writer, uint64_t writes) {
    uint64_t last_writes = 0;
    while (writer.writes() < writes) {
      for (int i = 0; i < 32 && fed_ - received() < kBacklog; ++i) feed_one();
      const auto now = steady_clock::now();
      if (collect_all() > 0)
        packets_.beat(now);
      else
        std::this_thread::yield();
      if (writer.writes() != last_writes) writes_.beat(now), last_writes = writer.writes();
      if (packets_.stalled(now) || writes_.stalled(now)) return false;
    }
    return true;
  }

  void drain() {
    auto quiet_since = steady_clock::now();
    const auto give_up = quiet_since + std::chrono::seconds(60);
    while (steady_clock::now() < give_up &&
           steady_clock::now() - quiet_since < std::chrono::milliseconds(300)) {
      if (collect_all() > 0 || !network_.inputs_empty()) quiet_since = steady_clock::now();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  uint64_t fed(SubjectKind kind) const { return fed_by_kind_[static_cast<size_t>(kind)]; }
  uint64_t left(SubjectKind kind) const { return left_by_kind_[static_cast<size_t>(kind)]; }

  static constexpr uint64_t kBacklog = 2048;

  RingNetwork network_;
  ChurnModel model_;
  std::vector<Frame> frames_;  // by subject
  size_t next_subject_ = 0;
  uint64_t fed_ = 0, collected_ = 0, wrong_ = 0, changes_seen_ = 0;
  std::array<uint64_t, 4> fed_by_kind_{}, left_by_kind_{};
  Pulse packets_, writes_;
};

TEST_F(TableChurn, NoPacketTakesAWayThatWasNotTrue) {
  auto& engine = network_.engine();
  for (const auto& status : engine.tables().apply(model_.initial_entries()))
    ASSERT_TRUE(status.ok()) << status;
  const size_t entries = engine.tables().size(model_.ids().ipv4_lpm);
  engine.start();

  const uint64_t seconds = std::getenv("SLUICE_LONG") ? 60 : 5;
  Writer writer(engine.tables(), model_);
  const auto begin = steady_clock::now();
  writer.start();
  const bool alive = run_until(writer, seconds * kWritesPerSecond);
  writer.stop();
  const double took = Seconds(steady_clock::now() - begin).count();
  drain();
  // Nothing changes any more: one version each, and no other.
  for (size_t i = 0; i < frames_.size(); ++i) feed_one();
  drain();
  engine.stop();
  collect_all();

  const auto totals = engine.totals();
  std::cout << writer.writes() << " writes and " << fed_ << " packets in " << took << " s ("
            << static_cast<uint64_t>(static_cast<double>(writer.writes()) / took) << " writes/s, "
            << static_cast<uint64_t>(static_cast<double>(fed_) / took) << " packets/s); " << changes_seen_
            << " packets saw a change on their way; longest pause: packets " << packets_.longest()
            << " s, writes " << writes_.longest() << " s\n";
  EXPECT_TRUE(alive) << "nothing moved for " << kStall.count() << " s";
  EXPECT_EQ(writer.refused(), 0u) << writer.first_refusal();
  EXPECT_EQ(wrong_, 0u);
  EXPECT_LE(engine.tables().size(model_.ids().ipv4_lpm), entries);
  EXPECT_EQ(totals.received, fed_);
  EXPECT_EQ(totals.received + totals.injected + totals.copied,
            totals.transmitted + totals.punted + totals.dropped);
  EXPECT_EQ(rte_mempool_in_use_count(network_.pool()), 0u);

  uint64_t tx_full = engine.dropped(NodeId::port_tx, wire::Drop::tx_full);
  for (const auto kind : {SubjectKind::stable, SubjectKind::route}) {
    EXPECT_LE(left(kind), fed(kind));
    EXPECT_GE(left(kind) + tx_full, fed(kind)) << "lost on the way: kind " << static_cast<int>(kind);
  }
  EXPECT_EQ(left(SubjectKind::absent), 0u);
  EXPECT_GT(left(SubjectKind::neighbour), 0u);
  EXPECT_GT(changes_seen_, 0u) << "no packet met a change: this run has shown nothing";
}

}  // namespace
}  // namespace sluice::testing
