// A table of the pipeline behind the table service: entries as P4Runtime means them, turned into DPDK's
// bytes.
#pragma once

#include <absl/status/statusor.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/p4/layout.h"
#include "dataplane/p4/pipeline.h"
#include "dataplane/tables/description.h"
#include "dataplane/tables/table.h"

namespace sluice::p4 {

// Lookups since the program was loaded.
struct TableStatistics {
  std::string table;
  uint64_t hits, misses;
  std::vector<std::pair<std::string, uint64_t>> actions;  // in the order of the schema
};

class SwxTable final : public tables::Table {
 public:
  // Finds the described table, its fields (by position) and its actions (by name) in the program;
  // INVALID_ARGUMENT with what does not fit. The pipeline must outlive the table; the layout is needed only
  // during the call.
  static absl::StatusOr<std::unique_ptr<SwxTable>> make(tables::TableDescription description,
                                                        const Layout& layout, Pipeline& pipeline);

  // Called for every entry that comes, changes or goes.
  using Watcher = std::function<void(const tables::Entry&, bool is_there)>;
  void watch(Watcher watcher) { watcher_ = std::move(watcher); }

  const tables::TableSchema& schema() const override { return schema_.schema(); }

  absl::Status insert(const tables::Entry& entry) override;
  absl::Status modify(const tables::Entry& before, const tables::Entry& after) override;
  void remove(const tables::Entry& entry) override;
  // All tables of a pipeline change together, in Pipeline::commit(), which whoever owns the pipeline calls.
  void publish() override {}
  void reclaim() override {}

  TableStatistics statistics() const;

 private:
  struct Place {
    uint32_t offset;  // in the key or the action's data
    uint32_t bytes;
    bool network_order;
  };
  struct Action {
    uint64_t id;
    uint32_t bytes;
    std::vector<Place> params;
  };
  // A key without its priority. DPDK knows an entry by it alone, so that of entries that differ only in
  // priority it is given the one that wins.
  using MatchKey = std::array<tables::Match, tables::kMaxFields>;
  using ByPriority = std::map<uint32_t, tables::Entry, std::greater<>>;

  SwxTable(tables::TableDescription description, Pipeline& pipeline);
  absl::Status bind_key(const spec::Table& table, const Layout& layout);
  absl::Status bind_actions(const spec::Table& table, const Layout& layout);

  absl::Status add(const tables::Entry& entry);
  void erase(const tables::Entry& entry);
  template <class Use>
  absl::Status with_entry(const tables::Entry& entry, Use use);
  uint32_t swx_priority(const tables::Key& key) const;

  tables::OwnedSchema schema_;
  Pipeline& pipeline_;
  Watcher watcher_ = [](const tables::Entry&, bool) {};
  std::string name_;  // in the pipeline
  uint32_t key_bytes_ = 0;
  std::vector<Place> key_;
  std::vector<Action> actions_;                // by tables::ActionId
  std::map<MatchKey, ByPriority> same_match_;  // only for tables with priorities
};

}  // namespace sluice::p4
