#include "controlplane/cli/client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "controlplane/cli/failure.h"

namespace sluice::cli {
namespace {

constexpr timeval kAnswerTimeout{30, 0};

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void unreachable(const std::string& socket, const std::string& what) {
  throw Failure(ExitCode::unreachable, fmt::format("{}: {}", socket, what));
}

std::string why_not_connected(int error) {
  switch (error) {
    case ENOENT:
      return "no sluiced runs here: start it, or name its socket with --socket or SLUICE_SOCKET";
    case ECONNREFUSED:
      return "the sluiced that made this socket has ended: start it again";
    case EACCES:
    case EPERM:
      return "permission denied: run as the user or group that runs sluiced";
    default:
      return fmt::format("cannot be connected to: {}", std::strerror(error));
  }
}

void connect(int fd, const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof address.sun_path)
    unreachable(socket, fmt::format("the path is longer than the {} bytes of a socket's",
                                    sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, socket.c_str(), socket.size() + 1);
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &kAnswerTimeout, sizeof kAnswerTimeout);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &kAnswerTimeout, sizeof kAnswerTimeout);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    unreachable(socket, why_not_connected(errno));
}

void send_line(int fd, const std::string& socket, std::string line) {
  line += '\n';
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t n = ::send(fd, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) unreachable(socket, "sluiced closed the connection");
    sent += static_cast<size_t>(n);
  }
}

std::string receive_line(int fd, const std::string& socket) {
  std::string line;
  char chunk[65536];
  for (;;) {
    const ssize_t n = ::recv(fd, chunk, sizeof chunk, 0);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      unreachable(socket, fmt::format("sluiced gave no answer for {} s", kAnswerTimeout.tv_sec));
    if (n <= 0) unreachable(socket, "sluiced closed the connection before it answered");
    const auto* end = static_cast<const char*>(std::memchr(chunk, '\n', static_cast<size_t>(n)));
    line.append(chunk, end ? static_cast<size_t>(end - chunk) : static_cast<size_t>(n));
    if (end) return line;
  }
}

}  // namespace

Json Client::ask(const Json& request) const {
  const Descriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) unreachable(socket_, std::strerror(errno));
  connect(fd.get(), socket_);
  send_line(fd.get(), socket_, request.dump());
  try {
    auto answer = Json::parse(receive_line(fd.get(), socket_));
    if (answer.at("ok").get<bool>()) return std::move(answer.at("result"));
    throw Failure(ExitCode::refused, answer.at("error").get<std::string>());
  } catch (const Json::exception& error) {
    unreachable(socket_, fmt::format("this is no sluiced, or one of another version ({})", error.what()));
  }
}

}  // namespace sluice::cli
