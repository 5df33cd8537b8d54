// my_station: what happens to a frame by the port it came in on and its destination MAC.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "dataplane/graph/ids.h"
#include "dataplane/tables/table.h"
#include "dataplane/wire/address.h"

namespace sluice::forwarding {

// Actions, in the order of the schema.
enum class StationAction : uint8_t { route, bridge };

struct Station {
  uint64_t mac, mask;
  uint32_t priority;
  StationAction action;
  uint16_t bridge_domain;
};

class MyStationTable final : public tables::Table {
 public:
  MyStationTable();
  static tables::TableSchema make_schema();

  const tables::TableSchema& schema() const override { return schema_; }
  absl::Status insert(const tables::Entry& entry) override;
  absl::Status modify(const tables::Entry& before, const tables::Entry& after) override;
  void remove(const tables::Entry& entry) override;
  void publish() override;
  void reclaim() override { retired_.clear(); }

  // The first match by falling priority, nullptr where there is none. A port has a handful of stations.
  const Station* find(PortNumber port, const wire::MacAddress& mac) const {
    const auto* stations = published_[port].load(std::memory_order_acquire);
    const uint64_t wanted = mac.to_integer();
    for (const auto& station : *stations)
      if ((wanted & station.mask) == station.mac) return &station;
    return nullptr;
  }

 private:
  using Stations = std::vector<Station>;

  void erase(const tables::Entry& entry);

  tables::TableSchema schema_;
  std::array<Stations, kMaxPorts> wanted_;
  std::array<bool, kMaxPorts> changed_{};
  std::array<std::atomic<const Stations*>, kMaxPorts> published_;
  std::array<std::unique_ptr<const Stations>, kMaxPorts> owned_;
  std::vector<std::unique_ptr<const Stations>> retired_;
};

}  // namespace sluice::forwarding
