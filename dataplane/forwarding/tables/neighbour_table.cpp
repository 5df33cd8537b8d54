#include "dataplane/forwarding/tables/neighbour_table.h"

namespace sluice::forwarding {
namespace {

using tables::Format;

constexpr tables::FieldSchema kFields[] = {{"port", 32, tables::MatchKind::exact, Format::port},
                                           {"next_hop", 128, tables::MatchKind::exact, Format::any_ip}};
constexpr tables::ParamSchema kRewrite[] = {
    {"src_mac", 48, Format::mac}, {"dst_mac", 48, Format::mac}, {"mtu", 16, Format::integer}};
constexpr tables::ActionSchema kActions[] = {{"rewrite", kRewrite}};

std::unique_ptr<const Adjacency> make_adjacency(const tables::Entry& entry) {
  auto adjacency = std::make_unique<Adjacency>();
  adjacency->kind = Adjacency::Kind::rewrite;
  adjacency->port = static_cast<PortNumber>(entry.key.match[0].value);
  adjacency->next_hop = entry.key.match[1].value;
  adjacency->src_mac = tables::to_mac(entry.params[static_cast<size_t>(RewriteParam::src_mac)]);
  adjacency->dst_mac = tables::to_mac(entry.params[static_cast<size_t>(RewriteParam::dst_mac)]);
  adjacency->mtu = static_cast<uint16_t>(entry.params[static_cast<size_t>(RewriteParam::mtu)]);
  return adjacency;
}

}  // namespace

NeighbourTable::NeighbourTable(uint32_t capacity, NextHops& next_hops)
    : schema_(make_schema(capacity)),
      next_hops_(next_hops),
      hash_("neighbour", capacity),
      adjacencies_(hash_.positions()),
      owned_(hash_.positions()) {}

tables::TableSchema NeighbourTable::make_schema(size_t capacity) {
  return {"neighbour", kFields, kActions, capacity, "lock-free hash, positions freed after a grace period"};
}

absl::Status NeighbourTable::insert(const tables::Entry& entry) {
  auto adjacency = make_adjacency(entry);
  const auto position = hash_.add(key_of(adjacency->port, adjacency->next_hop));
  if (position < 0) return absl::ResourceExhaustedError("neighbour: no room for this key");
  const auto i = static_cast<size_t>(position);
  if (owned_[i]) retired_.push_back(std::move(owned_[i]));
  owned_[i] = std::move(adjacency);
  adjacencies_[i].store(owned_[i].get(), std::memory_order_release);
  next_hops_.resolve(owned_[i]->port, owned_[i]->next_hop, owned_[i].get());
  return absl::OkStatus();
}

absl::Status NeighbourTable::modify(const tables::Entry&, const tables::Entry& after) { return insert(after); }

void NeighbourTable::remove(const tables::Entry& entry) {
  const auto port = static_cast<PortNumber>(entry.key.match[0].value);
  const auto next_hop = entry.key.match[1].value;
  const auto position = hash_.remove(key_of(port, next_hop));
  if (position >= 0) {
    const auto i = static_cast<size_t>(position);
    adjacencies_[i].store(nullptr, std::memory_order_release);
    retired_.push_back(std::move(owned_[i]));
  }
  next_hops_.resolve(port, next_hop, nullptr);
}

void NeighbourTable::reclaim() {
  retired_.clear();
  hash_.reclaim();
  next_hops_.reclaim();
}

}  // namespace sluice::forwarding
