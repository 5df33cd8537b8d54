// Where would this packet go? The daemon walks it through the real decisions; this prints the walk.
#include <fmt/format.h>

#include <algorithm>

#include "controlplane/cli/commands.h"
#include "controlplane/cli/packet_source.h"
#include "controlplane/cli/paint.h"
#include "controlplane/cli/quantity.h"
#include "controlplane/cli/text_table.h"

namespace sluice::cli {
namespace {

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - width_of(text), ' ');
}

size_t widest(const Json& steps, const char* part) {
  size_t width = 0;
  for (const auto& step : steps)
    for (const auto& lookup : step.at("lookups"))
      width = std::max(width, width_of(lookup.at(part).get<std::string>()));
  return width;
}

std::string steps_text(const Json& steps) {
  const size_t table_width = widest(steps, "table"), key_width = widest(steps, "key");
  std::string text;
  for (const auto& step : steps) {
    text += fmt::format("  {}\n", step.at("node").get<std::string>());
    for (const auto& lookup : step.at("lookups"))
      text += fmt::format("      {}  {}  {}\n", padded(lookup.at("table").get<std::string>(), table_width),
                          padded(lookup.at("key").get<std::string>(), key_width),
                          lookup.at("result").get<std::string>());
    text += fmt::format("      -> {}\n", step.at("decision").get<std::string>());
  }
  return text;
}

std::string outcome_text(const Json& trace, bool colour) {
  const auto outcome = trace.at("outcome").get<std::string>(), detail = trace.at("detail").get<std::string>();
  if (outcome == "drop")
    return painted(fmt::format("dropped by {}: {}", trace.at("dropped_by").get<std::string>(), detail),
                   Paint::bad, colour);
  if (outcome == "transmit") return painted(fmt::format("transmitted on {}", detail), Paint::good, colour);
  if (outcome == "flood")
    return painted(fmt::format("flooded to {}", detail.empty() ? "no port" : detail), Paint::good, colour);
  return painted(fmt::format("punted to the agent: {}", detail), Paint::notable, colour);
}

// Sixteen bytes a line, with their offset, as tcpdump -x and text2pcap have it.
std::string hex_dump(const std::string& digits) {
  std::string text;
  for (size_t i = 0; i < digits.size(); i += 2) {
    if (i % 32 == 0) text += fmt::format("{}  {:04x} ", i ? "\n" : "", i / 2);
    text += " " + digits.substr(i, 2);
  }
  return text + "\n";
}

std::string head_text(size_t number, const SourcePacket& packet, const std::string& port) {
  const auto cut = packet.original > packet.captured ? fmt::format(" of {}", packet.original) : "";
  return fmt::format("Packet {}: {}{} {} in on {}\n", number, packet.captured, cut,
                     packet.captured == 1 && cut.empty() ? "byte" : "bytes", port);
}

}  // namespace

void trace_packets(const Session& session, const TraceRequest& request) {
  size_t number = 0;
  for_each_packet(request.packet, [&](const SourcePacket& packet) {
    ++number;
    const auto trace =
        session.client.ask({{"command", "trace"}, {"port", request.port}, {"packet", packet.hex}});
    if (session.json) {
      Json document{{"number", number}, {"port", request.port}};
      document.update(trace);
      return print(document);
    }
    print(fmt::format("{}{}{}  {}\n", number > 1 ? "\n" : "", head_text(number, packet, request.port),
                      steps_text(trace.at("steps")), outcome_text(trace, session.colour)));
    if (request.hex) print(hex_dump(trace.at("packet").get<std::string>()));
  });
}

}  // namespace sluice::cli
