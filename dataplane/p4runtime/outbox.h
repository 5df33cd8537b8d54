// Messages on their way to one controller. Whoever puts one in never waits for a controller that does not
// read.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "dataplane/p4runtime/messages.h"

namespace sluice::p4runtime {

class Outbox {
 public:
  static constexpr size_t kMaxPackets = 1024;   // further packets and error reports are dropped
  static constexpr size_t kMaxMessages = 2048;  // with further notices the controller is given up

  // `give_up` ends the stream; it is called at most once.
  explicit Outbox(std::function<void()> give_up) : give_up_(std::move(give_up)) {}

  // False where the message was dropped.
  bool offer(v1::StreamMessageResponse message) {
    const std::lock_guard lock(mutex_);
    if (closed_ || messages_.size() >= kMaxPackets) return false;
    put(std::move(message));
    return true;
  }

  // For what a controller must not miss: notices of arbitration.
  void insist(v1::StreamMessageResponse message) {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    if (messages_.size() < kMaxMessages) return put(std::move(message));
    closed_ = true;
    give_up_();
    changed_.notify_one();
  }

  // Waits; nothing once the outbox is closed and empty.
  std::optional<v1::StreamMessageResponse> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !messages_.empty(); });
    if (messages_.empty()) return std::nullopt;
    auto message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

 private:
  void put(v1::StreamMessageResponse message) {
    messages_.push_back(std::move(message));
    changed_.notify_one();
  }

  std::function<void()> give_up_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::StreamMessageResponse> messages_;
  bool closed_ = false;
};

}  // namespace sluice::p4runtime
