// The engine `native` on rings. Queues: one a worker.
#pragma once

#include "dataplane/engine/native_engine.h"
#include "tests/support/engine_on_rings.h"

namespace sluice::testing {

using RingNetwork = EngineOnRings<engine::NativeEngine>;

}  // namespace sluice::testing
