#include "tests/differential/shrink.h"

namespace sluice::testing {
namespace {

// Zeller's ddmin without its complements: chunks of ever smaller size are left out.
template <class Item>
void thin_out(std::vector<Item> Scenario::* list, Scenario& scenario, const std::function<bool(const Scenario&)>& fails) {
  for (size_t chunk = ((scenario.*list).size() + 1) / 2; chunk > 0; chunk = chunk == 1 ? 0 : (chunk + 1) / 2) {
    for (size_t begin = 0; begin < (scenario.*list).size();) {
      Scenario fewer = scenario;
      auto& items = fewer.*list;
      const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
      items.erase(first, first + static_cast<std::ptrdiff_t>(std::min(chunk, items.size() - begin)));
      if (fails(fewer))
        scenario = std::move(fewer);
      else
        begin += chunk;
    }
  }
}

}  // namespace

Scenario shrink(Scenario scenario, const std::function<bool(const Scenario&)>& fails) {
  thin_out(&Scenario::packets, scenario, fails);
  thin_out(&Scenario::entries, scenario, fails);
  return scenario;
}

}  // namespace sluice::testing
