#include "dataplane/p4runtime/device.h"

#include <fmt/format.h>

#include <mutex>

#include "dataplane/p4runtime/capabilities.h"
#include "dataplane/p4runtime/packet_io.h"
#include "dataplane/p4runtime/reads.h"
#include "dataplane/p4runtime/updates.h"

namespace sluice::p4runtime {
namespace {

constexpr auto kApiVersion = "1.4.0";
constexpr int kEntitiesPerResponse = 256;

template <class Request>
std::optional<ElectionId> election_id_of(const Request& request) {
  if (!request.has_election_id()) return std::nullopt;
  return ElectionId{request.election_id().high()} << 64 | request.election_id().low();
}

absl::Status no_pipeline() {
  return absl::FailedPreconditionError("no forwarding pipeline config has been set");
}

// Sends entities in responses of a bounded size.
class Sender {
 public:
  explicit Sender(const std::function<bool(const v1::ReadResponse&)>& send) : send_(send) {}

  bool add(v1::Entity entity) {
    *response_.add_entities() = std::move(entity);
    return response_.entities_size() < kEntitiesPerResponse || flush();
  }
  bool flush() {
    const bool sent = response_.entities().empty() || send_(response_);
    response_.Clear();
    return sent;
  }

 private:
  const std::function<bool(const v1::ReadResponse&)>& send_;
  v1::ReadResponse response_;
};

}  // namespace

Device::Device(engine::Engine& engine, uint64_t device_id)
    : engine_(engine), device_id_(device_id), sessions_(device_id), arbitration_(device_id) {
  engine_.on_packet_in([this](const engine::PacketIn& packet) { on_packet_in(packet); });
}

std::shared_ptr<const Program> Device::program() const {
  const std::lock_guard lock(program_mutex_);
  return program_;
}

absl::Status Device::check_device(uint64_t device_id) const {
  if (device_id == device_id_) return absl::OkStatus();
  return absl::NotFoundError(
      fmt::format("device_id: {} is not this device's, which is {}", device_id, device_id_));
}

absl::StatusOr<std::vector<absl::Status>> Device::write(const v1::WriteRequest& request) {
  const std::lock_guard lock(state_mutex_);
  if (auto status = arbitration_.authorise(request.device_id(), request.role(), election_id_of(request));
      !status.ok())
    return status;
  const auto program = this->program();
  if (!program) return no_pipeline();
  switch (request.atomicity()) {
    case v1::WriteRequest::CONTINUE_ON_ERROR:
      return apply(request.updates(), *program, engine_, notes_);
    case v1::WriteRequest::ROLLBACK_ON_ERROR:
      return refuse_feature(engine_.name(), Feature::rollback_on_error);
    case v1::WriteRequest::DATAPLANE_ATOMIC:
      return refuse_feature(engine_.name(), Feature::dataplane_atomic);
    default:
      return absl::InvalidArgumentError(
          fmt::format("atomicity: {} is unknown", static_cast<int>(request.atomicity())));
  }
}

absl::Status Device::read(const v1::ReadRequest& request,
                          const std::function<bool(const v1::ReadResponse&)>& send) const {
  if (auto status = check_device(request.device_id()); !status.ok()) return status;
  const auto program = this->program();
  if (!program) return no_pipeline();
  Selection selection;
  {
    const std::shared_lock lock(state_mutex_);
    for (const auto& entity : request.entities())
      if (auto status = select(entity, *program, engine_, notes_, selection); !status.ok()) return status;
  }
  // Without the lock: a client that reads slowly must not keep writers out.
  Sender sender(send);
  for (const auto& selected : selection.entries)
    if (!sender.add(to_entity(selected))) return absl::CancelledError("the client has gone");
  for (auto& message : selection.messages)
    if (!sender.add(std::move(message))) return absl::CancelledError("the client has gone");
  return sender.flush() ? absl::OkStatus() : absl::CancelledError("the client has gone");
}

void Device::adopt(Pipeline pipeline) {
  config_ = std::move(pipeline.config);
  const std::lock_guard lock(program_mutex_);
  program_ = std::move(pipeline.program);
}

absl::Status Device::set_pipeline(const v1::SetForwardingPipelineConfigRequest& request) {
  using Request = v1::SetForwardingPipelineConfigRequest;
  const std::lock_guard lock(state_mutex_);
  if (auto status = arbitration_.authorise(request.device_id(), request.role(), election_id_of(request));
      !status.ok())
    return status;
  if (request.action() == Request::COMMIT) {
    if (request.has_config()) return absl::InvalidArgumentError("config: must not be given with COMMIT");
    if (!has_uncommitted_config_)
      return absl::NotFoundError("no config has been saved since the last commit");
    has_uncommitted_config_ = false;
    return absl::OkStatus();
  }
  if (request.action() == Request::RECONCILE_AND_COMMIT)
    if (auto status = require(engine_.name(), Feature::reconcile_and_commit); !status.ok()) return status;
  if (!Request::Action_IsValid(request.action()) || request.action() == Request::UNSPECIFIED)
    return absl::InvalidArgumentError("action: is missing or unknown");

  auto pipeline = verify(request.config(), engine_);
  if (!pipeline.ok()) return pipeline.status();
  if (request.action() == Request::VERIFY) return absl::OkStatus();
  if (request.action() == Request::VERIFY_AND_COMMIT) clear_controller_entries(engine_.tables(), notes_);
  // The engine runs this very program already, so that a commit has nothing to exchange but the controller's
  // ids.
  has_uncommitted_config_ = request.action() == Request::VERIFY_AND_SAVE;
  adopt(*std::move(pipeline));
  return absl::OkStatus();
}

absl::StatusOr<v1::GetForwardingPipelineConfigResponse> Device::get_pipeline(
    const v1::GetForwardingPipelineConfigRequest& request) const {
  using Request = v1::GetForwardingPipelineConfigRequest;
  if (auto status = check_device(request.device_id()); !status.ok()) return status;
  const auto type = request.response_type();
  if (!Request::ResponseType_IsValid(type)) return absl::InvalidArgumentError("response_type: is unknown");
  v1::GetForwardingPipelineConfigResponse response;
  const std::shared_lock lock(state_mutex_);
  if (!config_) return response;
  auto& config = *response.mutable_config();
  if (config_->has_cookie()) *config.mutable_cookie() = config_->cookie();
  if (type == Request::ALL || type == Request::P4INFO_AND_COOKIE)
    *config.mutable_p4info() = config_->p4info();
  if (type == Request::ALL || type == Request::DEVICE_CONFIG_AND_COOKIE)
    config.set_p4_device_config(config_->p4_device_config());
  return response;
}

absl::StatusOr<v1::CapabilitiesResponse> Device::capabilities(const v1::CapabilitiesRequest& request) const {
  // Without a device the question is about the server, which has one version.
  if (request.device_id() != 0)
    if (auto status = check_device(request.device_id()); !status.ok()) return status;
  v1::CapabilitiesResponse response;
  response.set_p4runtime_api_version(kApiVersion);
  return response;
}

absl::Status Device::on_message(SessionId session, const v1::StreamMessageRequest& message) {
  const auto report = [&](const absl::Status& status, auto fill_details) {
    v1::StreamMessageResponse response;
    auto& error = *response.mutable_error();
    error.set_canonical_code(static_cast<int>(status.code()));
    error.set_message(std::string(status.message()));
    fill_details(error);
    sessions_.offer(session, std::move(response));
    return absl::OkStatus();
  };
  switch (message.update_case()) {
    case v1::StreamMessageRequest::kArbitration:
      return on_arbitration(session, message.arbitration());
    case v1::StreamMessageRequest::kPacket: {
      const auto status = send_packet_out(session, message.packet());
      if (status.ok()) return status;
      return report(
          status, [&](auto& error) { *error.mutable_packet_out()->mutable_packet_out() = message.packet(); });
    }
    case v1::StreamMessageRequest::kDigestAck:
      return report(refuse_feature(engine_.name(), Feature::digest), [&](auto& error) {
        *error.mutable_digest_list_ack()->mutable_digest_list_ack() = message.digest_ack();
      });
    default:
      return report(absl::InvalidArgumentError("stream message: of no known kind"),
                    [&](auto& error) { *error.mutable_other()->mutable_other() = message.other(); });
  }
}

absl::Status Device::on_arbitration(SessionId session, const v1::MasterArbitrationUpdate& update) {
  const Claim claim{update.device_id(), update.role().name(), election_id_of(update),
                    update.role().has_config()};
  const std::lock_guard lock(state_mutex_);
  const auto notices = arbitration_.on_update(session, claim);
  if (!notices.ok()) return notices.status();
  sessions_.notify(*notices);
  return absl::OkStatus();
}

void Device::close_session(SessionId session) {
  const std::lock_guard lock(state_mutex_);
  sessions_.close(session);
  sessions_.notify(arbitration_.on_disconnect(session));
}

absl::Status Device::send_packet_out(SessionId session, const v1::PacketOut& packet) {
  {
    const std::shared_lock lock(state_mutex_);
    if (!arbitration_.is_primary(session))
      return absl::PermissionDeniedError("packet_out: only a primary controller may send");
  }
  if (auto status = require(engine_.name(), Feature::packet_out); !status.ok()) return status;
  const auto program = this->program();
  if (!program) return no_pipeline();
  const auto out = packet_out_from(program->p4info(), packet);
  if (!out.ok()) return out.status();
  return engine_.send(out->port, out->frame);
}

void Device::on_packet_in(const engine::PacketIn& packet) {
  if (!sessions_.has_primary()) return;
  const auto program = this->program();
  if (!program) return;
  v1::StreamMessageResponse message;
  *message.mutable_packet() = packet_in_message(program->p4info(), packet);
  sessions_.offer_to_primaries(message);
}

}  // namespace sluice::p4runtime
