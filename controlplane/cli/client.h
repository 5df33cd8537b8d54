// Asks sluiced over its Unix socket: one JSON object a line there, one back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sluice::cli {

using Json = nlohmann::ordered_json;

class Client {
 public:
  explicit Client(std::string socket) : socket_(std::move(socket)) {}

  // The result of a request {"command": NAME, ...}. Throws Failure: `refused` with the daemon's words, or
  // `unreachable`. Each request has a connection of its own, because sluiced serves one at a time and a
  // person reading page one of a table must not keep others waiting.
  Json ask(const Json& request) const;

  const std::string& socket() const { return socket_; }

 private:
  std::string socket_;
};

}  // namespace sluice::cli
