#include "dataplane/io/dpdk_log.h"

#include <fmt/format.h>
#include <rte_log.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::io {
namespace {

class Held {
 public:
  void take(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (text.empty()) return;
    const std::lock_guard lock(mutex_);
    if (released_)
      spdlog::warn("DPDK: {}", text);
    else
      lines_.emplace_back(text);
  }

  std::string quote() {
    const std::lock_guard lock(mutex_);
    const auto lines = std::exchange(lines_, {});
    return lines.empty() ? "" : fmt::format(" (DPDK: \"{}\")", lines.front());
  }

  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    for (const auto& line : std::exchange(lines_, {})) spdlog::warn("DPDK: {}", line);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
  bool released_ = false;
};

// Outlives everything that may still log while the process ends.
Held& held() {
  static auto* instance = new Held;
  return *instance;
}

ssize_t write_line(void*, const char* text, size_t size) {
  held().take({text, size});
  return static_cast<ssize_t>(size);
}

}  // namespace

void hold_dpdk_log() {
  FILE* stream = fopencookie(nullptr, "w", cookie_io_functions_t{nullptr, write_line, nullptr, nullptr});
  if (!stream) return;
  setvbuf(stream, nullptr, _IOLBF, BUFSIZ);
  rte_openlog_stream(stream);
}

std::string quote_dpdk_log() { return held().quote(); }

void release_dpdk_log() { held().release(); }

}  // namespace sluice::io
