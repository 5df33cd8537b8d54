#include "tests/fuzz/pdu_session.h"

FUZZ_TARGET(sluice::fuzz::follow_pdu_session)
