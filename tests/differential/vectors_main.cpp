// Prints random scenarios with what the engine `native` makes of them, one JSON object a line: for targets
// that are driven from outside this process, through network interfaces.
//   differential_vectors FIRST_SEED COUNT PACKETS
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "dataplane/forwarding/state.h"
#include "dataplane/io/eal.h"
#include "dataplane/wire/vlan.h"
#include "tests/differential/generator.h"
#include "tests/differential/target.h"
#include "tests/differential/vector_file.h"

namespace {

namespace wire = sluice::wire;
using sluice::testing::PacketAtPort;

// Linux takes the outer VLAN tag off every frame it receives and looks at the two bytes behind it
// (skb_vlan_untag): a frame that ends before them reaches nobody.
bool is_lost_in_the_kernel(const PacketAtPort& packet) {
  const auto ethernet = wire::parse_ethernet(packet.frame);
  return ethernet && wire::is_vlan(ethernet->header->ether_type()) &&
         ethernet->payload.size() < sizeof(wire::VlanTag) + sizeof(wire::Be16);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sluice::testing;
  if (argc != 4) {
    std::cerr << "usage: differential_vectors FIRST_SEED COUNT PACKETS\n";
    return 2;
  }
  const uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  const uint64_t packets = std::strtoull(argv[3], nullptr, 10);
  sluice::io::EalOptions options;
  options.memory_mb = 512;
  options.file_prefix = "sluice_vectors" + std::to_string(getpid());
  options.worker_cpus = {0};
  const sluice::io::Eal eal(options);
  const auto schemas = ::sluice::forwarding::schemas({});
  auto native = make_native_target();
  for (uint64_t seed = first; seed < first + count; ++seed) {
    auto scenario = random_scenario(schemas, seed, packets);
    const auto left_out = std::erase_if(scenario.packets, is_lost_in_the_kernel);
    auto vector = nlohmann::ordered_json::parse(vector_text({scenario, native->run(scenario)}));
    vector["left_out"] = left_out;
    std::cout << vector.dump() << '\n';
  }
}
