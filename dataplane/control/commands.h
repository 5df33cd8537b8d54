// What the local socket can be asked, and the answers as JSON.
//
//   request   {"command": NAME, ...}
//   response  {"ok": true, "result": ...} or {"ok": false, "code": CODE, "error": TEXT}
#pragma once

#include <string>

#include "dataplane/engine/native_engine.h"

namespace sluice::control {

class Commands {
 public:
  explicit Commands(engine::NativeEngine& engine);

  // One request line to one response line; never throws.
  std::string answer(const std::string& request) const;

 private:
  engine::NativeEngine& engine_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace sluice::control
