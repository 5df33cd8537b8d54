// Every fault planted in the compiled program is found by the comparison with native.
#include <gtest/gtest.h>

#include <iostream>

#include "dataplane/forwarding/state.h"
#include "tests/differential/mutants/swx.h"
#include "tests/differential/mutants_test.h"

namespace sluice::testing {
namespace {

TEST(SwxMutants, AreAllFound) {
  static_assert(kSpecMutants.size() >= 20);
  const auto schemas = ::sluice::forwarding::schemas({});
  const auto spec = compiled("forwarding.spec");
  auto native = make_native_target();
  for (const auto& mutant : kSpecMutants) {
    const auto at = spec.find(mutant.original);
    ASSERT_NE(at, spec.npos) << mutant.name << ": forwarding.spec has changed, and so must the mutant";
    auto text = spec;
    text.replace(at, std::string_view(mutant.original).size(), mutant.changed);
    const auto swx = make_swx_target(text);
    const auto seed = found_at(*native, *swx, schemas);
    EXPECT_NE(seed, 0u) << mutant.name << " was not found in " << kBudgetStates << " states";
    std::cout << mutant.name << ": found in state " << seed << '\n';
  }
}

}  // namespace
}  // namespace sluice::testing
