#include "controlplane/cli/counters.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "controlplane/cli/commands.h"
#include "controlplane/cli/quantity.h"
#include "controlplane/cli/text_table.h"

namespace sluice::cli {
namespace {

constexpr const char* kClear = "\x1b[H\x1b[J";  // ECMA-48: cursor home, erase what follows

void subtract(Json& after, const Json& before) {
  if (after.is_number_unsigned() && before.is_number_unsigned())
    after = after.get<uint64_t>() - before.get<uint64_t>();
  else if (after.is_number() && before.is_number())
    after = after.get<double>() - before.get<double>();
  else if (after.is_object())
    for (auto& [name, value] : after.items()) subtract(value, before.value(name, Json(0u)));
  else if (after.is_array() && before.is_array() && before.size() == after.size())
    for (size_t i = 0; i < after.size(); ++i) subtract(after[i], before[i]);
}

// A count, or a rate where the counters are those of `seconds`.
std::string amount(const Json& count, double seconds) {
  if (seconds == 0) return with_separators(count.get<uint64_t>());
  return with_separators(
      static_cast<uint64_t>(std::llround(static_cast<double>(count.get<uint64_t>()) / seconds)));
}

std::string totals_text(const Json& totals, double seconds, bool colour) {
  std::vector<Column> columns;
  std::vector<Cell> cells;
  for (const auto& [name, value] : totals.items()) {
    columns.push_back({name, Align::right});
    cells.push_back(amount(value, seconds));
  }
  TextTable table(std::move(columns));
  table.add(std::move(cells));
  return table.text(colour);
}

std::string nodes_text(const Json& nodes, double seconds, bool colour) {
  constexpr auto right = Align::right;
  TextTable table({{"node"},
                   {seconds ? "packets/s" : "packets", right},
                   {seconds ? "drops/s" : "drops", right},
                   {"cycles/packet", right},
                   {"packets/call", right}});
  for (const auto& node : nodes) {
    const auto packets = node.at("packets").get<double>();
    const auto& drops = node.at("drops");
    table.add({node.at("node").get<std::string>(),
               amount(node.at("packets"), seconds),
               {amount(drops, seconds), drops.get<uint64_t>() ? Paint::bad : Paint::plain},
               ratio_text(node.at("cycles").get<double>(), packets),
               ratio_text(packets, node.at("calls").get<double>())});
  }
  return table.text(colour);
}

// Only the causes that occurred.
std::string punts_text(const Json& punts, double seconds, bool colour) {
  TextTable table({{"punted as"}, {seconds ? "packets/s" : "packets", Align::right}, {"because"}});
  bool any = false;
  for (const auto& punt : punts) {
    if (punt.at("packets").get<uint64_t>() == 0) continue;
    table.add({punt.at("cause").get<std::string>(), amount(punt.at("packets"), seconds),
               punt.at("text").get<std::string>()});
    any = true;
  }
  return any ? "\n" + table.text(colour) : "";
}

std::string tables_of(const Json& counters, double seconds, bool colour) {
  return fmt::format("{}\n{}{}", totals_text(counters.at("totals"), seconds, colour),
                     nodes_text(counters.at("nodes"), seconds, colour),
                     punts_text(counters.at("punts"), seconds, colour));
}

std::string head_of(const Json& counters, const std::string& what) {
  const auto& buffers = counters.at("buffers");
  return fmt::format("{}, up {}, {} of {} in use\n\n", what,
                     duration_text(counters.at("uptime_s").get<double>()),
                     with_separators(buffers.at("in_use").get<uint64_t>()),
                     plural(buffers.at("total").get<uint64_t>(), "buffer"));
}

Json read_counters(const Session& session) { return session.client.ask({{"command", "counters"}}); }

// Nothing is lost by leaving at once: each reading is written whole before the next wait.
void leave(int) { ::_exit(0); }

void sleep_for(double seconds) {
  timespec left{static_cast<time_t>(seconds), static_cast<long>((seconds - std::floor(seconds)) * 1e9)};
  while (::nanosleep(&left, &left) != 0) {
  }
}

}  // namespace

Json counted_between(const Json& before, const Json& after) {
  Json result = after;
  if (after.at("uptime_s").get<double>() >= before.at("uptime_s").get<double>()) subtract(result, before);
  return result;
}

void show_counters(const Session& session) {
  const auto counters = read_counters(session);
  if (session.json) return print(counters);
  print(head_of(counters, "Since the start") + tables_of(counters, 0, session.colour));
}

void watch_counters(const Session& session, double seconds) {
  ::signal(SIGINT, leave);
  ::signal(SIGTERM, leave);
  auto before = read_counters(session);
  for (bool first = true;; first = false) {
    sleep_for(seconds);
    auto after = read_counters(session);
    if (session.json) {
      print(after);
    } else {
      const auto between = counted_between(before, after);
      const double elapsed = std::max(between.at("uptime_s").get<double>(), 1e-9);
      const char* separator = session.colour ? kClear : first ? "" : "\n";
      print(separator + head_of(after, "Packets a second") + tables_of(between, elapsed, session.colour));
    }
    std::fflush(stdout);
    before = std::move(after);
  }
}

void show_drops(const Session& session) {
  auto drops = session.client.ask({{"command", "drops"}});
  const auto packets = [](const Json& drop) { return drop.at("packets").get<uint64_t>(); };
  std::stable_sort(drops.begin(), drops.end(),
                   [&](const Json& a, const Json& b) { return packets(a) > packets(b); });
  if (session.json) return print(drops);
  if (drops.empty()) return print(std::string("No packet was dropped.\n"));
  TextTable table({{"packets", Align::right}, {"reason"}, {"node"}, {"meaning"}});
  for (const auto& drop : drops)
    table.add({with_separators(packets(drop)), drop.at("reason").get<std::string>(),
               drop.at("node").get<std::string>(), drop.at("text").get<std::string>()});
  print(table.text(session.colour));
}

}  // namespace sluice::cli
