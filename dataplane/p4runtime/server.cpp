#include "dataplane/p4runtime/server.h"

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sluice::p4runtime {
namespace {

constexpr int kMaxMessage = 64 << 20;  // a bundle with its .spec, or a batch of some 500,000 routes
constexpr int kMaxThreads = 128;       // each stream and each RPC in progress has one
constexpr std::chrono::seconds kStopTime{1};

// gRPC's own lines are for its developers; what a user needs comes back as a status or an exception.
void quieten_grpc() {
  gpr_set_log_function([](gpr_log_func_args* line) { spdlog::debug("grpc: {}", line->message); });
}

std::string read_file(std::string_view field, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("p4runtime.{}: '{}' cannot be read", field, path));
  return content.str();
}

std::shared_ptr<grpc::ServerCredentials> credentials(const ServerOptions& options) {
  if (options.certificate.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions tls(options.client_ca.empty()
                                            ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                            : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_key_cert_pairs.push_back(
      {read_file("private_key", options.private_key), read_file("certificate", options.certificate)});
  if (!options.client_ca.empty()) tls.pem_root_certs = read_file("client_ca", options.client_ca);
  return grpc::SslServerCredentials(tls);
}

}  // namespace

Server::Server(engine::Engine& engine, ServerOptions options)
    : options_(std::move(options)), device_(engine, options_.device_id), service_(device_) {}

Server::~Server() { stop(); }

int Server::start() {
  quieten_grpc();
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(options_.listen, credentials(options_), &port);
  builder.RegisterService(&service_);
  builder.SetMaxReceiveMessageSize(kMaxMessage);
  builder.SetResourceQuota(grpc::ResourceQuota("p4runtime").SetMaxThreads(kMaxThreads));
  // Otherwise a second sluiced would silently share the port, and clients would reach either.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  server_ = builder.BuildAndStart();
  if (!server_ || port == 0)
    throw std::runtime_error(
        fmt::format("p4runtime.listen: '{}' cannot be listened on (is it in use? are the TLS files good?)",
                    options_.listen));
  return port;
}

void Server::stop() {
  if (!server_) return;
  server_->Shutdown(std::chrono::system_clock::now() + kStopTime);
  server_->Wait();
  server_.reset();
}

}  // namespace sluice::p4runtime
