// The P4Runtime server of sluiced: a gRPC server on threads of its own.
#pragma once

#include <grpcpp/server.h>

#include <memory>
#include <string>

#include "dataplane/p4runtime/device.h"
#include "dataplane/p4runtime/service.h"

namespace sluice::p4runtime {

struct ServerOptions {
  std::string listen;  // 127.0.0.1:9559; port 0 takes a free one
  uint64_t device_id = 1;
  // Files in PEM. With a certificate the server speaks TLS only; with a CA it asks clients for a certificate
  // by it.
  std::string certificate, private_key, client_ca;
};

class Server {
 public:
  // Before the engine starts: it is told where packet-ins go.
  Server(engine::Engine& engine, ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Throws std::runtime_error. Returns the port.
  int start();
  // Ends all streams; no request is being answered when this returns. Packet-ins then go nowhere.
  void stop();

 private:
  ServerOptions options_;
  Device device_;
  Service service_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace sluice::p4runtime
