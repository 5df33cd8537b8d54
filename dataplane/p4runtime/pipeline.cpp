#include "dataplane/p4runtime/pipeline.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include "sluice/bundle.pb.h"

namespace sluice::p4runtime {
namespace {

absl::Status check_artefact(std::string_view name, const bundle::Artefact& artefact) {
  unsigned char hash[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(artefact.content().data()), artefact.content().size(), hash);
  const std::string_view computed(reinterpret_cast<const char*>(hash), sizeof hash);
  if (artefact.sha256() == computed) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("p4_device_config.{}: does not have the SHA-256 that the bundle gives", name));
}

absl::Status check_bundle(const std::string& device_config, const engine::Engine& engine) {
  bundle::Bundle bundle;
  if (device_config.empty() || !bundle.ParseFromString(device_config))
    return absl::InvalidArgumentError(
        "p4_device_config: is not a sluice.bundle.Bundle (p4/bundle makes one)");
  if (bundle.program() != engine.program())
    return absl::InvalidArgumentError(
        fmt::format("p4_device_config.program: is '{}', but engine {} runs '{}'", bundle.program(),
                    engine.name(), engine.program()));
  if (bundle.has_spec())
    if (auto status = check_artefact("spec", bundle.spec()); !status.ok()) return status;
  return bundle.has_bmv2_json() ? check_artefact("bmv2_json", bundle.bmv2_json()) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<Pipeline> verify(const v1::ForwardingPipelineConfig& config, const engine::Engine& engine) {
  if (!config.has_p4info()) return absl::InvalidArgumentError("config.p4info: is missing");
  if (auto status = check_bundle(config.p4_device_config(), engine); !status.ok()) return status;
  auto program = Program::make(config.p4info(), engine);
  if (!program.ok()) return program.status();
  return Pipeline{config, *std::move(program)};
}

}  // namespace sluice::p4runtime
