// One engine as a P4Runtime device: everything that the RPCs do, without gRPC.
#pragma once

#include <absl/status/statusor.h>

#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "dataplane/p4runtime/arbitration.h"
#include "dataplane/p4runtime/notes.h"
#include "dataplane/p4runtime/pipeline.h"
#include "dataplane/p4runtime/sessions.h"

namespace sluice::p4runtime {

class Device {
 public:
  // Takes the engine's packet-ins, so it is made before the engine starts.
  Device(engine::Engine& engine, uint64_t device_id);

  // One status an update; an error where none was tried.
  absl::StatusOr<std::vector<absl::Status>> write(const v1::WriteRequest& request);
  // `send` returns false when the client has gone. What is sent is one moment's state.
  absl::Status read(const v1::ReadRequest& request,
                    const std::function<bool(const v1::ReadResponse&)>& send) const;
  absl::Status set_pipeline(const v1::SetForwardingPipelineConfigRequest& request);
  absl::StatusOr<v1::GetForwardingPipelineConfigResponse> get_pipeline(
      const v1::GetForwardingPipelineConfigRequest& request) const;
  absl::StatusOr<v1::CapabilitiesResponse> capabilities(const v1::CapabilitiesRequest& request) const;

  SessionId open_session(Outbox& outbox) { return sessions_.open(outbox); }
  // An error ends the stream.
  absl::Status on_message(SessionId session, const v1::StreamMessageRequest& message);
  void close_session(SessionId session);

 private:
  absl::Status check_device(uint64_t device_id) const;
  absl::Status on_arbitration(SessionId session, const v1::MasterArbitrationUpdate& update);
  absl::Status send_packet_out(SessionId session, const v1::PacketOut& packet);
  void on_packet_in(const engine::PacketIn& packet);
  void adopt(Pipeline pipeline);

  engine::Engine& engine_;
  const uint64_t device_id_;
  Sessions sessions_;

  // Readers share it. A Write and a change of primary exclude each other: a new primary writes only after
  // what its predecessor had begun (P4Runtime §5.3).
  mutable std::shared_mutex state_mutex_;
  Arbitration arbitration_;
  Notes notes_;
  std::optional<v1::ForwardingPipelineConfig> config_;
  bool has_uncommitted_config_ = false;

  // By itself, so that packets do not wait for a long Write.
  std::shared_ptr<const Program> program() const;
  mutable std::mutex program_mutex_;
  std::shared_ptr<const Program> program_;
};

}  // namespace sluice::p4runtime
