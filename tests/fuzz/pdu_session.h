#pragma once

#include "dataplane/wire/pdu_session.h"

#include "tests/fuzz/fuzz.h"

namespace sluice::fuzz {

inline void follow_pdu_session(Bytes bytes) {
  const Exact in(bytes);
  const auto session = wire::parse_pdu_session(in);
  if (!session) return;
  require_same_bytes(*session, in);
  require(static_cast<uint8_t>(wire::qfi_of(*session)) < 64, "QFI beyond six bits");
}

}  // namespace sluice::fuzz
