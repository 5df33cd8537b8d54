// Everything that the RPCs do, without gRPC and without a data plane.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_fixture.h"

namespace sluice::p4runtime {
namespace {

TEST_F(DeviceTest, NothingIsWrittenOrReadBeforeAPipelineIsSet) {
  EXPECT_EQ(write(v1::Update::INSERT, route(1)), StatusCode::kFailedPrecondition);
  read(route(1), StatusCode::kFailedPrecondition);
  EXPECT_FALSE(device
                   .get_pipeline([] {
                     v1::GetForwardingPipelineConfigRequest r;
                     r.set_device_id(kDevice);
                     return r;
                   }())
                   ->has_config());
}

TEST_F(DeviceTest, AnEntryIsReadAsItWasWritten) {
  push();
  auto entity = route(1);
  entity.mutable_table_entry()->set_metadata("mine");
  EXPECT_EQ(write(v1::Update::INSERT, entity), StatusCode::kOk);
  const auto read_back = read(route(1));
  ASSERT_EQ(read_back.size(), 1u);
  EXPECT_EQ(read_back[0].SerializeAsString(), entity.SerializeAsString()) << read_back[0].DebugString();
}

TEST_F(DeviceTest, OneBadEntryOfABatchIsReportedAndTheOthersAreIn) {
  push();
  auto request = write_request();
  for (uint8_t n = 0; n < 3; ++n) {
    auto& update = *request.add_updates();
    update.set_type(v1::Update::INSERT);
    *update.mutable_entity() = route(n);
  }
  auto& port = *request.mutable_updates(1)
                    ->mutable_entity()
                    ->mutable_table_entry()
                    ->mutable_action()
                    ->mutable_action()
                    ->mutable_params(0);
  port.set_value(encode(99));
  const auto results = device.write(request);
  ASSERT_TRUE(results.ok());
  EXPECT_TRUE(results->at(0).ok());
  EXPECT_EQ(results->at(1).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(results->at(1).message()), testing::HasSubstr("port 99 does not exist"));
  EXPECT_TRUE(results->at(2).ok());
  EXPECT_EQ(read(route(0)).size(), 1u);
  EXPECT_EQ(read(route(1)).size(), 0u);
  EXPECT_EQ(read(route(2)).size(), 1u);
}

TEST_F(DeviceTest, InsertModifyAndDeleteAnswerWithTheCanonicalCodes) {
  push();
  EXPECT_EQ(write(v1::Update::MODIFY, route(1)), StatusCode::kNotFound);
  EXPECT_EQ(write(v1::Update::DELETE, route(1)), StatusCode::kNotFound);
  EXPECT_EQ(write(v1::Update::INSERT, route(1)), StatusCode::kOk);
  EXPECT_EQ(write(v1::Update::INSERT, route(1)), StatusCode::kAlreadyExists);
  EXPECT_EQ(write(v1::Update::UNSPECIFIED, route(1)), StatusCode::kInvalidArgument);
  auto without_action = route(1);
  without_action.mutable_table_entry()->clear_action();
  EXPECT_EQ(write(v1::Update::MODIFY, without_action), StatusCode::kOk);
  EXPECT_TRUE(read(route(1)).at(0).table_entry().has_action());
  EXPECT_EQ(write(v1::Update::DELETE, without_action), StatusCode::kOk);
  EXPECT_EQ(write(v1::Update::INSERT, without_action), StatusCode::kInvalidArgument);
}

TEST_F(DeviceTest, AMalformedEntryIsRefused) {
  push();
  const auto refused = [&](StatusCode expected, auto spoil) {
    auto entity = route(1);
    spoil(*entity.mutable_table_entry());
    EXPECT_EQ(write(v1::Update::INSERT, entity), expected) << entity.DebugString();
  };
  using Entry = v1::TableEntry;
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  refused(kInvalid, [](Entry& e) { e.set_table_id(1); });
  refused(kInvalid, [](Entry& e) { e.mutable_match(0)->set_field_id(9); });
  refused(kInvalid, [](Entry& e) { *e.add_match() = e.match(0); });
  refused(kInvalid, [](Entry& e) { e.mutable_match(0)->mutable_exact()->set_value("\x01"); });
  refused(kInvalid, [](Entry& e) { e.mutable_match(0)->mutable_lpm()->set_prefix_len(0); });
  refused(kInvalid, [](Entry& e) { e.mutable_match(0)->mutable_lpm()->set_prefix_len(33); });
  refused(kInvalid, [](Entry& e) { e.mutable_match(0)->mutable_lpm()->set_prefix_len(15); });
  refused(StatusCode::kOutOfRange,
          [](Entry& e) { e.mutable_match(0)->mutable_lpm()->set_value(std::string("\x01\0\0\0\0", 5)); });
  refused(StatusCode::kOutOfRange, [](Entry& e) { e.mutable_match(0)->mutable_lpm()->set_value(""); });
  refused(kInvalid, [](Entry& e) { e.set_priority(1); });
  refused(kInvalid, [](Entry& e) { e.set_priority(-1); });
  refused(kInvalid, [](Entry& e) { e.set_is_const(true); });
  refused(kInvalid, [](Entry& e) { e.mutable_action()->set_action_profile_member_id(1); });
  refused(kInvalid, [](Entry& e) { e.mutable_action()->mutable_action()->set_action_id(1); });
  refused(kInvalid, [](Entry& e) { e.mutable_action()->mutable_action()->clear_params(); });
  refused(kInvalid,
          [](Entry& e) { e.mutable_action()->mutable_action()->mutable_params(0)->set_param_id(2); });
  refused(StatusCode::kOutOfRange,
          [](Entry& e) { e.mutable_action()->mutable_action()->mutable_params(0)->set_value(""); });
  refused(StatusCode::kPermissionDenied, [&](Entry& e) {
    e.mutable_action()->mutable_action()->set_action_id(id_of(p4info.actions(), "NoAction"));
  });
  EXPECT_EQ(write(v1::Update::INSERT, {}), kInvalid);
}

TEST_F(DeviceTest, ATernaryEntryNeedsAPriorityAndAMaskThatCoversItsValue) {
  push();
  v1::Entity entity;
  auto& entry = *entity.mutable_table_entry();
  entry.set_table_id(id_of(p4info.tables(), "my_station"));
  entry.add_match()->set_field_id(1);
  entry.mutable_match(0)->mutable_exact()->set_value(encode(0));
  entry.add_match()->set_field_id(2);
  auto& ternary = *entry.mutable_match(1)->mutable_ternary();
  ternary.set_value(encode(0x10));
  ternary.set_mask(encode(0xf0));
  entry.mutable_action()->mutable_action()->set_action_id(id_of(p4info.actions(), "my_station.route"));
  EXPECT_EQ(write(v1::Update::INSERT, entity), StatusCode::kInvalidArgument);
  entry.set_priority(5);
  EXPECT_EQ(write(v1::Update::INSERT, entity), StatusCode::kOk);
  EXPECT_EQ(read(entity).at(0).SerializeAsString(), entity.SerializeAsString());
  ternary.set_value(encode(0x11));
  EXPECT_EQ(write(v1::Update::INSERT, entity), StatusCode::kInvalidArgument);
  ternary.set_value(encode(0));
  ternary.set_mask(encode(0));
  EXPECT_EQ(write(v1::Update::INSERT, entity), StatusCode::kInvalidArgument);
}

TEST_F(DeviceTest, ReadsFilterByTableActionPriorityAndMetadata) {
  push();
  for (uint8_t n = 0; n < 3; ++n) {
    auto entity = route(n);
    entity.mutable_table_entry()->set_metadata(n == 0 ? "a" : "b");
    ASSERT_EQ(write(v1::Update::INSERT, entity), StatusCode::kOk);
  }
  v1::Entity filter;
  auto& entry = *filter.mutable_table_entry();
  EXPECT_EQ(read(filter).size(), 3u);
  entry.set_metadata("b");
  read(filter, StatusCode::kInvalidArgument);
  entry.set_table_id(id_of(p4info.tables(), "ipv4_lpm"));
  EXPECT_EQ(read(filter).size(), 2u);
  entry.clear_metadata();
  entry.mutable_action()->mutable_action()->set_action_id(id_of(p4info.actions(), "ipv4_lpm.via"));
  EXPECT_EQ(read(filter).size(), 0u);
  entry.clear_action();
  entry.set_is_default_action(true);
  const auto defaults = read(filter);
  ASSERT_EQ(defaults.size(), 1u);
  EXPECT_EQ(defaults[0].table_entry().action().action().action_id(), id_of(p4info.actions(), "NoAction"));
  EXPECT_EQ(write(v1::Update::MODIFY, filter), StatusCode::kPermissionDenied);
  EXPECT_EQ(write(v1::Update::INSERT, filter), StatusCode::kInvalidArgument);
  read({}, StatusCode::kInvalidArgument);
}

TEST_F(DeviceTest, CountersAreReadByCellArrayAndAllTogether) {
  push();
  v1::Entity filter;
  auto& counter = *filter.mutable_counter_entry();
  const auto all = read(filter);
  EXPECT_EQ(all.size(), static_cast<size_t>(p4info.counters(0).size()));
  counter.set_counter_id(p4info.counters(0).preamble().id());
  EXPECT_EQ(read(filter).size(), all.size());
  counter.mutable_index()->set_index(5);
  ASSERT_EQ(read(filter).size(), 1u);
  EXPECT_EQ(read(filter)[0].counter_entry().data().packet_count(), 105);
  counter.mutable_index()->set_index(-1);
  read(filter, StatusCode::kInvalidArgument);
  counter.mutable_index()->set_index(p4info.counters(0).size());
  read(filter, StatusCode::kOutOfRange);
  EXPECT_EQ(write(v1::Update::INSERT, filter), StatusCode::kInvalidArgument);
}

TEST_F(DeviceTest, OnlyThePrimaryWritesAndABackupTakesOverWithEveryEntry) {
  push();
  Outbox other{[] {}};
  const auto backup = device.open_session(other);
  ASSERT_TRUE(arbitrate(backup, 0).ok());
  EXPECT_EQ(other.take()->arbitration().status().code(), static_cast<int>(StatusCode::kAlreadyExists));
  ASSERT_EQ(write(v1::Update::INSERT, route(1)), StatusCode::kOk);
  ASSERT_TRUE(arbitrate(backup, 2).ok());
  EXPECT_EQ(outbox.take()->arbitration().status().code(), static_cast<int>(StatusCode::kAlreadyExists));
  EXPECT_EQ(other.take()->arbitration().status().code(), 0);
  EXPECT_EQ(write(v1::Update::INSERT, route(2)), StatusCode::kPermissionDenied);
  EXPECT_EQ(read(route(1)).size(), 1u);
  device.close_session(backup);
  EXPECT_EQ(outbox.take()->arbitration().status().code(), static_cast<int>(StatusCode::kNotFound));
}

TEST_F(DeviceTest, APipelineIsVerifiedSavedCommittedAndReconciled) {
  EXPECT_EQ(device.set_pipeline(set_request(SetRequest::COMMIT)).code(), StatusCode::kInvalidArgument);
  auto commit = set_request(SetRequest::COMMIT);
  commit.clear_config();
  EXPECT_EQ(device.set_pipeline(commit).code(), StatusCode::kNotFound);
  EXPECT_TRUE(device.set_pipeline(set_request(SetRequest::VERIFY)).ok());
  EXPECT_EQ(write(v1::Update::INSERT, route(1)), StatusCode::kFailedPrecondition);
  EXPECT_TRUE(device.set_pipeline(set_request(SetRequest::VERIFY_AND_SAVE)).ok());
  EXPECT_TRUE(device.set_pipeline(commit).ok());
  EXPECT_EQ(write(v1::Update::INSERT, route(1)), StatusCode::kOk);
  EXPECT_TRUE(device.set_pipeline(set_request(SetRequest::RECONCILE_AND_COMMIT)).ok());
  EXPECT_EQ(read(route(1)).size(), 1u);
  EXPECT_TRUE(device.set_pipeline(set_request(SetRequest::VERIFY_AND_COMMIT)).ok());
  EXPECT_EQ(read(route(1)).size(), 0u);
  EXPECT_EQ(device.set_pipeline(set_request(SetRequest::UNSPECIFIED)).code(), StatusCode::kInvalidArgument);
  auto stranger = set_request(SetRequest::VERIFY);
  stranger.mutable_election_id()->set_low(9);
  EXPECT_EQ(device.set_pipeline(stranger).code(), StatusCode::kPermissionDenied);
}

TEST_F(DeviceTest, ACommitKeepsWhatTheConfigurationWrote) {
  push();
  ASSERT_EQ(write(v1::Update::INSERT, route(1)), StatusCode::kOk);
  const auto table = *engine.tables().table_by_name("ipv4_lpm");
  tables::Entry local{};
  local.table = table;
  local.key.match[0] = {0x0b000001, 0xffffffff};
  local.action = tables::ActionId{2};
  ASSERT_TRUE(engine.tables().apply({tables::Operation::insert, local}).ok());
  push();
  EXPECT_EQ(engine.tables().size(table), 1u);
}

TEST_F(DeviceTest, ABundleThatIsNotWholeOrNotTheEnginesIsRefused) {
  const auto refused = [&](const std::string& text) {
    const auto status = device.set_pipeline(set_request(SetRequest::VERIFY_AND_COMMIT));
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(text));
  };
  const auto whole = bundle;
  bundle.mutable_spec()->set_content("another spec");
  refused("p4_device_config.spec");
  bundle = whole;
  bundle.set_program("upf");
  refused("is 'upf', but engine native runs 'forwarding'");
  bundle.Clear();
  refused("not a sluice.bundle.Bundle");
  bundle = whole;
  p4info.mutable_tables(0)->mutable_match_fields(0)->set_bitwidth(12);
  refused("12 bits in the p4info");
}

TEST_F(DeviceTest, GetPipelineGivesWhatIsAskedFor) {
  push();
  using Request = v1::GetForwardingPipelineConfigRequest;
  const auto get = [&](Request::ResponseType type) {
    Request request;
    request.set_device_id(kDevice);
    request.set_response_type(type);
    return device.get_pipeline(request)->config();
  };
  EXPECT_EQ(get(Request::ALL).SerializeAsString(),
            set_request(SetRequest::VERIFY).config().SerializeAsString());
  EXPECT_EQ(get(Request::COOKIE_ONLY).ByteSizeLong(), 4u);
  EXPECT_TRUE(get(Request::P4INFO_AND_COOKIE).has_p4info());
  EXPECT_TRUE(get(Request::P4INFO_AND_COOKIE).p4_device_config().empty());
  EXPECT_FALSE(get(Request::DEVICE_CONFIG_AND_COOKIE).has_p4info());
  EXPECT_EQ(device.get_pipeline({}).status().code(), StatusCode::kNotFound);
}

TEST_F(DeviceTest, PacketsGoInToThePrimaryAndOutOfAPort) {
  engine.deliver({1, kNoPort, 0, PuntCause::arp, {1, 2, 3}});
  push();
  engine.deliver({1, 2, 1400, PuntCause::mtu_exceeded, {1, 2, 3}});
  const auto packet = outbox.take()->packet();
  EXPECT_EQ(packet.payload(), "\x01\x02\x03");
  ASSERT_EQ(packet.metadata_size(), 4);
  EXPECT_EQ(packet.metadata(0).value(), encode(1));
  EXPECT_EQ(packet.metadata(1).value(), encode(2));
  EXPECT_EQ(packet.metadata(2).value(), encode(1400));
  EXPECT_EQ(packet.metadata(3).value(), encode(static_cast<uint8_t>(PuntCause::mtu_exceeded)));

  v1::StreamMessageRequest out;
  out.mutable_packet()->set_payload("frame");
  auto& metadata = *out.mutable_packet()->add_metadata();
  metadata.set_metadata_id(1);
  metadata.set_value(encode(2));
  EXPECT_TRUE(device.on_message(session, out).ok());
  EXPECT_THAT(engine.sent, testing::ElementsAre(std::pair(PortNumber{2}, std::string("frame"))));
  metadata.set_metadata_id(7);
  EXPECT_TRUE(device.on_message(session, out).ok());
  const auto error = outbox.take()->error();
  EXPECT_EQ(error.canonical_code(), static_cast<int>(StatusCode::kInvalidArgument));
  EXPECT_EQ(error.packet_out().packet_out().payload(), "frame");

  Outbox other{[] {}};
  const auto backup = device.open_session(other);
  EXPECT_TRUE(device.on_message(backup, out).ok());
  EXPECT_EQ(other.take()->error().canonical_code(), static_cast<int>(StatusCode::kPermissionDenied));
  device.close_session(backup);
}

TEST_F(DeviceTest, AControllerThatDoesNotReadLosesPacketsAndKeepsItsNotices) {
  push();
  for (size_t i = 0; i < 3 * Outbox::kMaxPackets; ++i) engine.deliver({1, kNoPort, 0, PuntCause::arp, {1}});
  ASSERT_TRUE(arbitrate(session, 8).ok());
  for (size_t i = 0; i < Outbox::kMaxPackets; ++i) EXPECT_TRUE(outbox.take()->has_packet());
  EXPECT_TRUE(outbox.take()->has_arbitration());
}

TEST(Outbox, AControllerThatNeverReadsIsGivenUpOnce) {
  int given_up = 0;
  Outbox outbox([&] { ++given_up; });
  for (size_t i = 0; i < 2 * Outbox::kMaxMessages; ++i) outbox.insist({});
  EXPECT_EQ(given_up, 1);
}

}  // namespace
}  // namespace sluice::p4runtime
