#include "dataplane/control/commands.h"

#include <fmt/format.h>
#include <rte_cycles.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "dataplane/control/table_commands.h"
#include "dataplane/engine/native_engine.h"
#include "dataplane/engine/trace.h"

namespace sluice::control {
namespace {

using nlohmann::ordered_json;

std::string to_hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

absl::StatusOr<std::vector<uint8_t>> from_hex(const std::string& text) {
  const auto bad = [&] { return absl::InvalidArgumentError("packet: not an even number of hexadecimal digits"); };
  if (text.size() % 2) return bad();
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    if (!std::isxdigit(static_cast<unsigned char>(text[i])) || !std::isxdigit(static_cast<unsigned char>(text[i + 1]))) return bad();
    bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

ordered_json status(const engine::LocalEngine& engine, std::chrono::steady_clock::time_point started) {
  const auto uptime = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return {{"version", SLUICE_VERSION}, {"pid", getpid()}, {"engine", engine.name()}, {"uptime_s", uptime},
          {"ports", engine.ports().size()}, {"lcores", engine.config().lcores_size()}};
}

ordered_json ports(const engine::LocalEngine& engine) {
  auto result = ordered_json::array();
  for (size_t i = 0; i < engine.ports().size(); ++i) {
    const auto& port = *engine.ports()[i];
    const auto& config = engine.config().ports(static_cast<int>(i));
    const auto counters = port.counters();
    const bool routed = config.mode() == config::ROUTED;
    result.push_back({{"id", i},
                      {"name", port.name()},
                      {"devargs", port.devargs()},
                      {"driver", port.driver()},
                      {"mac", to_text(port.mac())},
                      {"link", port.link_up() ? "up" : "down"},
                      {"mode", routed ? "routed" : "bridged"},
                      {"bridge", routed ? ordered_json(nullptr) : ordered_json(config.bridge())},
                      {"addresses", std::vector<std::string>(config.addresses().begin(), config.addresses().end())},
                      {"mtu", port.mtu()},
                      {"rx_queues", port.rx_queues()},
                      {"tx_queues", port.tx_queue_count()},
                      {"rss", port.has_rss()},
                      {"lcores", engine.cpus_of(static_cast<PortNumber>(i))},
                      {"rx_packets", counters.rx_packets},
                      {"rx_bytes", counters.rx_bytes},
                      {"rx_missed", counters.rx_missed},
                      {"rx_errors", counters.rx_errors},
                      {"rx_no_buffer", counters.rx_no_buffer},
                      {"tx_packets", counters.tx_packets},
                      {"tx_bytes", counters.tx_bytes},
                      {"tx_errors", counters.tx_errors}});
  }
  return result;
}

ordered_json graph() {
  auto nodes = ordered_json::array();
  for (const auto& node : engine::running_edges())
    nodes.push_back({{"name", node.name}, {"source", node.is_source}, {"edges", node.edges}});
  return {{"nodes", nodes}};
}

ordered_json drops(const engine::LocalEngine& engine) {
  auto result = ordered_json::array();
  for (const auto& drop : engine.drops())
    result.push_back({{"node", drop.stage},
                      {"reason", wire::name_of(drop.reason)},
                      {"packets", drop.packets},
                      {"text", wire::kDropInfo[static_cast<size_t>(drop.reason)].text}});
  return result;
}

ordered_json node_counters(const engine::LocalEngine& engine) {
  auto result = ordered_json::array();
  for (const auto& stage : engine.stages())
    result.push_back({{"node", stage.name},
                      {"packets", stage.packets},
                      {"calls", stage.calls},
                      {"cycles", stage.cycles},
                      {"drops", stage.dropped}});
  return result;
}

ordered_json counters(const engine::LocalEngine& engine, std::chrono::steady_clock::time_point started) {
  auto punts = ordered_json::array();
  for (size_t cause = 0; cause < kPuntCauseCount; ++cause)
    punts.push_back({{"cause", kPuntCauses[cause].name},
                     {"packets", engine.punted(static_cast<PuntCause>(cause))},
                     {"text", kPuntCauses[cause].text}});
  const auto totals = engine.totals();
  const auto in_use = rte_mempool_in_use_count(engine.pool()), buffers = engine.pool()->size;
  return {{"uptime_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count()},
          {"tsc", rte_rdtsc()},
          {"tsc_hz", rte_get_tsc_hz()},
          {"totals",
           {{"received", totals.received},
            {"injected", totals.injected},
            {"copied", totals.copied},
            {"transmitted", totals.transmitted},
            {"punted", totals.punted},
            {"dropped", totals.dropped}}},
          {"nodes", node_counters(engine)},
          {"punts", punts},
          {"buffers", {{"in_use", in_use}, {"total", buffers}}}};
}

absl::StatusOr<ordered_json> trace(const engine::NativeEngine& engine, const ordered_json& request) {
  const auto port = tables::value_from_text(request.value("port", ""), tables::Format::port, engine.names());
  if (!port.ok() || *port >= engine.ports().size())
    return absl::InvalidArgumentError(fmt::format("port: '{}' does not exist", request.value("port", "")));
  const auto frame = from_hex(request.value("packet", ""));
  if (!frame.ok()) return frame.status();
  const auto trace = engine::trace(engine, static_cast<PortNumber>(*port), *frame);
  if (!trace.ok()) return trace.status();
  auto steps = ordered_json::array();
  for (const auto& step : trace->steps) {
    auto lookups = ordered_json::array();
    for (const auto& lookup : step.lookups)
      lookups.push_back({{"table", lookup.table}, {"key", lookup.key}, {"result", lookup.result}});
    steps.push_back({{"node", step.node}, {"lookups", lookups}, {"decision", step.decision}});
  }
  return ordered_json{{"steps", steps}, {"outcome", trace->outcome}, {"detail", trace->detail}, {"dropped_by", trace->dropped_by},
                      {"packet", to_hex(trace->frame)}};
}

// Only the native engine has a graph, and decisions that can be asked one by one.
absl::StatusOr<ordered_json> perform_native(const engine::LocalEngine& engine, const std::string& command, const ordered_json& request) {
  const auto* native = dynamic_cast<const engine::NativeEngine*>(&engine);
  if (!native) return absl::UnimplementedError(fmt::format("engine {} does not support {}", engine.name(), command));
  if (command == "graph") return graph();
  return trace(*native, request);
}

absl::StatusOr<ordered_json> perform(engine::LocalEngine& engine, std::chrono::steady_clock::time_point started,
                                     const ordered_json& request) {
  const auto command = request.value("command", "");
  if (command == "status") return status(engine, started);
  if (command == "ports") return ports(engine);
  if (command == "drops") return drops(engine);
  if (command == "counters") return counters(engine, started);
  if (command == "graph" || command == "trace") return perform_native(engine, command, request);
  if (command == "tables") return table_list(engine);
  if (command == "table_dump") return table_dump(engine, request);
  if (command == "table_write") return table_write(engine, request);
  return absl::UnimplementedError(fmt::format("command: '{}' does not exist", command));
}

}  // namespace

Commands::Commands(engine::LocalEngine& engine) : engine_(engine), started_(std::chrono::steady_clock::now()) {}

std::string Commands::answer(const std::string& line) const {
  const auto failure = [](const absl::Status& status) {
    return ordered_json{{"ok", false}, {"code", absl::StatusCodeToString(status.code())}, {"error", std::string(status.message())}}.dump();
  };
  try {
    const auto request = ordered_json::parse(line);
    const auto result = perform(engine_, started_, request);
    if (!result.ok()) return failure(result.status());
    return ordered_json{{"ok", true}, {"result", *result}}.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  } catch (const nlohmann::json::exception& error) {
    return failure(absl::InvalidArgumentError(fmt::format("request: {}", error.what())));
  }
}

}  // namespace sluice::control
