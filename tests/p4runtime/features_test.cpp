// capabilities.def and the server's behaviour, feature by feature and engine by engine.
#include <gtest/gtest.h>

#include "dataplane/p4runtime/capabilities.h"
#include "device_fixture.h"

namespace sluice::p4runtime {
namespace {

// A request for each feature of capabilities.def, and whether it is answered UNIMPLEMENTED.
struct FeatureTest : DeviceTest, testing::WithParamInterface<std::tuple<std::string, size_t>> {
  FeatureTest() : DeviceTest(std::get<0>(GetParam())) {}

  StatusCode entity(auto fill) {
    v1::Entity entity;
    fill(entity);
    const auto code = write(v1::Update::MODIFY, entity);
    read(entity, code);
    return code;
  }
  StatusCode entry_with(auto fill) {
    auto entity = route(1);
    fill(*entity.mutable_table_entry());
    return write(v1::Update::INSERT, entity);
  }
  StatusCode batch(v1::WriteRequest::Atomicity atomicity) {
    auto request = write_request();
    request.set_atomicity(atomicity);
    return device.write(request).status().code();
  }
  StatusCode probe(Feature feature);
};

StatusCode FeatureTest::probe(Feature feature) {
  switch (feature) {
    case Feature::packet_in:
      engine.deliver({0, 0, 0, PuntCause::arp, {}});
      return outbox.take() ? StatusCode::kOk : StatusCode::kUnimplemented;
    case Feature::packet_out: {
      v1::StreamMessageRequest out;
      out.mutable_packet()->set_payload("frame");
      out.mutable_packet()->add_metadata()->set_metadata_id(1);
      out.mutable_packet()->mutable_metadata(0)->set_value(encode(0));
      EXPECT_TRUE(device.on_message(session, out).ok());
      return engine.sent.empty() ? static_cast<StatusCode>(outbox.take()->error().canonical_code())
                                 : StatusCode::kOk;
    }
    case Feature::counter_read: {
      v1::Entity all;
      all.mutable_counter_entry();
      return read(all).empty() ? StatusCode::kUnimplemented : StatusCode::kOk;
    }
    case Feature::counter_write: {
      v1::Entity one;
      one.mutable_counter_entry()->set_counter_id(p4info.counters(0).preamble().id());
      return write(v1::Update::MODIFY, one);
    }
    case Feature::direct_counter:
      return entity([](auto& e) { e.mutable_direct_counter_entry(); });
    case Feature::meter:
      return entity([](auto& e) { e.mutable_meter_entry(); });
    case Feature::direct_meter:
      return entry_with([](auto& e) { e.mutable_meter_config(); });
    case Feature::register_array:
      return entity([](auto& e) { e.mutable_register_entry(); });
    case Feature::multicast_group:
      return entity([this](auto& e) {
        engine.set_groups({{9, {1}}});
        e.mutable_packet_replication_engine_entry()->mutable_multicast_group_entry()->set_multicast_group_id(9);
      });
    case Feature::clone_session:
      return entity(
          [](auto& e) { e.mutable_packet_replication_engine_entry()->mutable_clone_session_entry(); });
    case Feature::action_profile:
      return entity([](auto& e) { e.mutable_action_profile_group(); });
    case Feature::value_set:
      return entity([](auto& e) { e.mutable_value_set_entry(); });
    case Feature::digest:
      return entity([](auto& e) { e.mutable_digest_entry(); });
    case Feature::extern_entry:
      return entity([](auto& e) { e.mutable_extern_entry(); });
    case Feature::idle_timeout:
      return entry_with([](auto& e) { e.set_idle_timeout_ns(1); });
    case Feature::default_action_write: {
      p4info.mutable_tables(0)->clear_const_default_action_id();
      push();
      v1::Entity entity;
      entity.mutable_table_entry()->set_table_id(p4info.tables(0).preamble().id());
      entity.mutable_table_entry()->set_is_default_action(true);
      return write(v1::Update::MODIFY, entity);
    }
    case Feature::rollback_on_error:
      return batch(v1::WriteRequest::ROLLBACK_ON_ERROR);
    case Feature::dataplane_atomic:
      return batch(v1::WriteRequest::DATAPLANE_ATOMIC);
    case Feature::reconcile_and_commit:
      return device.set_pipeline(set_request(SetRequest::RECONCILE_AND_COMMIT)).code();
  }
  return StatusCode::kInternal;
}

TEST_P(FeatureTest, BehaviourIsWhatCapabilitiesDefSays) {
  push();
  const auto& row = kFeatures[std::get<1>(GetParam())];
  const auto code = probe(row.feature);
  EXPECT_NE(code, StatusCode::kInternal) << row.name;
  EXPECT_EQ(code != StatusCode::kUnimplemented, supports(engine.name(), row.feature)) << row.name;
}

INSTANTIATE_TEST_SUITE_P(Engines, FeatureTest,
                         testing::Combine(testing::Values("native", "swx"),
                                          testing::Range(size_t{0}, kFeatures.size())),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" +
                                  std::string(kFeatures[std::get<1>(test.param)].name);
                         });

}  // namespace
}  // namespace sluice::p4runtime
