// What the program and the port layer have counted.
#include <fmt/format.h>

#include <algorithm>

#include "dataplane/p4/swx_engine.h"

namespace sluice::p4 {
namespace {

constexpr const char* kProgramStage = "program";
constexpr const char* kPortsStage = "ports";

// p4c puts names of controls in front and a number behind: `MainControl_drops_0`, `drops_0_packets`.
bool is_array(std::string_view in_program, std::string_view name, std::string_view suffix) {
  if (!in_program.ends_with(suffix)) return false;
  in_program.remove_suffix(suffix.size());
  if (in_program.ends_with("_0")) in_program.remove_suffix(2);
  return in_program == name ||
         (in_program.ends_with(name) && in_program[in_program.size() - name.size() - 1] == '_');
}

const spec::RegisterArray* find_array(const spec::Program& program, std::string_view name,
                                      std::string_view suffix) {
  const auto found = std::find_if(program.registers.begin(), program.registers.end(),
                                  [&](const auto& array) { return is_array(array.name, name, suffix); });
  return found == program.registers.end() ? nullptr : &*found;
}

template <class Counters>
uint64_t sum_of(const Counters& counters) {
  uint64_t sum = 0;
  for (const auto& counter : counters) sum += counter.get();
  return sum;
}

}  // namespace

absl::StatusOr<engine::CounterValue> SwxEngine::program_counter(std::string_view array, size_t index) const {
  const auto& program = loaded_->program;
  const auto* packets = find_array(program, array, "");
  if (!packets) packets = find_array(program, array, "_packets");
  const auto* bytes = find_array(program, array, "_bytes");
  if (!packets && !bytes) return absl::NotFoundError(fmt::format("the program has no counter '{}'", array));
  engine::CounterValue value{};
  for (const auto& [from, to] : {std::pair(packets, &value.packets), std::pair(bytes, &value.bytes)}) {
    if (!from) continue;
    // DPDK rounds sizes up, and so would answer for cells that the program does not have.
    if (index >= from->size)
      return absl::OutOfRangeError(fmt::format("{}[{}]: the array has {} cells", array, index, from->size));
    const auto cell = loaded_->pipeline->read_register(from->name, static_cast<uint32_t>(index));
    if (!cell.ok()) return cell.status();
    *to = *cell;
  }
  return value;
}

absl::StatusOr<engine::CounterValue> SwxEngine::counter(std::string_view array, size_t index) const {
  auto value = program_counter(array, index);
  // What the port layer gave up belongs to the same array.
  if (value.ok() && array == "drops" && index < wire::kDropCount)
    value->packets += layer_->counters().dropped[index].get();
  return value;
}

engine::Totals SwxEngine::totals() const {
  const auto& counters = layer_->counters();
  return {.received = counters.received.get(),
          .transmitted = counters.transmitted.get(),
          .injected = counters.injected.get(),
          .copied = counters.copied.get(),
          .punted = sum_of(counters.punted),
          .dropped = counters.discarded.get() + sum_of(counters.dropped)};
}

std::vector<engine::StageCounters> SwxEngine::stages() const {
  const auto& counters = layer_->counters();
  const uint64_t received = counters.received.get();
  std::vector<engine::StageCounters> result{
      {kPortsStage, received, 0, 0, sum_of(counters.dropped)},
      {kProgramStage, received, 0, 0, counters.discarded.get()},
  };
  for (const auto& table : table_statistics())
    result.push_back({table.table, table.hits + table.misses, 0, 0, 0});
  return result;
}

std::vector<engine::DropCounter> SwxEngine::drops() const {
  std::vector<engine::DropCounter> result;
  for (size_t i = 0; i < wire::kDropCount; ++i) {
    const auto reason = static_cast<wire::Drop>(i);
    if (const auto packets = layer_->counters().dropped[i].get())
      result.push_back({kPortsStage, reason, packets});
    // A program without the array says no reasons.
    if (const auto counted = program_counter("drops", i); counted.ok() && counted->packets)
      result.push_back({kProgramStage, reason, counted->packets});
  }
  return result;
}

uint64_t SwxEngine::punted(PuntCause cause) const {
  return layer_->counters().punted[static_cast<size_t>(cause)].get();
}

std::vector<TableStatistics> SwxEngine::table_statistics() const {
  std::vector<TableStatistics> result;
  for (const auto* table : loaded_->swx_tables) result.push_back(table->statistics());
  return result;
}

}  // namespace sluice::p4
