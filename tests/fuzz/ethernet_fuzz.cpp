#include "dataplane/wire/ethernet.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET([](sluice::wire::Bytes in) {
  const auto view = sluice::wire::parse_ethernet(in);
  if (view) sluice::fuzz::require_same_bytes(*view, in);
})
