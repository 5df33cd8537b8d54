// A device over a fake engine, with a controller that is its primary.
#pragma once

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include "dataplane/p4runtime/bytestring.h"
#include "dataplane/p4runtime/device.h"
#include "fake_engine.h"
#include "sluice/bundle.pb.h"

namespace sluice::p4runtime {

using absl::StatusCode;
using SetRequest = v1::SetForwardingPipelineConfigRequest;

constexpr uint64_t kDevice = 3;

inline bundle::Artefact artefact(std::string content) {
  bundle::Artefact result;
  unsigned char hash[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(content.data()), content.size(), hash);
  result.set_content(std::move(content));
  result.set_sha256(hash, sizeof hash);
  return result;
}

// A device with one controller, which is primary with election id 1.
struct DeviceTest : testing::Test {
  explicit DeviceTest(std::string engine_name = "native")
      : engine(std::move(engine_name)), device(engine, kDevice) {
    session = device.open_session(outbox);
    EXPECT_TRUE(arbitrate(session, 1).ok());
    outbox.take();
  }
  ~DeviceTest() override { device.close_session(session); }

  absl::Status arbitrate(SessionId who, uint64_t election_id) {
    v1::StreamMessageRequest request;
    request.mutable_arbitration()->set_device_id(kDevice);
    request.mutable_arbitration()->mutable_election_id()->set_low(election_id);
    return device.on_message(who, request);
  }

  SetRequest set_request(SetRequest::Action action) {
    SetRequest request;
    request.set_device_id(kDevice);
    request.mutable_election_id()->set_low(1);
    request.set_action(action);
    *request.mutable_config()->mutable_p4info() = p4info;
    request.mutable_config()->set_p4_device_config(bundle.SerializeAsString());
    request.mutable_config()->mutable_cookie()->set_cookie(42);
    return request;
  }
  void push() {
    const auto status = device.set_pipeline(set_request(SetRequest::VERIFY_AND_COMMIT));
    ASSERT_TRUE(status.ok()) << status;
  }

  v1::WriteRequest write_request() {
    v1::WriteRequest request;
    request.set_device_id(kDevice);
    request.mutable_election_id()->set_low(1);
    return request;
  }
  // 10.N.0.0/16 over port 1.
  v1::Entity route(uint8_t n) {
    v1::Entity entity;
    auto& entry = *entity.mutable_table_entry();
    entry.set_table_id(id_of(p4info.tables(), "ipv4_lpm"));
    auto& match = *entry.add_match();
    match.set_field_id(1);
    match.mutable_lpm()->set_value(encode(0x0a000000u | uint32_t{n} << 16));
    match.mutable_lpm()->set_prefix_len(16);
    auto& action = *entry.mutable_action()->mutable_action();
    action.set_action_id(id_of(p4info.actions(), "ipv4_lpm.connected"));
    auto& param = *action.add_params();
    param.set_param_id(1);
    param.set_value(encode(1));
    return entity;
  }
  StatusCode write(v1::Update::Type type, const v1::Entity& entity) {
    auto request = write_request();
    auto& update = *request.add_updates();
    update.set_type(type);
    *update.mutable_entity() = entity;
    const auto results = device.write(request);
    return results.ok() ? results->at(0).code() : results.status().code();
  }
  std::vector<v1::Entity> read(const v1::Entity& filter, StatusCode expected = StatusCode::kOk) {
    v1::ReadRequest request;
    request.set_device_id(kDevice);
    *request.add_entities() = filter;
    std::vector<v1::Entity> entities;
    const auto status = device.read(request, [&](const v1::ReadResponse& response) {
      entities.insert(entities.end(), response.entities().begin(), response.entities().end());
      return true;
    });
    EXPECT_EQ(status.code(), expected) << status;
    return entities;
  }

  FakeEngine engine;
  Device device;
  Outbox outbox{[] {}};
  SessionId session{};
  info::P4Info p4info = forwarding_p4info();
  bundle::Bundle bundle = [] {
    bundle::Bundle result;
    result.set_program("forwarding");
    *result.mutable_spec() = artefact("a spec");
    *result.mutable_bmv2_json() = artefact("{}");
    return result;
  }();
};

}  // namespace sluice::p4runtime
