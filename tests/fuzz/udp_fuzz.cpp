#include "tests/fuzz/follow.h"

FUZZ_TARGET(sluice::fuzz::follow_udp)
