#include "dataplane/p4/rewrite.h"

#include <fmt/format.h>

#include "dataplane/p4/clearing.h"
#include "dataplane/p4/virtual_ports.h"

namespace sluice::p4 {
namespace {

constexpr uint32_t kScalarBits = 64;

std::string line_of(const std::string& label, const std::string& instruction) {
  return label.empty() ? instruction : label + " : " + instruction;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// DPDK fuses emits with the tx behind them, so that the test of the port goes before the first of them.
std::set<size_t> places_of_tests(const std::vector<spec::Instruction>& instructions) {
  std::set<size_t> places;
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].words[0] != "tx" || !instructions[i].words[1].starts_with("m.")) continue;
    size_t first = i;
    while (first > 0 && instructions[first].label.empty() && instructions[first - 1].words[0] == "emit")
      --first;
    places.insert(first);
  }
  return places;
}

const std::string& port_behind(const std::vector<spec::Instruction>& instructions, size_t place) {
  while (instructions[place].words[0] != "tx") ++place;
  return instructions[place].words[1];
}

std::vector<std::string> with_port_tests(const std::vector<spec::Instruction>& instructions) {
  const auto places = places_of_tests(instructions);
  std::vector<std::string> lines;
  for (size_t i = 0; i < instructions.size(); ++i) {
    auto label = instructions[i].label;
    if (places.contains(i)) {
      const auto& port = port_behind(instructions, i);
      const auto exists = fmt::format("SLUICE_PORT_{}", i);
      lines.push_back(line_of(label, fmt::format("jmplt {} {} {}", exists, port, kOutputPorts)));
      lines.push_back(fmt::format("mov {} {}", port, kInvalidPort));
      label = exists;
    }
    const auto& words = instructions[i].words;
    // DPDK leaves the array's number out of these two: with numbers alone they would always mean the first
    // array.
    if ((words[0] == "regadd" || words[0] == "regwr") && !words[3].starts_with("m.") &&
        !words[3].starts_with("h.") && !words[3].starts_with("t.")) {
      lines.push_back(line_of(label, fmt::format("mov m.{} {}", kScratchField, words[3])));
      lines.push_back(fmt::format("{} {} {} m.{}", words[0], words[1], words[2], kScratchField));
    } else if (words[0] == "drop") {
      lines.push_back(line_of(label, fmt::format("tx {}", kDropPort)));
    } else {
      lines.push_back(line_of(label, joined(words)));
    }
  }
  return lines;
}

}  // namespace

Rewritten rewrite(const Layout& layout) {
  Rewritten result;
  for (const auto& action : layout.program().actions)
    result.actions.push_back(with_port_tests(action.instructions));
  result.apply = with_port_tests(layout.program().apply);
  std::vector<std::string> clearing;
  for (const size_t field : read_before_written(layout)) {
    const auto& [name, bits, variable] = layout.metadata().fields[field];
    if (bits > kScalarBits) result.zero_bits.insert(bits);
    clearing.push_back(bits > kScalarBits ? fmt::format("mov m.{} h.{}.z{}", name, kZeroHeader, bits)
                                          : fmt::format("mov m.{} 0", name));
  }
  // The zero header must have a field even where nobody needs it.
  if (result.zero_bits.empty()) result.zero_bits.insert(kScalarBits);
  result.apply.insert(result.apply.begin() + 1, clearing.begin(), clearing.end());
  return result;
}

}  // namespace sluice::p4
