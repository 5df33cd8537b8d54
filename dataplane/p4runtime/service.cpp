#include "dataplane/p4runtime/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "google/rpc/status.pb.h"

namespace sluice::p4runtime {
namespace {

// How long a stream's last messages may take to leave before it is cut.
constexpr std::chrono::seconds kFarewell{1};

// Both number the canonical codes alike.
grpc::Status to_grpc(const absl::Status& status) {
  return {static_cast<grpc::StatusCode>(status.code()), std::string(status.message())};
}

template <class Response>
grpc::Status answer(absl::StatusOr<Response> result, Response& response) {
  if (!result.ok()) return to_grpc(result.status());
  response = *std::move(result);
  return grpc::Status::OK;
}

}  // namespace

grpc::Status batch_status(const std::vector<absl::Status>& results) {
  const auto failed =
      std::count_if(results.begin(), results.end(), [](const auto& status) { return !status.ok(); });
  if (failed == 0) return grpc::Status::OK;
  google::rpc::Status details;
  details.set_code(static_cast<int>(grpc::StatusCode::UNKNOWN));
  details.set_message(fmt::format("{} of {} updates failed", failed, results.size()));
  for (const auto& result : results) {
    v1::Error error;
    error.set_canonical_code(static_cast<int>(result.code()));
    error.set_message(std::string(result.message()));
    details.add_details()->PackFrom(error);
  }
  return {grpc::StatusCode::UNKNOWN, details.message(), details.SerializeAsString()};
}

grpc::Status Service::Write(grpc::ServerContext*, const v1::WriteRequest* request, v1::WriteResponse*) {
  const auto results = device_.write(*request);
  return results.ok() ? batch_status(*results) : to_grpc(results.status());
}

grpc::Status Service::Read(grpc::ServerContext*, const v1::ReadRequest* request,
                           grpc::ServerWriter<v1::ReadResponse>* writer) {
  return to_grpc(
      device_.read(*request, [writer](const v1::ReadResponse& response) { return writer->Write(response); }));
}

grpc::Status Service::SetForwardingPipelineConfig(grpc::ServerContext*,
                                                  const v1::SetForwardingPipelineConfigRequest* request,
                                                  v1::SetForwardingPipelineConfigResponse*) {
  return to_grpc(device_.set_pipeline(*request));
}

grpc::Status Service::GetForwardingPipelineConfig(grpc::ServerContext*,
                                                  const v1::GetForwardingPipelineConfigRequest* request,
                                                  v1::GetForwardingPipelineConfigResponse* response) {
  return answer(device_.get_pipeline(*request), *response);
}

grpc::Status Service::Capabilities(grpc::ServerContext*, const v1::CapabilitiesRequest* request,
                                   v1::CapabilitiesResponse* response) {
  return answer(device_.capabilities(*request), *response);
}

grpc::Status Service::StreamChannel(
    grpc::ServerContext* context,
    grpc::ServerReaderWriter<v1::StreamMessageResponse, v1::StreamMessageRequest>* stream) {
  Outbox outbox([context] { context->TryCancel(); });
  auto writer = std::async(std::launch::async, [&] {
    while (const auto message = outbox.take())
      if (!stream->Write(*message)) return;
  });
  const auto session = device_.open_session(outbox);
  absl::Status status;
  for (v1::StreamMessageRequest request; status.ok() && stream->Read(&request);)
    status = device_.on_message(session, request);
  device_.close_session(session);
  outbox.close();
  // A controller that does not read would keep the writer, and with it this thread, for ever.
  if (writer.wait_for(kFarewell) != std::future_status::ready) context->TryCancel();
  writer.wait();
  return to_grpc(status);
}

}  // namespace sluice::p4runtime
