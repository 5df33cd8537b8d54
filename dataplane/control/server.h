// The Unix socket for local commands: one JSON object a line in, one out.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace sluice::control {

class Server {
 public:
  // Takes a request line, gives a response line (without the newline).
  using Handler = std::function<std::string(const std::string&)>;

  // Throws std::runtime_error, in particular where another process serves this path.
  Server(std::string path, Handler handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // No request is being answered when this returns, and none will be.
  void stop();

 private:
  void run();
  void serve(int client);

  std::string path_;
  Handler handler_;
  int lock_ = -1;
  int listener_ = -1;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace sluice::control
