// An engine without a data plane: the forwarding program's tables, which take every entry, and packets
// written down.
#pragma once

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "dataplane/engine/engine.h"
#include "dataplane/forwarding/state.h"
#include "dataplane/p4runtime/messages.h"

namespace sluice::p4runtime {

class AnyTable final : public tables::Table {
 public:
  explicit AnyTable(tables::TableSchema schema) : schema_(schema) {}
  const tables::TableSchema& schema() const override { return schema_; }
  absl::Status insert(const tables::Entry&) override { return absl::OkStatus(); }
  absl::Status modify(const tables::Entry&, const tables::Entry&) override { return absl::OkStatus(); }
  void remove(const tables::Entry&) override {}
  void publish() override {}
  void reclaim() override {}

 private:
  tables::TableSchema schema_;
};

class FakeEngine final : public engine::Engine {
 public:
  static constexpr uint16_t kPorts = 4;

  explicit FakeEngine(std::string name = "native") : name_(std::move(name)), service_([] {}, kPorts) {
    for (const auto& schema : forwarding::schemas({})) service_.add(std::make_unique<AnyTable>(schema));
  }

  std::string_view name() const override { return name_; }
  std::string_view program() const override { return "forwarding"; }
  tables::TableService& tables() const override { return service_; }
  absl::StatusOr<engine::CounterValue> counter(std::string_view array, size_t index) const override {
    if (array != "drops") return absl::NotFoundError("no such counter");
    return engine::CounterValue{100 + index, 0};
  }
  Groups groups() const override { return groups_; }
  void set_groups(const Groups& groups) override { groups_ = groups; }
  absl::Status send(PortNumber port, wire::Bytes frame) override {
    if (port >= kPorts) return absl::InvalidArgumentError("no such port");
    sent.emplace_back(port, std::string(frame.begin(), frame.end()));
    return absl::OkStatus();
  }
  void on_packet_in(std::function<void(const engine::PacketIn&)> handler) override {
    deliver = std::move(handler);
  }
  void start() override {}
  unsigned stop() override { return 0; }

  std::vector<std::pair<PortNumber, std::string>> sent;
  std::function<void(const engine::PacketIn&)> deliver;

 private:
  std::string name_;
  Groups groups_;
  mutable tables::TableService service_;
};

inline info::P4Info forwarding_p4info() {
  std::ifstream file(SLUICE_SOURCE_DIR "/p4/compiled/forwarding.p4info.txtpb");
  std::stringstream text;
  text << file.rdbuf();
  info::P4Info p4info;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text.str(), &p4info));
  return p4info;
}

inline uint32_t id_of(const auto& objects, std::string_view name) {
  for (const auto& object : objects)
    if (object.preamble().name() == name) return object.preamble().id();
  ADD_FAILURE() << "no " << name;
  return 0;
}

}  // namespace sluice::p4runtime
