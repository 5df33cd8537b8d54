#include "tests/fuzz/follow.h"

FUZZ_TARGET([](sluice::wire::Bytes in) { sluice::fuzz::follow_icmpv6(in, sluice::fuzz::Quoted::no); })
