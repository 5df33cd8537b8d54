#include "tests/differential/vector_file.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace sluice::testing {
namespace {

using Json = nlohmann::ordered_json;

std::vector<tables::NamedText> named_from(const Json& json) {
  std::vector<tables::NamedText> texts;
  for (const auto& [name, value] : json.items()) texts.push_back({name, value.get<std::string>()});
  return texts;
}

Json to_json(const std::vector<tables::NamedText>& texts) {
  Json json = Json::object();
  for (const auto& text : texts) json[text.name] = text.value;
  return json;
}

tables::EntryText entry_from(const Json& json) {
  return {json.at("table"), named_from(json.at("match")), json.value("priority", 0u), json.at("action"),
          named_from(json.value("params", Json::object()))};
}

Json to_json(const tables::EntryText& entry) {
  Json json{{"table", entry.table}, {"match", to_json(entry.match)}};
  if (entry.priority) json["priority"] = entry.priority;
  json["action"] = entry.action;
  if (!entry.params.empty()) json["params"] = to_json(entry.params);
  return json;
}

PacketAtPort packet_from(const Json& json) { return {json.at("port"), from_hex(json.at("frame"))}; }
Json to_json(const PacketAtPort& packet) { return {{"port", packet.port}, {"frame", hex(packet.frame)}}; }

Punted punted_from(const Json& json) {
  return {json.at("cause"), json.at("ingress_port"), json.value("egress_port", kNoPort), json.value("mtu", uint16_t{0}),
          from_hex(json.at("frame"))};
}
Json to_json(const Punted& punted) {
  Json json{{"cause", punted.cause}, {"ingress_port", punted.ingress_port}};
  if (punted.egress_port != kNoPort) json["egress_port"] = punted.egress_port;
  if (punted.mtu) json["mtu"] = punted.mtu;
  json["frame"] = hex(punted.frame);
  return json;
}

template <class Container>
Json list(const Container& items) {
  Json json = Json::array();
  for (const auto& item : items) json.push_back(to_json(item));
  return json;
}

}  // namespace

TestVector load_vector(const std::filesystem::path& file) {
  try {
    std::ifstream stream(file);
    const auto json = Json::parse(stream);
    TestVector vector;
    vector.scenario.name = json.at("name");
    for (const auto& entry : json.at("entries")) vector.scenario.entries.push_back(entry_from(entry));
    for (const auto& packet : json.at("packets")) vector.scenario.packets.push_back(packet_from(packet));
    for (const auto& packet : json.at("sent")) vector.expected.sent.insert(packet_from(packet));
    for (const auto& packet : json.at("punted")) vector.expected.punted.insert(punted_from(packet));
    for (const auto& [reason, count] : json.at("drops").items()) vector.expected.drops[reason] = count;
    return vector;
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

std::string vector_text(const TestVector& vector) {
  const Json json{{"name", vector.scenario.name},
                  {"entries", list(vector.scenario.entries)},
                  {"packets", list(vector.scenario.packets)},
                  {"sent", list(vector.expected.sent)},
                  {"punted", list(vector.expected.punted)},
                  {"drops", vector.expected.drops}};
  return json.dump(2) + "\n";
}

}  // namespace sluice::testing
