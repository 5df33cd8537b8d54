// The bound of `forward` with many routes: rte_lpm's bulk lookup alone, on the destinations of the same packets.
//   lpm_bound ROUTES ADDRESSES ROUNDS EAL-OPTIONS...
// ROUTES has one "prefix depth next_hop" of decimal numbers a line; ADDRESSES is raw uint32, host order.
// Prints one JSON object: lookups a CPU-second of each round for each burst size.
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_lpm.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

constexpr double kRoundSeconds = 0.4;

struct Closer {
  void operator()(rte_lpm* lpm) const { rte_lpm_free(lpm); }
};
using LpmPtr = std::unique_ptr<rte_lpm, Closer>;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "lpm_bound: %s\n", what.c_str());
  std::exit(1);
}

LpmPtr load_routes(const char* path) {
  std::ifstream in(path);
  const rte_lpm_config config{.max_rules = 1u << 20, .number_tbl8s = 1u << 14, .flags = 0};
  LpmPtr lpm(rte_lpm_create("bound", SOCKET_ID_ANY, &config));
  if (!lpm) fail("no memory for the table");
  uint32_t prefix, depth, next_hop;
  while (in >> prefix >> depth >> next_hop)
    if (rte_lpm_add(lpm.get(), prefix, static_cast<uint8_t>(depth), next_hop) != 0) fail("a route is refused");
  if (!in.eof()) fail(std::string("cannot read ") + path);
  return lpm;
}

std::vector<uint32_t> load_addresses(const char* path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::vector<uint32_t> addresses(static_cast<size_t>(in.tellg()) / sizeof(uint32_t));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(addresses.data()), static_cast<std::streamsize>(addresses.size() * sizeof(uint32_t)));
  if (!in || addresses.empty()) fail(std::string("cannot read ") + path);
  return addresses;
}

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// One pass over all addresses; how many have a route.
template <size_t kBurst>
size_t look_up_all(const rte_lpm* lpm, const std::vector<uint32_t>& addresses) {
  uint32_t results[kBurst];
  size_t found = 0;
  for (size_t i = 0; i + kBurst <= addresses.size(); i += kBurst) {
    rte_lpm_lookup_bulk(lpm, &addresses[i], results, kBurst);
    for (const uint32_t result : results) found += (result & RTE_LPM_LOOKUP_SUCCESS) != 0;
  }
  return found;
}

template <size_t kBurst>
std::vector<double> rates(const rte_lpm* lpm, const std::vector<uint32_t>& addresses, int rounds) {
  const size_t a_pass = addresses.size() / kBurst * kBurst;
  std::vector<double> out;
  for (int round = 0; round < rounds; ++round) {
    size_t done = 0;
    const double start = thread_cpu_seconds();
    double end = start;
    for (; end - start < kRoundSeconds; end = thread_cpu_seconds()) {
      if (look_up_all<kBurst>(lpm, addresses) != a_pass) fail("an address has no route");
      done += a_pass;
    }
    out.push_back(static_cast<double>(done) / (end - start));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) fail("usage: lpm_bound ROUTES ADDRESSES ROUNDS EAL-OPTIONS...");
  std::vector<char*> eal_arguments(argv + 3, argv + argc);  // its first stands for the program's name
  if (rte_eal_init(static_cast<int>(eal_arguments.size()), eal_arguments.data()) < 0) fail("EAL does not start");
  {
    const LpmPtr lpm = load_routes(argv[1]);
    const std::vector<uint32_t> addresses = load_addresses(argv[2]);
    const int rounds = std::atoi(argv[3]);
    const nlohmann::json out{{"tsc_hz", rte_get_tsc_hz()},
                             {"burst_32", rates<32>(lpm.get(), addresses, rounds)},
                             {"burst_256", rates<256>(lpm.get(), addresses, rounds)}};
    std::printf("%s\n", out.dump().c_str());
  }
  rte_eal_cleanup();
}
