// (bridge domain, VLAN, MAC) to the port behind which the MAC was seen: fdb asks for a frame's destination,
// fdb_source for its sender. They are two tables because a P4 program may look into a table once a packet.
#pragma once

#include <atomic>
#include <vector>

#include "dataplane/forwarding/tables/concurrent_hash.h"
#include "dataplane/graph/ids.h"
#include "dataplane/tables/table.h"
#include "dataplane/wire/address.h"

namespace sluice::forwarding {

enum class FdbRole : uint8_t { destination, source };

class FdbTable final : public tables::Table {
 public:
  FdbTable(FdbRole role, uint32_t capacity);
  static tables::TableSchema make_schema(FdbRole role, size_t capacity);

  const tables::TableSchema& schema() const override { return schema_; }
  absl::Status insert(const tables::Entry& entry) override;
  absl::Status modify(const tables::Entry& before, const tables::Entry& after) override;
  void remove(const tables::Entry& entry) override;
  void publish() override {}
  void reclaim() override { hash_.reclaim(); }

  using Position = int32_t;
  Position find(uint16_t domain, uint16_t vlan, const wire::MacAddress& mac) const {
    return hash_.find(key_of(domain, vlan, mac));
  }
  // kNoPort for the position of an absent MAC, and for one that is being removed.
  PortNumber port_at(Position position) const {
    return position < 0 ? kNoPort : ports_[static_cast<size_t>(position)].load(std::memory_order_acquire);
  }

  // For ageing: lcores note the second in which a source was seen last.
  void touch(Position position, uint32_t second) const {
    auto& seen = seen_[static_cast<size_t>(position)];
    if (seen.load(std::memory_order_relaxed) != second) seen.store(second, std::memory_order_relaxed);
  }
  void touch(const tables::Entry& entry, uint32_t second) const {
    if (const auto position = hash_.find(key_of(entry)); position >= 0) touch(position, second);
  }
  uint32_t last_seen(const tables::Entry& entry) const {
    const auto position = hash_.find(key_of(entry));
    return position < 0 ? 0 : seen_[static_cast<size_t>(position)].load(std::memory_order_relaxed);
  }

 private:
  struct HashKey {
    uint16_t domain, vlan;
    wire::MacAddress mac;
    uint16_t zero;  // to a multiple of four bytes, which CRC hashing likes
  };
  static HashKey key_of(uint16_t domain, uint16_t vlan, const wire::MacAddress& mac) { return {domain, vlan, mac, 0}; }
  static HashKey key_of(const tables::Entry& entry) {
    return key_of(static_cast<uint16_t>(entry.key.match[0].value), static_cast<uint16_t>(entry.key.match[1].value),
                  tables::to_mac(entry.key.match[2].value));
  }

  tables::TableSchema schema_;
  ConcurrentHash<HashKey> hash_;
  std::vector<std::atomic<PortNumber>> ports_;         // by hash position
  mutable std::vector<std::atomic<uint32_t>> seen_;  // likewise: a note of the readers, not content
};

}  // namespace sluice::forwarding
