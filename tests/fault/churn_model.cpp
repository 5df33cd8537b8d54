#include "tests/fault/churn_model.h"

#include <random>
#include <stdexcept>

namespace sluice::testing {
namespace {

using forwarding::RouteAction;
using tables::Entry;
using tables::low_mask;
using tables::Operation;
using tables::prefix_mask;
using tables::Value;

constexpr uint16_t kRoutes = 256, kNeighbours = 16, kStable = 512;
constexpr uint32_t kNextHops = 64;                                   // that changing routes go round
constexpr uint32_t kCover = 200, kStableHop = 201, kChanging = 220;  // further next hops, by number

unsigned bits(bool is_ipv4) { return is_ipv4 ? 32 : 128; }

// Next hop `number` has a port, an address and, unless it changes, a MAC of its own.
PortNumber port_of(uint32_t hop) { return static_cast<PortNumber>(kChurnOut + hop % 2); }
wire::MacAddress mac_of(bool is_ipv4, uint32_t hop, uint32_t version = 0) {
  return wire::MacAddress::from_integer(0x02a000000000u | uint64_t{is_ipv4} << 36 | uint64_t{hop} << 24 |
                                        (version & 0xffffff));
}
WayOut way_of(bool is_ipv4, uint32_t hop, uint32_t version = 0) {
  return {port_of(hop), mac_of(is_ipv4, hop, version)};
}
Value address_of(bool is_ipv4, uint32_t hop) {
  return is_ipv4 ? Value{0x0a000000u + ((port_of(hop) + 1u) << 8) + hop}
                 : tables::value_of(ip6("fd00::")) + (Value{port_of(hop)} << 96) + hop;
}

// Where the subjects' addresses lie: 10.64/10 and fd64::/16 change, 10.128/9 and fdaa::/16 do not.
Value base(SubjectKind kind, bool is_ipv4) {
  switch (kind) {
    case SubjectKind::route:
      return is_ipv4 ? Value{0x0a400000} : tables::value_of(ip6("fd64::"));
    case SubjectKind::neighbour:
      return is_ipv4 ? Value{0x0a200000} : tables::value_of(ip6("fd20::"));
    case SubjectKind::stable:
      return is_ipv4 ? Value{0x0a800000} : tables::value_of(ip6("fdaa::"));
    case SubjectKind::absent:
      return is_ipv4 ? Value{0x0a040000} : tables::value_of(ip6("fd04::"));
  }
  return 0;
}
Value network_of(const Subject& subject) {
  return base(subject.kind, subject.is_ipv4) + (Value{subject.number} << (subject.is_ipv4 ? 8 : 64));
}
// Either side of the first level of DPDK's tries, so that groups are taken and given back.
unsigned length_of(const Subject& subject) {
  if (subject.is_ipv4) return subject.number % 2 ? 28 : 24;
  return subject.number % 2 ? 128 : 64;
}

Entry route(const forwarding::TableIds& ids, bool is_ipv4, Value network, unsigned length, uint32_t hop) {
  Entry entry;
  entry.table = is_ipv4 ? ids.ipv4_lpm : ids.ipv6_lpm;
  entry.key.match[0] = {network, prefix_mask(bits(is_ipv4), length)};
  entry.action = static_cast<tables::ActionId>(RouteAction::via);
  entry.params = {port_of(hop), address_of(is_ipv4, hop)};
  return entry;
}

Entry neighbour(const forwarding::TableIds& ids, bool is_ipv4, uint32_t hop, uint32_t version) {
  Entry entry;
  entry.table = ids.neighbour(is_ipv4);
  const auto address = address_of(is_ipv4, hop);
  entry.key.match[0] = {port_of(hop), low_mask(32)};
  entry.key.match[1] = {address, low_mask(bits(is_ipv4))};
  entry.params = {tables::value_of(kChurnRouter), tables::value_of(mac_of(is_ipv4, hop, version)), 1500};
  return entry;
}

bool is_gone(uint32_t version) { return version % 4 == 3; }
uint32_t next_hop_of(uint32_t version) { return version % kNextHops; }
uint32_t changing_hop(const Subject& subject) { return kChanging + subject.number; }

}  // namespace

std::optional<WayOut> Subject::expected(uint32_t version) const {
  switch (kind) {
    case SubjectKind::route:
      return way_of(is_ipv4, is_gone(version) ? kCover : next_hop_of(version));
    case SubjectKind::neighbour:
      return is_gone(version) ? std::nullopt : std::optional(way_of(is_ipv4, changing_hop(*this), version));
    case SubjectKind::stable:
      return way;
    case SubjectKind::absent:
      return std::nullopt;
  }
  return std::nullopt;
}

Frame Subject::packet(Frame payload) const {
  const Value dst = network_of(*this);
  if (is_ipv4) return ipv4_packet({.dst = to_text(tables::to_ipv4(dst)), .payload = std::move(payload)});
  return ipv6_packet({.dst = to_text(tables::to_ipv6(dst)), .payload = std::move(payload)});
}

tables::Update Subject::change_to(uint32_t version, const forwarding::TableIds& ids) const {
  const auto operation = is_gone(version)       ? Operation::remove
                         : is_gone(version - 1) ? Operation::insert
                                                : Operation::modify;
  if (kind == SubjectKind::route)
    return {operation, route(ids, is_ipv4, network_of(*this), length_of(*this), next_hop_of(version))};
  return {operation, neighbour(ids, is_ipv4, changing_hop(*this), version)};
}

ChurnModel::ChurnModel(tables::TableService& service) {
  const auto id = [&](const char* name) { return service.table_by_name(name).value(); };
  ids_ = {id("my_station"), id("fdb"), id("fdb_source"), id("ipv4_lpm"), id("ipv6_lpm"), id("ipv4_neighbour"), id("ipv6_neighbour"), id("punt")};
  for (const bool is_ipv4 : {true, false}) {
    for (uint16_t i = 0; i < kRoutes; ++i) subjects_.push_back({SubjectKind::route, is_ipv4, i});
    for (uint16_t i = 0; i < kNeighbours; ++i) subjects_.push_back({SubjectKind::neighbour, is_ipv4, i});
    for (uint16_t i = 0; i < kNeighbours; ++i) subjects_.push_back({SubjectKind::absent, is_ipv4, i});
    add_stable_routes(is_ipv4);
  }
  versions_ = std::vector<Versions>(subjects_.size());
  for (size_t i = 0; i < subjects_.size(); ++i)
    if (subjects_[i].changes()) changing_.push_back(i);
}

// Nested prefixes of every length, and for each subject what a search through all of them says.
void ChurnModel::add_stable_routes(bool is_ipv4) {
  std::minstd_rand engine(7);
  const auto random = [&engine] { return static_cast<uint32_t>(engine()); };
  const unsigned shortest = is_ipv4 ? 9 : 16, width = bits(is_ipv4);
  struct Prefix {
    Value network, mask;
    uint32_t hop;
  };
  std::vector<Prefix> prefixes{
      {base(SubjectKind::stable, is_ipv4), prefix_mask(width, shortest), kStableHop}};
  for (uint16_t i = 0; i < kStable; ++i) {
    const Value mask = prefix_mask(width, shortest + 1 + random() % (width - shortest));
    const Value network =
        network_of({SubjectKind::stable, is_ipv4, static_cast<uint16_t>(random() % kStable)}) & mask;
    const auto same = [&](const Prefix& p) { return p.network == network && p.mask == mask; };
    if (std::none_of(prefixes.begin(), prefixes.end(), same))
      prefixes.push_back({network, mask, kStableHop + random() % 8});
  }
  for (const auto& prefix : prefixes) {
    auto entry = route(ids_, is_ipv4, prefix.network, 0, prefix.hop);
    entry.key.match[0].mask = prefix.mask;
    stable_entries_.push_back(entry);
  }
  for (uint16_t i = 0; i < kStable; ++i) {
    Subject subject{SubjectKind::stable, is_ipv4, i};
    const Prefix* longest = nullptr;
    for (const auto& prefix : prefixes)
      if ((network_of(subject) & prefix.mask) == prefix.network && (!longest || prefix.mask > longest->mask))
        longest = &prefix;
    subject.way = way_of(is_ipv4, longest->hop);
    subjects_.push_back(subject);
  }
}

std::vector<tables::Update> ChurnModel::initial_entries() const {
  std::vector<tables::Update> updates;
  const auto add = [&](const Entry& entry) { updates.push_back({Operation::insert, entry}); };
  Entry station;
  station.table = ids_.my_station;
  station.key.match[0] = {0, low_mask(32)};
  station.key.match[1] = {tables::value_of(kChurnRouter), low_mask(48)};
  station.key.priority = 10;
  add(station);
  for (const bool is_ipv4 : {true, false}) {
    for (uint32_t hop = 0; hop < kChanging; ++hop) add(neighbour(ids_, is_ipv4, hop, 0));
    add(route(ids_, is_ipv4, base(SubjectKind::route, is_ipv4), is_ipv4 ? 10 : 16, kCover));
  }
  for (const auto& entry : stable_entries_) add(entry);
  for (const size_t i : changing_) {
    const auto& subject = subjects_[i];
    if (subject.kind == SubjectKind::route) {
      add(route(ids_, subject.is_ipv4, network_of(subject), length_of(subject), next_hop_of(0)));
    } else {
      add(route(ids_, subject.is_ipv4, network_of(subject), length_of(subject), changing_hop(subject)));
      add(neighbour(ids_, subject.is_ipv4, changing_hop(subject), 0));
    }
  }
  return updates;
}

}  // namespace sluice::testing
