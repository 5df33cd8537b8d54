// The RPCs of P4Runtime, over a Device.
#pragma once

#include "dataplane/p4runtime/device.h"
#include "p4/v1/p4runtime.grpc.pb.h"

namespace sluice::p4runtime {

class Service final : public v1::P4Runtime::Service {
 public:
  explicit Service(Device& device) : device_(device) {}

  grpc::Status Write(grpc::ServerContext*, const v1::WriteRequest* request, v1::WriteResponse*) override;
  grpc::Status Read(grpc::ServerContext*, const v1::ReadRequest* request,
                    grpc::ServerWriter<v1::ReadResponse>* writer) override;
  grpc::Status SetForwardingPipelineConfig(grpc::ServerContext*,
                                           const v1::SetForwardingPipelineConfigRequest* request,
                                           v1::SetForwardingPipelineConfigResponse*) override;
  grpc::Status GetForwardingPipelineConfig(grpc::ServerContext*,
                                           const v1::GetForwardingPipelineConfigRequest* request,
                                           v1::GetForwardingPipelineConfigResponse* response) override;
  grpc::Status StreamChannel(
      grpc::ServerContext* context,
      grpc::ServerReaderWriter<v1::StreamMessageResponse, v1::StreamMessageRequest>* stream) override;
  grpc::Status Capabilities(grpc::ServerContext*, const v1::CapabilitiesRequest* request,
                            v1::CapabilitiesResponse* response) override;

 private:
  Device& device_;
};

// A batch's answer: OK where all went well, else UNKNOWN with one p4.v1.Error an update (P4Runtime §12.3).
grpc::Status batch_status(const std::vector<absl::Status>& results);

}  // namespace sluice::p4runtime
