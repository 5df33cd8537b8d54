#include "dataplane/forwarding/tables/route_table.h"

#include <array>
#include <bit>

namespace sluice::forwarding {
namespace {

using tables::ActionSchema;
using tables::FieldSchema;
using tables::Format;
using tables::MatchKind;
using tables::ParamSchema;

constexpr std::string_view kUpdate = "two copies: changed aside, swapped, repeated after a grace period";

constexpr ParamSchema kViaV4[] = {{"port", 32, Format::port}, {"next_hop", 32, Format::ipv4}};
constexpr ParamSchema kViaV6[] = {{"port", 32, Format::port}, {"next_hop", 128, Format::ipv6}};
constexpr ParamSchema kConnected[] = {{"port", 32, Format::port}};
constexpr ActionSchema kActionsV4[] = {{"via", kViaV4}, {"connected", kConnected}, {"local", {}}, {"discard", {}}};
constexpr ActionSchema kActionsV6[] = {{"via", kViaV6}, {"connected", kConnected}, {"local", {}}, {"discard", {}}};
constexpr FieldSchema kFieldsV4[] = {{"dst", 32, MatchKind::lpm, Format::ipv4}};
constexpr FieldSchema kFieldsV6[] = {{"dst", 128, MatchKind::lpm, Format::ipv6}};

uint8_t prefix_length(const tables::Match& match) {
  return static_cast<uint8_t>(std::popcount(static_cast<uint64_t>(match.mask >> 64)) +
                              std::popcount(static_cast<uint64_t>(match.mask)));
}

}  // namespace

template <class Family>
RouteTable<Family>::RouteTable(FibSize size, NextHops& next_hops)
    : schema_(make_schema(size.routes)), next_hops_(next_hops), fib_(std::string(schema_.name), size) {}

template <class Family>
tables::TableSchema RouteTable<Family>::make_schema(size_t capacity) {
  if (Family::kBits == 32) return {"ipv4_lpm", kFieldsV4, kActionsV4, capacity, kUpdate};
  return {"ipv6_lpm", kFieldsV6, kActionsV6, capacity, kUpdate};
}

template <class Family>
NextHopKey RouteTable<Family>::next_hop_key(const tables::Entry& entry) const {
  const auto port = static_cast<PortNumber>(entry.params[0]);
  switch (static_cast<RouteAction>(entry.action)) {
    case RouteAction::via: {
      const auto next_hop = Family::kBits == 32 ? tables::mapped(tables::to_ipv4(entry.params[1])) : entry.params[1];
      return {Adjacency::Kind::unresolved, port, next_hop};
    }
    case RouteAction::connected: return {Adjacency::Kind::connected, port, 0};
    case RouteAction::local: return {Adjacency::Kind::local, kNoPort, 0};
    case RouteAction::discard: return {Adjacency::Kind::discard, kNoPort, 0};
  }
  return {Adjacency::Kind::discard, kNoPort, 0};
}

template <class Family>
absl::Status RouteTable<Family>::insert(const tables::Entry& entry) {
  const auto index = next_hops_.acquire(next_hop_key(entry));
  if (!index.ok()) return index.status();
  const auto& match = entry.key.match[0];
  auto status = fib_.set(match.value, prefix_length(match), static_cast<uint64_t>(*index));
  if (!status.ok()) next_hops_.release(next_hop_key(entry));
  return status;
}

template <class Family>
absl::Status RouteTable<Family>::modify(const tables::Entry& before, const tables::Entry& after) {
  if (auto status = insert(after); !status.ok()) return status;
  next_hops_.release(next_hop_key(before));
  return absl::OkStatus();
}

template <class Family>
void RouteTable<Family>::remove(const tables::Entry& entry) {
  const auto& match = entry.key.match[0];
  fib_.remove(match.value, prefix_length(match));
  next_hops_.release(next_hop_key(entry));
}

template <class Family>
void RouteTable<Family>::reclaim() {
  fib_.reclaim();
  next_hops_.reclaim();
}

template class RouteTable<FibV4>;
template class RouteTable<FibV6>;

}  // namespace sluice::forwarding
