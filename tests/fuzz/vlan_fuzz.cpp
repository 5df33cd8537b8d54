#include "tests/fuzz/follow.h"

FUZZ_TARGET([](sluice::wire::Bytes in) { sluice::fuzz::follow_tagged(sluice::wire::EtherType::vlan, in); })
