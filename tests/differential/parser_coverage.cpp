#include "tests/differential/parser_coverage.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>

namespace sluice::testing {
namespace {

using Json = nlohmann::json;

uint64_t number(const Json& text) { return std::stoull(text.get<std::string>(), nullptr, 16); }

uint64_t big_endian(std::span<const uint8_t> bytes) {
  uint64_t value = 0;
  for (const uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

struct HeaderType {
  size_t bytes = 0;
  std::map<std::string, std::pair<size_t, size_t>> fields;  // name: offset, bytes
};

std::map<std::string, HeaderType> header_types(const Json& program) {
  std::map<std::string, HeaderType> types, headers;
  for (const auto& json : program.at("header_types")) {
    HeaderType type;
    for (const auto& field : json.at("fields")) {
      const size_t bytes = (field.at(1).get<size_t>() + 7) / 8;
      type.fields[field.at(0)] = {type.bytes, bytes};
      type.bytes += bytes;
    }
    types[json.at("name")] = type;
  }
  for (const auto& json : program.at("headers")) headers[json.at("name")] = types.at(json.at("header_type"));
  return headers;
}

}  // namespace

ParserCoverage::ParserCoverage(const std::string& bmv2_json, const std::string& entry) : entry_(entry) {
  const auto program = Json::parse(bmv2_json);
  const auto headers = header_types(program);
  for (const auto& json : program.at("parsers").at(0).at("parse_states")) {
    State state;
    for (const auto& op : json.at("parser_ops")) {
      if (op.at("op") != "extract") continue;  // a look ahead ends no frame that the extract behind it would not
      const std::string header = op.at("parameters").at(0).at("value");
      state.extracts.push_back({header, headers.at(header).bytes});
    }
    for (const auto& key : json.at("transition_key")) {
      const std::string header = key.at("value").at(0), field = key.at("value").at(1);
      if (header == "standard_metadata") continue;
      const auto [offset, bytes] = headers.at(header).fields.at(field);
      state.key.push_back({header, offset, bytes});
    }
    for (const auto& transition : json.at("transitions")) {
      const bool is_default = transition.at("type") == "default";
      const auto& next = transition.at("next_state");
      state.transitions.push_back({is_default ? "default" : transition.at("value").get<std::string>(),
                                   next.is_null() ? "" : next.get<std::string>(),
                                   is_default ? 0 : number(transition.at("value")),
                                   is_default || transition.at("mask").is_null() ? ~0ull : number(transition.at("mask")), is_default});
    }
    states_[json.at("name")] = state;
  }
  if (!states_.contains(entry)) throw std::runtime_error("the parser has no state " + entry);
  // Every edge that can be taken from here, with none taken yet.
  std::vector<std::string> open{entry};
  for (size_t i = 0; i < open.size(); ++i) {
    const auto& state = states_.at(open[i]);
    for (const auto& extract : state.extracts) edges_.emplace(fmt::format("{} ends inside {}", open[i], extract.header), 0);
    for (const auto& transition : state.transitions) {
      edges_.emplace(fmt::format("{} -> {} ({})", open[i], transition.next, transition.name), 0);
      if (!transition.next.empty() && std::find(open.begin(), open.end(), transition.next) == open.end()) open.push_back(transition.next);
    }
  }
}

void ParserCoverage::add(const Frame& frame) {
  std::map<std::string, size_t> extracted;  // header: where it begins
  size_t at = 0;
  for (std::string name = entry_; !name.empty();) {
    const auto& state = states_.at(name);
    for (const auto& extract : state.extracts) {
      if (at + extract.bytes > frame.size()) {
        ++edges_[fmt::format("{} ends inside {}", name, extract.header)];
        return;
      }
      extracted[extract.header] = at;
      at += extract.bytes;
    }
    std::optional<uint64_t> key;
    for (const auto& field : state.key)
      key = big_endian(std::span(frame).subspan(extracted.at(field.header) + field.offset, field.bytes));
    for (const auto& transition : state.transitions) {
      if (!transition.is_default && (!key || (*key & transition.mask) != transition.value)) continue;
      ++edges_[fmt::format("{} -> {} ({})", name, transition.next, transition.name)];
      name = transition.next;
      break;
    }
  }
}

}  // namespace sluice::testing
