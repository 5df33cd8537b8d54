#include "dataplane/p4runtime/arbitration.h"

#include <gtest/gtest.h>

namespace sluice::p4runtime {
namespace {

constexpr uint64_t kDevice = 7;
constexpr SessionId kA{1}, kB{2}, kC{3};
constexpr auto kOk = absl::StatusCode::kOk, kBackup = absl::StatusCode::kAlreadyExists,
               kNobody = absl::StatusCode::kNotFound;

Claim claim(std::optional<ElectionId> election_id, std::string role = "") {
  return {kDevice, std::move(role), election_id};
}

struct ArbitrationTest : testing::Test {
  Arbitration arbitration{kDevice};

  std::vector<Notice> update(SessionId session, const Claim& what) {
    auto notices = arbitration.on_update(session, what);
    EXPECT_TRUE(notices.ok()) << notices.status();
    return notices.ok() ? *notices : std::vector<Notice>{};
  }
  absl::StatusCode authorise(std::optional<ElectionId> id, const std::string& role = "") {
    return arbitration.authorise(kDevice, role, id).code();
  }
};

testing::AssertionResult tells(const std::vector<Notice>& notices,
                               std::vector<std::pair<SessionId, absl::StatusCode>> expected) {
  std::vector<std::pair<SessionId, absl::StatusCode>> got;
  for (const auto& notice : notices) got.emplace_back(notice.to, notice.status);
  return got == expected ? testing::AssertionSuccess()
                         : testing::AssertionFailure() << "other notices: " << testing::PrintToString(got);
}

TEST_F(ArbitrationTest, TheFirstControllerWithAnIdIsPrimary) {
  const auto notices = update(kA, claim(5));
  EXPECT_TRUE(tells(notices, {{kA, kOk}}));
  EXPECT_TRUE(notices[0].highest == ElectionId{5});
  EXPECT_TRUE(arbitration.is_primary(kA));
  EXPECT_EQ(authorise(5), absl::StatusCode::kOk);
}

TEST_F(ArbitrationTest, ZeroIsAnIdAndNoneIsNot) {
  EXPECT_TRUE(tells(update(kA, claim(std::nullopt)), {{kA, kNobody}}));
  EXPECT_FALSE(arbitration.is_primary(kA));
  EXPECT_TRUE(tells(update(kB, claim(0)), {{kA, kBackup}, {kB, kOk}}));
  EXPECT_EQ(authorise(std::nullopt), absl::StatusCode::kPermissionDenied);
}

TEST_F(ArbitrationTest, IdsAreComparedOverAll128Bits) {
  update(kA, claim(~ElectionId{0} >> 64));
  EXPECT_TRUE(tells(update(kB, claim(ElectionId{1} << 64)), {{kA, kBackup}, {kB, kOk}}));
}

TEST_F(ArbitrationTest, ALowerIdIsABackupAndOnlyItIsTold) {
  update(kA, claim(5));
  EXPECT_TRUE(tells(update(kB, claim(4)), {{kB, kBackup}}));
  EXPECT_EQ(authorise(4), absl::StatusCode::kPermissionDenied);
}

TEST_F(ArbitrationTest, AHigherIdTakesOverAndTheNewPrimaryHearsLast) {
  update(kB, claim(4));
  update(kA, claim(3));
  EXPECT_TRUE(tells(update(kC, claim(6)), {{kA, kBackup}, {kB, kBackup}, {kC, kOk}}));
  EXPECT_TRUE(tells(update(kA, claim(7)), {{kB, kBackup}, {kC, kBackup}, {kA, kOk}}));
  EXPECT_EQ(authorise(6), absl::StatusCode::kPermissionDenied);
}

TEST_F(ArbitrationTest, WhenThePrimaryLeavesNobodyIsUntilSomebodyClaimsAtLeastItsId) {
  update(kA, claim(5));
  update(kB, claim(4));
  const auto notices = arbitration.on_disconnect(kA);
  EXPECT_TRUE(tells(notices, {{kB, kNobody}}));
  EXPECT_TRUE(notices[0].highest == ElectionId{5});
  EXPECT_EQ(authorise(5), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(tells(update(kB, claim(4)), {{kB, kNobody}}));
  EXPECT_TRUE(tells(update(kB, claim(5)), {{kB, kOk}}));
}

TEST_F(ArbitrationTest, ABackupThatLeavesIsNotMissed) {
  update(kA, claim(5));
  update(kB, claim(4));
  EXPECT_TRUE(arbitration.on_disconnect(kB).empty());
  EXPECT_TRUE(arbitration.on_disconnect(kC).empty());
}

TEST_F(ArbitrationTest, APrimaryMayStepDown) {
  update(kA, claim(5));
  update(kB, claim(4));
  EXPECT_TRUE(tells(update(kA, claim(3)), {{kA, kNobody}, {kB, kNobody}}));
  EXPECT_EQ(authorise(5), absl::StatusCode::kPermissionDenied);
}

TEST_F(ArbitrationTest, TwoLiveControllersCannotHaveOneId) {
  update(kA, claim(5));
  EXPECT_TRUE(absl::IsInvalidArgument(arbitration.on_update(kB, claim(5)).status()));
  EXPECT_TRUE(tells(update(kA, claim(5)), {{kA, kOk}}));
}

TEST_F(ArbitrationTest, RolesArbitrateApart) {
  update(kA, claim(5));
  EXPECT_TRUE(tells(update(kB, claim(1, "punt")), {{kB, kOk}}));
  EXPECT_EQ(authorise(1, "punt"), absl::StatusCode::kOk);
  EXPECT_EQ(authorise(5, "punt"), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(authorise(1, "other"), absl::StatusCode::kNotFound);
}

TEST_F(ArbitrationTest, AStreamKeepsItsDeviceAndRole) {
  update(kA, claim(5));
  EXPECT_TRUE(absl::IsFailedPrecondition(arbitration.on_update(kA, claim(5, "other")).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(arbitration.on_update(kA, {8, "", 5}).status()));
  EXPECT_TRUE(absl::IsNotFound(arbitration.on_update(kB, {8, "", 5}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(arbitration.on_update(kA, {kDevice, "", 5, true}).status()));
}

TEST_F(ArbitrationTest, StreamsAndRolesAreLimited) {
  for (size_t i = 0; i < Arbitration::kMaxSessions; ++i)
    update(static_cast<SessionId>(100 + i), claim(std::nullopt));
  EXPECT_TRUE(absl::IsResourceExhausted(arbitration.on_update(kA, claim(1)).status()));
  for (size_t i = 1; i < Arbitration::kMaxRoles; ++i)
    update(static_cast<SessionId>(1000 + i), claim(1, std::to_string(i)));
  EXPECT_TRUE(absl::IsResourceExhausted(arbitration.on_update(kA, claim(1, "one more")).status()));
}

}  // namespace
}  // namespace sluice::p4runtime
