#include "tests/fuzz/follow.h"

FUZZ_TARGET(sluice::fuzz::follow_ipv6_options)
