// A target in this process, whose ports are rings.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "dataplane/engine/engine.h"
#include "dataplane/wire/drop.h"
#include "tests/differential/target.h"
#include "tests/support/engine_on_rings.h"

namespace sluice::testing {

config::Config scenario_config();
tables::Names scenario_names();

template <class Engine, class Base = Target>
class RingTarget : public Base {
 public:
  template <class... More>
  explicit RingTarget(More&&... more) : network_(scenario_config(), std::forward<More>(more)...) {
    engine().on_packet_in([this](const engine::PacketIn& packet) {
      const std::lock_guard lock(mutex_);
      punted_.insert({std::string(name_of(packet.cause)), packet.ingress_port, packet.egress_port, packet.mtu, packet.frame});
      ++punted_count_;
    });
    engine().start();
  }
  // Before the handler's own members go.
  ~RingTarget() override { engine().stop(); }

  std::string name() override { return std::string(engine().name()); }

  Outcome run(const Scenario& scenario) override {
    set_entries(scenario.entries);
    const auto before = drops();
    Outcome outcome;
    for (const auto& packet : scenario.packets) feed(packet);
    wait(outcome);
    collect(outcome);
    const auto after = drops();
    for (size_t i = 0; i < wire::kDropCount; ++i)
      if (after[i] != before[i]) outcome.drops[std::string(wire::name_of(static_cast<wire::Drop>(i)))] = after[i] - before[i];
    const std::lock_guard lock(mutex_);
    outcome.punted = std::exchange(punted_, {});
    return outcome;
  }

 protected:
  Engine& engine() { return network_.engine(); }

 private:
  using Drops = std::array<uint64_t, wire::kDropCount>;

  void set_entries(const std::vector<tables::EntryText>& texts) {
    static const auto names = scenario_names();
    auto& service = engine().tables();
    std::vector<tables::Update> updates;
    for (size_t t = 0; t < service.table_count(); ++t)
      service.read(static_cast<tables::TableId>(t), 0, SIZE_MAX, [&](const tables::Entry& entry) { updates.push_back({tables::Operation::remove, entry}); });
    for (const auto& text : texts) {
      const auto table = service.table_by_name(text.table);
      const auto entry = table.ok() ? tables::entry_from_text(*table, service.schema(*table), text, names) : table.status();
      if (!entry.ok()) throw std::runtime_error(name() + ": " + std::string(entry.status().message()));
      updates.push_back({tables::Operation::insert, *entry});
    }
    for (const auto& status : service.apply(updates))
      if (!status.ok()) throw std::runtime_error(name() + ": " + std::string(status.message()));
  }

  void feed(const PacketAtPort& packet) {
    rte_mbuf* mbuf = rte_pktmbuf_alloc(network_.pool());
    if (!mbuf) throw std::runtime_error(name() + ": no buffer left");
    std::ranges::copy(packet.frame, reinterpret_cast<uint8_t*>(rte_pktmbuf_append(mbuf, static_cast<uint16_t>(packet.frame.size()))));
    if (!network_.feed(packet.port, 0, mbuf)) {
      rte_pktmbuf_free(mbuf);
      throw std::runtime_error(name() + ": input queue full");
    }
    ++fed_;
  }

  void wait(Outcome& outcome) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (;;) {
      const auto now = engine().totals();
      // Copies (floods, what is to be learnt) are packets of their own.
      const auto finished = now.transmitted + now.punted + now.dropped - now.copied;
      {
        const std::lock_guard lock(mutex_);
        if (now.received == fed_ && finished == fed_ && punted_count_ == now.punted) return;
      }
      if (std::chrono::steady_clock::now() > give_up)
        throw std::runtime_error(fmt::format("{}: fed {}, received {}, finished {}, punted {} of which {} came", name(), fed_, now.received, finished, now.punted, punted_count_));
      collect(outcome);
      std::this_thread::yield();
    }
  }

  void collect(Outcome& outcome) {
    rte_mbuf* burst[32];
    for (PortNumber port = 0; port < network_.port_count(); ++port)
      while (const unsigned count = network_.collect(port, burst, std::size(burst))) {
        for (unsigned i = 0; i < count; ++i) {
          Frame frame;
          for (const rte_mbuf* segment = burst[i]; segment; segment = segment->next) {
            const auto* bytes = rte_pktmbuf_mtod(segment, const uint8_t*);
            frame.insert(frame.end(), bytes, bytes + segment->data_len);
          }
          outcome.sent.insert({port, std::move(frame)});
        }
        rte_pktmbuf_free_bulk(burst, count);
      }
  }

  Drops drops() {
    Drops drops;
    for (size_t i = 0; i < wire::kDropCount; ++i) drops[i] = engine().counter("drops", i)->packets;
    return drops;
  }

  EngineOnRings<Engine> network_;
  uint64_t fed_ = 0;
  std::mutex mutex_;
  std::multiset<Punted> punted_;
  uint64_t punted_count_ = 0;
};

}  // namespace sluice::testing
