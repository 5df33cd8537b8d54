#include "dataplane/p4runtime/arbitration.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::p4runtime {

absl::Status Arbitration::admit(SessionId session, const Claim& claim) const {
  const auto known = role_of_.find(session);
  const bool is_new = known == role_of_.end();
  if (claim.device_id != device_id_) {
    const auto text =
        fmt::format("device_id: {} is not this device's, which is {}", claim.device_id, device_id_);
    return is_new ? absl::NotFoundError(text) : absl::FailedPreconditionError(text);
  }
  if (!is_new && known->second != claim.role)
    return absl::FailedPreconditionError(
        fmt::format("role: this stream has role '{}'; another needs a stream of its own", known->second));
  if (claim.has_role_config)
    return absl::InvalidArgumentError("role.config: no scheme is agreed on; every role has full access");

  const auto role = roles_.find(claim.role);
  if (role == roles_.end())
    return roles_.size() < kMaxRoles
               ? absl::OkStatus()
               : absl::ResourceExhaustedError(fmt::format("role: {} are in use already", kMaxRoles));
  const auto& sessions = role->second.sessions;
  const bool taken =
      claim.election_id && std::any_of(sessions.begin(), sessions.end(), [&](const auto& other) {
        return other.first != session && other.second == claim.election_id;
      });
  if (taken) return absl::InvalidArgumentError("election_id: another controller of this role has it");
  if (is_new && sessions.size() >= kMaxSessions)
    return absl::ResourceExhaustedError(
        fmt::format("role '{}' has {} controllers already", claim.role, kMaxSessions));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Notice>> Arbitration::on_update(SessionId session, const Claim& claim) {
  if (auto status = admit(session, claim); !status.ok()) return status;
  role_of_[session] = claim.role;
  Role& role = roles_[claim.role];
  role.sessions[session] = claim.election_id;

  if (claim.election_id && (!role.highest || *claim.election_id >= *role.highest)) {
    role.highest = claim.election_id;
    role.primary = session;
    return notify_all(claim.role, role);
  }
  if (role.primary == session) {
    role.primary.reset();
    return notify_all(claim.role, role);
  }
  return std::vector{notice(claim.role, role, session)};
}

std::vector<Notice> Arbitration::on_disconnect(SessionId session) {
  const auto known = role_of_.find(session);
  if (known == role_of_.end()) return {};
  const std::string name = known->second;
  role_of_.erase(known);
  Role& role = roles_.at(name);
  role.sessions.erase(session);
  if (role.primary != session) return {};
  role.primary.reset();
  return notify_all(name, role);
}

bool Arbitration::is_primary(SessionId session) const {
  const auto known = role_of_.find(session);
  return known != role_of_.end() && roles_.at(known->second).primary == session;
}

absl::Status Arbitration::authorise(uint64_t device_id, const std::string& role_name,
                                    std::optional<ElectionId> election_id) const {
  if (device_id != device_id_)
    return absl::NotFoundError(
        fmt::format("device_id: {} is not this device's, which is {}", device_id, device_id_));
  const auto role = roles_.find(role_name);
  if (role == roles_.end())
    return absl::NotFoundError(fmt::format("role: no controller has role '{}'", role_name));
  if (!role->second.primary)
    return absl::PermissionDeniedError(fmt::format("role '{}' has no primary controller", role_name));
  // A primary's election id is the highest ever seen.
  if (!election_id || election_id != role->second.highest)
    return absl::PermissionDeniedError("election_id: is not the primary controller's");
  return absl::OkStatus();
}

// §5.4: what each controller is told, by whether it is primary and whether anybody is.
Notice Arbitration::notice(const std::string& name, const Role& role, SessionId to) {
  const auto backup = role.primary ? absl::StatusCode::kAlreadyExists : absl::StatusCode::kNotFound;
  return {to, name, role.highest, role.primary == to ? absl::StatusCode::kOk : backup};
}

// The new primary last: by then no other controller can take itself for it (§5.3, step 1.2).
std::vector<Notice> Arbitration::notify_all(const std::string& name, const Role& role) {
  std::vector<Notice> notices;
  for (const auto& [session, election_id] : role.sessions)
    if (role.primary != session) notices.push_back(notice(name, role, session));
  if (role.primary) notices.push_back(notice(name, role, *role.primary));
  return notices;
}

}  // namespace sluice::p4runtime
