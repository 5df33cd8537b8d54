#include "tests/support/eal_environment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>

#include "dataplane/io/eal.h"
#include "tests/support/visible_mempool.h"

namespace sluice::testing {
namespace {

class EalEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override {
    io::EalOptions options;
    options.memory_mb = 512;
    options.file_prefix = fmt::format("sluice_test{}", getpid());
    for (unsigned cpu = 0; cpu < worker_count(); ++cpu) options.worker_cpus.push_back(cpu);
    eal_ = std::make_unique<io::Eal>(options);
#ifdef __SANITIZE_THREAD__
    use_visible_mempool();
#endif
  }
  void TearDown() override { eal_.reset(); }

 private:
  std::unique_ptr<io::Eal> eal_;
};

[[maybe_unused]] const auto* const kEnvironment = ::testing::AddGlobalTestEnvironment(new EalEnvironment);

}  // namespace
}  // namespace sluice::testing
