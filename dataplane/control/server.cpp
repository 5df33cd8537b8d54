#include "dataplane/control/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace sluice::control {
namespace {

constexpr size_t kMaxRequest = 1 << 20;
constexpr int kPollMs = 100;
constexpr timeval kClientTimeout{2, 0};  // a client that hangs must not keep the others out for long

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw std::runtime_error(fmt::format("socket '{}': {}: {}", path, what, std::strerror(errno)));
}

bool send_all(int fd, const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::send(fd, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

Server::Server(std::string path, Handler handler) : path_(std::move(path)), handler_(std::move(handler)) {
  const auto folder = std::filesystem::path(path_).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);

  // The lock goes with the process, so that a socket left by a killed one is no obstacle.
  const auto lock_path = path_ + ".lock";
  lock_ = ::open(lock_path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (lock_ < 0) fail(path_, "cannot be created");
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock_);
    throw std::runtime_error(fmt::format("socket '{}': another sluiced is running on it", path_));
  }
  ::unlink(path_.c_str());

  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail(path_, "cannot be bound");
  ::chmod(path_.c_str(), 0660);
  if (::listen(listener_, 16) != 0) fail(path_, "cannot be listened on");
  thread_ = std::thread([this] { run(); });
}

void Server::stop() {
  stop_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
}

Server::~Server() {
  stop();
  if (listener_ >= 0) ::close(listener_);
  ::unlink(path_.c_str());
  ::unlink((path_ + ".lock").c_str());
  if (lock_ >= 0) ::close(lock_);
}

void Server::run() {
  while (!stop_.load(std::memory_order_relaxed)) {
    pollfd ready{listener_, POLLIN, 0};
    if (::poll(&ready, 1, kPollMs) <= 0) continue;
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &kClientTimeout, sizeof kClientTimeout);
    ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &kClientTimeout, sizeof kClientTimeout);
    serve(client);
    ::close(client);
  }
}

void Server::serve(int client) {
  std::string buffer;
  char chunk[16384];
  while (!stop_.load(std::memory_order_relaxed)) {
    const ssize_t n = ::recv(client, chunk, sizeof chunk, 0);
    if (n <= 0) return;
    buffer.append(chunk, static_cast<size_t>(n));
    for (size_t end; (end = buffer.find('\n')) != std::string::npos; buffer.erase(0, end + 1))
      if (!send_all(client, handler_(buffer.substr(0, end)) + "\n")) return;
    if (buffer.size() > kMaxRequest) return;
  }
}

}  // namespace sluice::control
