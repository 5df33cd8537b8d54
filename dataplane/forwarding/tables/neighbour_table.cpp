#include "dataplane/forwarding/tables/neighbour_table.h"

#include <fmt/format.h>

namespace sluice::forwarding {
namespace {

using tables::Format;

constexpr tables::FieldSchema kFieldsV4[] = {{"port", 32, tables::MatchKind::exact, Format::port},
                                             {"next_hop", 32, tables::MatchKind::exact, Format::ipv4}};
constexpr tables::FieldSchema kFieldsV6[] = {{"port", 32, tables::MatchKind::exact, Format::port},
                                             {"next_hop", 128, tables::MatchKind::exact, Format::ipv6}};
constexpr std::string_view kUpdate = "lock-free hash, positions freed after a grace period";
constexpr tables::ParamSchema kRewrite[] = {
    {"src_mac", 48, Format::mac}, {"dst_mac", 48, Format::mac}, {"mtu", 16, Format::integer}};
constexpr tables::ActionSchema kActions[] = {{"rewrite", kRewrite}};

template <class Family>
tables::Value next_hop_of(const tables::Entry& entry) {
  const auto value = entry.key.match[1].value;
  return Family::kBits == 32 ? tables::mapped(tables::to_ipv4(value)) : value;
}

template <class Family>
std::unique_ptr<const Adjacency> make_adjacency(const tables::Entry& entry) {
  auto adjacency = std::make_unique<Adjacency>();
  adjacency->kind = Adjacency::Kind::rewrite;
  adjacency->port = static_cast<PortNumber>(entry.key.match[0].value);
  adjacency->next_hop = next_hop_of<Family>(entry);
  adjacency->src_mac = tables::to_mac(entry.params[static_cast<size_t>(RewriteParam::src_mac)]);
  adjacency->dst_mac = tables::to_mac(entry.params[static_cast<size_t>(RewriteParam::dst_mac)]);
  adjacency->mtu = static_cast<uint16_t>(entry.params[static_cast<size_t>(RewriteParam::mtu)]);
  return adjacency;
}

}  // namespace

template <class Family>
NeighbourTable<Family>::NeighbourTable(uint32_t capacity, NextHops& next_hops)
    : schema_(make_schema(capacity)),
      next_hops_(next_hops),
      hash_(std::string(schema_.name), capacity),
      adjacencies_(hash_.positions()),
      owned_(hash_.positions()) {}

template <class Family>
tables::TableSchema NeighbourTable<Family>::make_schema(size_t capacity) {
  if (Family::kBits == 32) return {"ipv4_neighbour", kFieldsV4, kActions, capacity, kUpdate};
  return {"ipv6_neighbour", kFieldsV6, kActions, capacity, kUpdate};
}

template <class Family>
absl::Status NeighbourTable<Family>::insert(const tables::Entry& entry) {
  auto adjacency = make_adjacency<Family>(entry);
  const auto position = hash_.add(key_of(adjacency->port, adjacency->next_hop));
  if (position < 0) return absl::ResourceExhaustedError(fmt::format("{}: no room for this key", schema_.name));
  const auto i = static_cast<size_t>(position);
  if (owned_[i]) retired_.push_back(std::move(owned_[i]));
  owned_[i] = std::move(adjacency);
  adjacencies_[i].store(owned_[i].get(), std::memory_order_release);
  next_hops_.resolve(owned_[i]->port, owned_[i]->next_hop, owned_[i].get());
  return absl::OkStatus();
}

template <class Family>
absl::Status NeighbourTable<Family>::modify(const tables::Entry&, const tables::Entry& after) { return insert(after); }

template <class Family>
void NeighbourTable<Family>::remove(const tables::Entry& entry) {
  const auto port = static_cast<PortNumber>(entry.key.match[0].value);
  const auto next_hop = next_hop_of<Family>(entry);
  const auto position = hash_.remove(key_of(port, next_hop));
  if (position >= 0) {
    const auto i = static_cast<size_t>(position);
    adjacencies_[i].store(nullptr, std::memory_order_release);
    retired_.push_back(std::move(owned_[i]));
  }
  next_hops_.resolve(port, next_hop, nullptr);
}

template <class Family>
void NeighbourTable<Family>::reclaim() {
  retired_.clear();
  hash_.reclaim();
  next_hops_.reclaim();
}

template class NeighbourTable<FibV4>;
template class NeighbourTable<FibV6>;

}  // namespace sluice::forwarding
