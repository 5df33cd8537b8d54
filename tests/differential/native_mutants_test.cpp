// Every fault planted in the native engine is found by the comparison with swx. The sources of this program are copies
// with the faults in them (mutants/native.py); none of them is awake unless its number says so.
#include <gtest/gtest.h>

#include <array>
#include <iostream>

#include "dataplane/forwarding/state.h"
#include "tests/differential/mutants/planted.h"
#include "tests/differential/mutants_test.h"

namespace sluice::testing {
namespace {

constexpr auto kMutants = std::to_array<const char*>({
#define MUTANT(name) name,
#include "mutants.inc"
#undef MUTANT
});

TEST(NativeMutants, AreAllFound) {
  static_assert(kMutants.size() >= 20);
  const auto schemas = ::sluice::forwarding::schemas({});
  auto native = make_native_target();
  const auto swx = make_swx_target(compiled("forwarding.spec"));
  for (size_t i = 0; i < kMutants.size(); ++i) {
    awake_mutant = static_cast<int>(i + 1);
    const auto seed = found_at(*swx, *native, schemas);
    EXPECT_NE(seed, 0u) << kMutants[i] << " was not found in " << kBudgetStates << " states";
    std::cout << kMutants[i] << ": found in state " << seed << '\n';
    // A fault may have left entries where they cannot be taken out again.
    awake_mutant = 0;
    native.reset();
    native = make_native_target();
  }
}

}  // namespace
}  // namespace sluice::testing
