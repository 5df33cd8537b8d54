// What the local socket can be asked, and the answers as JSON.
//
//   request   {"command": NAME, ...}
//   response  {"ok": true, "result": ...} or {"ok": false, "code": CODE, "error": TEXT}
#pragma once

#include <chrono>
#include <string>

#include "dataplane/engine/local_engine.h"

namespace sluice::control {

class Commands {
 public:
  explicit Commands(engine::LocalEngine& engine);

  // One request line to one response line; never throws.
  std::string answer(const std::string& request) const;

 private:
  engine::LocalEngine& engine_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace sluice::control
