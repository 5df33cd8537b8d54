#include "dataplane/forwarding/tables/my_station_table.h"

#include <algorithm>

namespace sluice::forwarding {
namespace {

using tables::Format;
using tables::MatchKind;

constexpr tables::FieldSchema kFields[] = {{"port", 32, MatchKind::exact, Format::port},
                                           {"dst_mac", 48, MatchKind::ternary, Format::mac}};
constexpr tables::ParamSchema kBridge[] = {{"bridge", 16, Format::integer}};
constexpr tables::ActionSchema kActions[] = {{"route", {}}, {"bridge", kBridge}};

PortNumber port_of(const tables::Entry& entry) { return static_cast<PortNumber>(entry.key.match[0].value); }

}  // namespace

tables::TableSchema MyStationTable::make_schema() {
  return {"my_station", kFields, kActions, 1024, "build and swap, per port"};
}

MyStationTable::MyStationTable() : schema_(make_schema()) {
  changed_.fill(true);
  publish();
}

absl::Status MyStationTable::insert(const tables::Entry& entry) {
  const auto& match = entry.key.match[1];
  auto& stations = wanted_[port_of(entry)];
  const Station station{static_cast<uint64_t>(match.value), static_cast<uint64_t>(match.mask), entry.key.priority,
                        static_cast<StationAction>(entry.action), static_cast<uint16_t>(entry.params[0])};
  // Behind those of the same priority: the entry that was there first wins.
  const auto place = std::upper_bound(stations.begin(), stations.end(), station,
                                      [](const auto& a, const auto& b) { return a.priority > b.priority; });
  stations.insert(place, station);
  changed_[port_of(entry)] = true;
  return absl::OkStatus();
}

absl::Status MyStationTable::modify(const tables::Entry& before, const tables::Entry& after) {
  erase(before);
  return insert(after);
}

void MyStationTable::remove(const tables::Entry& entry) { erase(entry); }

void MyStationTable::erase(const tables::Entry& entry) {
  const auto& match = entry.key.match[1];
  std::erase_if(wanted_[port_of(entry)], [&](const Station& s) {
    return s.mac == match.value && s.mask == match.mask && s.priority == entry.key.priority;
  });
  changed_[port_of(entry)] = true;
}

void MyStationTable::publish() {
  for (size_t port = 0; port < kMaxPorts; ++port) {
    if (!changed_[port]) continue;
    changed_[port] = false;
    if (owned_[port]) retired_.push_back(std::move(owned_[port]));
    owned_[port] = std::make_unique<const Stations>(wanted_[port]);
    published_[port].store(owned_[port].get(), std::memory_order_release);
  }
}

}  // namespace sluice::forwarding
