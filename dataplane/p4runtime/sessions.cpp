#include "dataplane/p4runtime/sessions.h"

#include <algorithm>

namespace sluice::p4runtime {
namespace {

std::string_view text_of(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return "you are the primary controller";
    case absl::StatusCode::kAlreadyExists:
      return "another controller is primary";
    default:
      return "there is no primary controller";
  }
}

v1::StreamMessageResponse to_message(uint64_t device_id, const Notice& notice) {
  v1::StreamMessageResponse message;
  auto& update = *message.mutable_arbitration();
  update.set_device_id(device_id);
  if (!notice.role.empty()) update.mutable_role()->set_name(notice.role);
  if (notice.highest) {
    update.mutable_election_id()->set_high(static_cast<uint64_t>(*notice.highest >> 64));
    update.mutable_election_id()->set_low(static_cast<uint64_t>(*notice.highest));
  }
  update.mutable_status()->set_code(static_cast<int>(notice.status));
  update.mutable_status()->set_message(std::string(text_of(notice.status)));
  return message;
}

}  // namespace

SessionId Sessions::open(Outbox& outbox) {
  const std::lock_guard lock(mutex_);
  const auto id = static_cast<SessionId>(next_++);
  sessions_.emplace(id, Session{&outbox});
  return id;
}

void Sessions::close(SessionId session) {
  const std::lock_guard lock(mutex_);
  sessions_.erase(session);
}

void Sessions::notify(std::span<const Notice> notices) {
  const std::lock_guard lock(mutex_);
  for (const auto& notice : notices) {
    const auto found = sessions_.find(notice.to);
    if (found == sessions_.end()) continue;
    found->second.is_primary = notice.status == absl::StatusCode::kOk;
    found->second.outbox->insist(to_message(device_id_, notice));
  }
}

void Sessions::offer(SessionId to, v1::StreamMessageResponse message) {
  const std::lock_guard lock(mutex_);
  if (const auto found = sessions_.find(to); found != sessions_.end())
    found->second.outbox->offer(std::move(message));
}

void Sessions::offer_to_primaries(const v1::StreamMessageResponse& message) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, session] : sessions_)
    if (session.is_primary) session.outbox->offer(message);
}

bool Sessions::has_primary() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [](const auto& item) { return item.second.is_primary; });
}

}  // namespace sluice::p4runtime
