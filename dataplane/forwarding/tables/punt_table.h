// punt: which packets leave the fast path for the local agent, and how many a second.
#pragma once

#include <array>
#include <atomic>

#include "dataplane/graph/ids.h"
#include "dataplane/tables/table.h"

namespace sluice::forwarding {

// Actions, in the order of the schema.
enum class PuntAction : uint8_t { to_agent, drop };

class PuntTable final : public tables::Table {
 public:
  PuntTable();
  static tables::TableSchema make_schema();

  const tables::TableSchema& schema() const override { return schema_; }
  absl::Status insert(const tables::Entry& entry) override;
  absl::Status modify(const tables::Entry& before, const tables::Entry& after) override;
  void remove(const tables::Entry& entry) override;
  void publish() override {}
  void reclaim() override {}

  // Packets a second and lcore that the agent takes; 0 where the table has no entry or says drop.
  uint32_t rate(PuntCause cause) const { return rates_[static_cast<size_t>(cause)].load(std::memory_order_relaxed); }

 private:
  tables::TableSchema schema_;
  std::array<std::atomic<uint32_t>, kPuntCauseCount> rates_{};
};

}  // namespace sluice::forwarding
