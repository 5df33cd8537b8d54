// DPDK's environment, started once for the process and cleaned up at its end.
#pragma once

#include <string>
#include <vector>

namespace sluice::io {

struct EalOptions {
  bool hugepages = false;
  bool telemetry = false;
  bool pci = false;              // only where a port needs it: probing would take a virtual machine's only NIC
  unsigned memory_mb = 768;
  std::string file_prefix = "sluice";
  std::vector<unsigned> worker_cpus;  // EAL lcore 1 is pinned to the first of them, and so on
};

class Eal {
 public:
  // Throws std::runtime_error with what to do about it.
  explicit Eal(const EalOptions& options);
  ~Eal();
  Eal(const Eal&) = delete;
  Eal& operator=(const Eal&) = delete;
};

}  // namespace sluice::io
