#include "tests/fuzz/follow.h"

FUZZ_TARGET([](sluice::wire::Bytes in) { sluice::fuzz::follow_ipv4(in, sluice::fuzz::Quoted::no); })
