// The open streams. Has a lock of its own, so that a packet-in never waits for a long Write.
#pragma once

#include <map>
#include <mutex>
#include <span>

#include "dataplane/p4runtime/arbitration.h"
#include "dataplane/p4runtime/outbox.h"

namespace sluice::p4runtime {

class Sessions {
 public:
  explicit Sessions(uint64_t device_id) : device_id_(device_id) {}

  // The outbox must live until close().
  SessionId open(Outbox& outbox);
  void close(SessionId session);

  // Sends the notices in their order, and notes who is primary by them.
  void notify(std::span<const Notice> notices);
  // Dropped where the controller reads too slowly.
  void offer(SessionId to, v1::StreamMessageResponse message);
  void offer_to_primaries(const v1::StreamMessageResponse& message);
  bool has_primary() const;

 private:
  struct Session {
    Outbox* outbox;
    bool is_primary = false;
  };

  uint64_t device_id_;
  mutable std::mutex mutex_;
  std::map<SessionId, Session> sessions_;
  uint64_t next_ = 1;
};

}  // namespace sluice::p4runtime
