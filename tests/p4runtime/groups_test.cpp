// Multicast groups through P4Runtime.
#include <gtest/gtest.h>

#include "device_fixture.h"

namespace sluice::p4runtime {
namespace {

v1::Entity group(uint32_t id, std::initializer_list<uint32_t> ports) {
  v1::Entity entity;
  auto& entry = *entity.mutable_packet_replication_engine_entry()->mutable_multicast_group_entry();
  entry.set_multicast_group_id(id);
  uint32_t instance = 7;
  for (const auto port : ports) {
    auto& replica = *entry.add_replicas();
    replica.set_port(encode(port));
    replica.set_instance(instance++);
  }
  return entity;
}

TEST_F(DeviceTest, AMulticastGroupIsReadAsItWasWrittenAndReachesTheEngine) {
  push();
  EXPECT_EQ(write(v1::Update::INSERT, group(5, {0, 2})), StatusCode::kOk);
  EXPECT_EQ(engine.groups(), (engine::Engine::Groups{{5, {0, 2}}}));
  const auto all = read(group(0, {}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].SerializeAsString(), group(5, {0, 2}).SerializeAsString());
  EXPECT_EQ(write(v1::Update::MODIFY, group(5, {1})), StatusCode::kOk);
  EXPECT_EQ(engine.groups(), (engine::Engine::Groups{{5, {1}}}));
  EXPECT_EQ(write(v1::Update::DELETE, group(5, {})), StatusCode::kOk);
  EXPECT_TRUE(engine.groups().empty());
}

TEST_F(DeviceTest, AMulticastGroupOfTheConfigurationIsReadWithTheOthers) {
  push();
  engine.set_groups({{2, {0, 1}}});
  ASSERT_EQ(read(group(2, {})).size(), 1u);
  EXPECT_EQ(read(group(2, {}))[0].packet_replication_engine_entry().multicast_group_entry().replicas_size(), 2);
  EXPECT_EQ(read(group(3, {})).size(), 0u);
}

TEST_F(DeviceTest, AMulticastGroupThatCannotBeIsRefusedAndChangesNothing) {
  push();
  EXPECT_EQ(write(v1::Update::INSERT, group(0, {1})), StatusCode::kInvalidArgument);
  EXPECT_EQ(write(v1::Update::INSERT, group(5, {99})), StatusCode::kInvalidArgument);
  EXPECT_EQ(write(v1::Update::MODIFY, group(5, {1})), StatusCode::kNotFound);
  EXPECT_EQ(write(v1::Update::DELETE, group(5, {1})), StatusCode::kNotFound);
  EXPECT_EQ(write(v1::Update::INSERT, group(5, {1})), StatusCode::kOk);
  EXPECT_EQ(write(v1::Update::INSERT, group(5, {2})), StatusCode::kAlreadyExists);
  auto twice = group(6, {1, 1});
  twice.mutable_packet_replication_engine_entry()->mutable_multicast_group_entry()->mutable_replicas(1)->set_instance(7);
  EXPECT_EQ(write(v1::Update::INSERT, twice), StatusCode::kInvalidArgument);
  EXPECT_EQ(engine.groups(), (engine::Engine::Groups{{5, {1}}}));
}

}  // namespace
}  // namespace sluice::p4runtime
