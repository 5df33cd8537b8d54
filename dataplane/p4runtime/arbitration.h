// Who may write: P4Runtime's arbitration between controllers (P4Runtime §5), as a pure state machine.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::p4runtime {

__extension__ typedef unsigned __int128 ElectionId;

// One open stream.
enum class SessionId : uint64_t {};

// What a controller's MasterArbitrationUpdate says. Without an election id it never becomes primary
// (§16.2.1).
struct Claim {
  uint64_t device_id;
  std::string role;  // empty: the default role
  std::optional<ElectionId> election_id;
  bool has_role_config = false;
};

// A MasterArbitrationUpdate that the server owes to a session.
struct Notice {
  SessionId to;
  std::string role;
  std::optional<ElectionId> highest;  // absent until there has been a primary
  absl::StatusCode status;            // OK to the primary; ALREADY_EXISTS or NOT_FOUND to backups
};

class Arbitration {
 public:
  static constexpr size_t kMaxSessions = 64;  // of one role
  static constexpr size_t kMaxRoles = 64;     // each is remembered for ever, with its highest election id

  explicit Arbitration(uint64_t device_id) : device_id_(device_id) { roles_.try_emplace(""); }

  // An error ends the session's stream; the caller then tells on_disconnect.
  absl::StatusOr<std::vector<Notice>> on_update(SessionId session, const Claim& claim);
  std::vector<Notice> on_disconnect(SessionId session);

  bool is_primary(SessionId session) const;

  // May whoever gives this role and election id change the device? NOT_FOUND, PERMISSION_DENIED (§12).
  absl::Status authorise(uint64_t device_id, const std::string& role,
                         std::optional<ElectionId> election_id) const;

 private:
  struct Role {
    std::map<SessionId, std::optional<ElectionId>> sessions;
    std::optional<ElectionId> highest;  // ever seen
    std::optional<SessionId> primary;
  };

  absl::Status admit(SessionId session, const Claim& claim) const;
  static Notice notice(const std::string& name, const Role& role, SessionId to);
  static std::vector<Notice> notify_all(const std::string& name, const Role& role);

  uint64_t device_id_;
  std::map<std::string, Role> roles_;
  std::map<SessionId, std::string> role_of_;
};

}  // namespace sluice::p4runtime
