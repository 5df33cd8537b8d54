#include <fmt/format.h>

#include <set>

#include "tests/differential/generator.h"

namespace sluice::testing {
namespace {

using tables::Format;
using tables::MatchKind;

constexpr size_t kMostEntries = 60;

wire::Ipv4Address near(wire::Ipv4Address base, Random& random) {
  return wire::Ipv4Address::from_integer(base.to_integer() ^ static_cast<uint32_t>(random.below(4) << (8 * random.below(3))));
}

wire::Ipv6Address near(wire::Ipv6Address base, Random& random) {
  base.octets[15 - 4 * random.below(4)] ^= static_cast<uint8_t>(random.below(4));
  return base;
}

class EntryGenerator {
 public:
  EntryGenerator(const Pools& pools, Random& random) : pools_(pools), random_(random) {}

  std::vector<tables::EntryText> table(const tables::TableSchema& schema) {
    std::vector<tables::EntryText> entries;
    std::set<std::string> keys;
    // Half of all tables are as full as they get, so that one lookup's hit is not another's certain miss.
    const size_t most = std::min(kMostEntries, schema.capacity * 4);
    const size_t wanted = random_.one_in(2) ? most : random_.below(most + 1);
    // P4Runtime leaves open who wins among equal priorities, so no two are equal.
    uint32_t priority = 0;
    for (size_t i = 0; i < wanted; ++i) {
      auto entry = this->entry(schema);
      std::string key;
      for (const auto& match : entry.match) key += match.value + ' ';
      if (!keys.insert(key).second) continue;
      if (schema.has_priority()) entry.priority = ++priority;
      entries.push_back(std::move(entry));
    }
    return entries;
  }

 private:
  tables::EntryText entry(const tables::TableSchema& schema) {
    tables::EntryText entry;
    entry.table = schema.name;
    for (const auto& field : schema.fields) entry.match.push_back({std::string(field.name), match(field)});
    const auto& action = schema.actions[random_.below(schema.actions.size())];
    entry.action = action.name;
    for (const auto& param : action.params) entry.params.push_back({std::string(param.name), value(param.name, param.format)});
    return entry;
  }

  std::string match(const tables::FieldSchema& field) {
    switch (field.kind) {
      case MatchKind::exact: return value(field.name, field.format);
      case MatchKind::ternary: return ternary(field);
      case MatchKind::lpm: return prefix(field);
    }
    return "";
  }

  // A whole value, everything, or a few bits of it.
  std::string ternary(const tables::FieldSchema& field) {
    if (random_.one_in(6)) return "*";
    const std::string whole = value(field.name, field.format);
    if (field.format != Format::mac || !random_.one_in(3)) return whole;
    static constexpr std::array<uint64_t, 3> kMasks{0x010000000000, 0xffff00000000, 0xffffffffff00};
    const uint64_t mask = random_.pick(kMasks);
    const auto text = [](uint64_t value) { return to_text(wire::MacAddress::from_integer(value)); };
    return fmt::format("{}&{}", text(wire::mac_from_text(whole)->to_integer() & mask), text(mask));
  }

  std::string prefix(const tables::FieldSchema& field) {
    const bool is_ipv4 = field.bits == 32;
    const unsigned length = prefix_length(field.bits);
    if (is_ipv4) {
      const auto mask = static_cast<uint32_t>(tables::prefix_mask(32, length));
      return fmt::format("{}/{}", to_text(wire::Ipv4Address::from_integer(near(random_.pick(pools_.ipv4_hosts), random_).to_integer() & mask)), length);
    }
    const auto value = tables::value_of(near(random_.pick(pools_.ipv6_hosts), random_)) & tables::prefix_mask(128, length);
    return fmt::format("{}/{}", to_text(tables::to_ipv6(value)), length);
  }

  unsigned prefix_length(unsigned bits) {
    // Now and then a default route; where there always is one, no lookup ever misses.
    if (random_.one_in(100)) return 0;
    switch (random_.below(6)) {
      case 0: return bits;
      case 1: return bits - 1;
      case 2: return bits / 2;
      case 3: return 4 + static_cast<unsigned>(random_.below(bits - 3));
      default: return bits - 8 * static_cast<unsigned>(random_.below(bits / 8));
    }
  }

  std::string value(std::string_view name, Format format) {
    switch (format) {
      case Format::port: return port_name(static_cast<PortNumber>(random_.below(kScenarioPorts)));
      case Format::mac: return to_text(random_.pick(pools_.macs));
      case Format::ipv4: return to_text(random_.pick(pools_.ipv4_next_hops));
      case Format::ipv6: return to_text(random_.pick(pools_.ipv6_next_hops));
      case Format::cause: return std::string(kPuntCauses[random_.below(kPuntCauseCount)].name);
      case Format::any_ip: return to_text(random_.pick(pools_.ipv6_next_hops));
      case Format::integer: return integer(name);
    }
    return "";
  }

  std::string integer(std::string_view name) {
    if (name == "bridge") return std::to_string(1 + random_.below(2));
    if (name == "vlan") return random_.one_in(2) ? "0" : std::to_string(random_.below(3));
    if (name == "mtu") return random_.one_in(4) ? std::to_string(40 + random_.below(60)) : "1500";
    // Unlimited: what a rate does to packets in a second is compared elsewhere.
    if (name == "rate") return random_.one_in(8) ? "0" : "4000000000";
    return std::to_string(random_.below(4));
  }

  const Pools& pools_;
  Random& random_;
};

}  // namespace

Pools::Pools(Random& random) {
  for (uint8_t i = 0; i < 5; ++i) macs.push_back({{2, 0, 0, static_cast<uint8_t>(random.below(2)), 0, i}});
  macs.push_back({{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}});
  macs.push_back({{0x33, 0x33, 0, 0, 0, 1}});
  for (int i = 0; i < 3; ++i) {
    ipv4_hosts.push_back(wire::Ipv4Address::from_integer(static_cast<uint32_t>(1 + random.below(126)) << 24 | static_cast<uint32_t>(random.below(1 << 24))));
    wire::Ipv6Address host;
    for (auto& octet : host.octets) octet = random.one_in(3) ? 0 : static_cast<uint8_t>(random.below(256));
    host.octets[0] = 0x20;
    ipv6_hosts.push_back(host);
  }
  // Some next hops are hosts too: a connected route looks for the destination itself.
  for (const auto& host : ipv4_hosts) ipv4_next_hops.push_back(host), ipv4_next_hops.push_back(near(host, random));
  for (const auto& host : ipv6_hosts) ipv6_next_hops.push_back(host), ipv6_next_hops.push_back(near(host, random));
}

std::vector<tables::EntryText> random_entries(std::span<const tables::TableSchema> schemas, const Pools& pools, Random& random) {
  std::vector<tables::EntryText> entries;
  EntryGenerator generator(pools, random);
  for (const auto& schema : schemas)
    for (auto& entry : generator.table(schema)) entries.push_back(std::move(entry));
  return entries;
}

}  // namespace sluice::testing
