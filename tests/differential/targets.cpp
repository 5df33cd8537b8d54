#include <fstream>
#include <iterator>

#include "dataplane/engine/native_engine.h"
#include "dataplane/p4/swx_engine.h"
#include "tests/differential/ring_target.h"
#include "tests/support/eal_environment.h"

namespace sluice::testing {
namespace {

class NativeTarget final : public RingTarget<engine::NativeEngine> {};

class SwxTarget final : public RingTarget<p4::SwxEngine, SwxTargetBase> {
 public:
  explicit SwxTarget(const p4::SwxProgram& program) : RingTarget(program) {}

  std::map<std::string, uint64_t> lookups() override {
    std::map<std::string, uint64_t> result;
    for (const auto& table : engine().table_statistics()) {
      result[table.table + " hit"] = table.hits;
      result[table.table + " miss"] = table.misses;
      for (const auto& [action, count] : table.actions) result[table.table + "." + action] = count;
    }
    return result;
  }
};

}  // namespace

config::Config scenario_config() {
  config::Config config = config_from_text("lcores { id: 0 } eal { buffers: 8000 } agent { off: true }");
  for (PortNumber port = 0; port < kScenarioPorts; ++port) {
    auto* added = config.add_ports();
    added->set_name(port_name(port));
    added->set_mode(config::BRIDGED);
    added->set_bridge(port < kScenarioPorts - 1 ? kBridge : kLonelyBridge);
  }
  return config;
}

tables::Names scenario_names() {
  tables::Names names;
  for (PortNumber port = 0; port < kScenarioPorts; ++port) names.ports.push_back(port_name(port));
  for (const auto& cause : kPuntCauses) names.causes.emplace_back(cause.name);
  return names;
}

std::unique_ptr<Target> make_native_target() { return std::make_unique<NativeTarget>(); }

std::string compiled(const std::string& name) {
  std::ifstream stream(SLUICE_SOURCE_DIR "/p4/compiled/" + name);
  if (!stream) throw std::runtime_error("p4/compiled/" + name + " cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::unique_ptr<SwxTargetBase> make_swx_target(const std::string& spec) {
  p4::SwxProgram program{"forwarding", "forwarding.spec", spec, {}};
  for (const auto& schema : ::sluice::forwarding::schemas({})) program.tables.push_back(tables::describe(schema));
  return std::make_unique<SwxTarget>(program);
}

}  // namespace sluice::testing
