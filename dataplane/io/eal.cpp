#include "dataplane/io/eal.h"

#include <fmt/format.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "dataplane/io/dpdk_log.h"

namespace sluice::io {
namespace {

// CPUs for the control side: those that no worker polls on, or all where there are no others.
std::string control_cpus(const std::vector<unsigned>& worker_cpus) {
  std::string all, spare;
  for (unsigned cpu = 0; cpu < std::thread::hardware_concurrency(); ++cpu) {
    all += fmt::format("{}{}", all.empty() ? "" : ",", cpu);
    if (std::find(worker_cpus.begin(), worker_cpus.end(), cpu) == worker_cpus.end())
      spare += fmt::format("{}{}", spare.empty() ? "" : ",", cpu);
  }
  return spare.empty() ? all : spare;
}

// Lcore 0 is the control side; workers are pinned.
std::string lcore_map(const std::vector<unsigned>& worker_cpus) {
  std::string map = fmt::format("0@({})", control_cpus(worker_cpus));
  for (size_t i = 0; i < worker_cpus.size(); ++i) map += fmt::format(",{}@{}", i + 1, worker_cpus[i]);
  return map;
}

std::vector<std::string> arguments(const EalOptions& options) {
  std::vector<std::string> args{"sluiced",
                                "--lcores", lcore_map(options.worker_cpus),
                                "--main-lcore", "0",
                                "--file-prefix", options.file_prefix,
                                "-m", fmt::format("{}", options.memory_mb),
                                "--log-level", "*:error"};
  if (!options.pci) args.push_back("--no-pci");
  if (!options.telemetry) args.push_back("--no-telemetry");
  // --in-memory is refused without huge pages. memif's zero copy and vhost want one file a segment.
  if (options.hugepages) {
    args.push_back("--in-memory");
    args.push_back("--single-file-segments");
  } else {
    args.push_back("--no-huge");
    if (!options.telemetry) args.push_back("--no-shconf");
  }
  return args;
}

}  // namespace

Eal::Eal(const EalOptions& options) {
  auto args = arguments(options);
  std::vector<char*> argv;
  for (auto& arg : args) argv.push_back(arg.data());
  hold_dpdk_log();
  rte_log_set_global_level(RTE_LOG_ERR);
  if (rte_eal_init(static_cast<int>(argv.size()), argv.data()) < 0)
    throw std::runtime_error(fmt::format(
        "eal: DPDK did not start: {}{}{}", rte_strerror(rte_errno), quote_dpdk_log(),
        options.hugepages ? " (huge pages: is vm.nr_hugepages large enough for eal.memory_mb?)" : ""));
}

Eal::~Eal() { rte_eal_cleanup(); }

}  // namespace sluice::io
