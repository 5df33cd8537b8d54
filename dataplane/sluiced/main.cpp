// sluiced: the data plane's daemon.
#include <fmt/format.h>
#include <signal.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "dataplane/config/config.h"
#include "dataplane/control/commands.h"
#include "dataplane/control/server.h"
#include "dataplane/engine/native_engine.h"
#include "dataplane/io/dpdk_log.h"
#include "dataplane/io/eal.h"
#include "dataplane/p4runtime/server.h"
#include "dataplane/sluiced/engines.h"

namespace {

using namespace sluice;

struct Options {
  std::string config;
  std::string socket;
  bool check = false;
};

int complain(const std::string& what) {
  std::cerr << "sluiced: " << what << '\n';
  return EXIT_FAILURE;
}

// Blocked before any thread starts, so that only wait_for_signal() gets them.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void warn_of_open_ends(const config::Config& config) {
  if (config.engine() == config::SWX) return spdlog::info("engine swx has no agent: ARP, ND and ICMP are the controller's");
  for (const auto& port : config.ports())
    if (port.mode() == config::ROUTED && port.addresses().empty())
      spdlog::info("port '{}' has no addresses: it answers no ARP and sends no ICMP", port.name());
}

std::unique_ptr<p4runtime::Server> make_p4runtime(const config::P4Runtime& config, engine::Engine& engine) {
  if (config.listen().empty()) return nullptr;
  return std::make_unique<p4runtime::Server>(
      engine, p4runtime::ServerOptions{config.listen(), config.device_id(), config.certificate(), config.private_key(), config.client_ca()});
}

void announce(const config::P4Runtime& config, int port) {
  const char* how = config.certificate().empty() ? "without TLS" : config.client_ca().empty() ? "TLS" : "TLS with client certificates";
  spdlog::info("P4Runtime on {} (port {}), device {}, {}", config.listen(), port, config.device_id(), how);
}

int serve(const config::Config& config, const MakeEngine& make_engine) {
  const auto signals = block_signals();
  warn_of_open_ends(config);
  // The engine is made before the socket answers, and the socket's path is claimed before the ports are.
  std::unique_ptr<control::Commands> commands;
  std::atomic<const control::Commands*> ready{nullptr};
  control::Server server(config.socket(), [&ready](const std::string& request) {
    const auto* answering = ready.load(std::memory_order_acquire);
    return answering ? answering->answer(request)
                     : std::string(R"({"ok": false, "code": "UNAVAILABLE", "error": "sluiced is starting"})");
  });
  const io::Eal eal(engine::eal_options(config));
  std::unique_ptr<p4runtime::Server> p4runtime;  // outlives the engine, whose packet-ins it takes
  const auto engine = make_engine();
  commands = std::make_unique<control::Commands>(*engine);
  p4runtime = make_p4runtime(config.p4runtime(), *engine);
  engine->start();
  if (p4runtime) announce(config.p4runtime(), p4runtime->start());
  ready.store(commands.get(), std::memory_order_release);
  io::release_dpdk_log();
  spdlog::info("sluiced {} ready: engine {}, {} ports, {} lcores, socket {}", SLUICE_VERSION, engine->name(), config.ports_size(),
               config.lcores_size(), config.socket());

  int signal = 0;
  sigwait(&signals, &signal);
  spdlog::info("{}: draining", strsignal(signal));
  ready.store(nullptr, std::memory_order_release);
  server.stop();
  if (p4runtime) p4runtime->stop();
  const unsigned missing = engine->stop();
  const auto totals = engine->totals();
  spdlog::info("stopped: {} received, {} transmitted, {} dropped, {} punted, {} buffers missing", totals.received,
               totals.transmitted, totals.dropped, totals.punted, missing);
  return EXIT_SUCCESS;
}

int run(const Options& options) {
  auto config = config::load(options.config);
  if (!config.ok()) return complain(std::string(config.status().message()));
  if (!options.socket.empty()) config->set_socket(options.socket);
  const auto status = config::complete(*config);
  const auto make_engine = status.ok() ? choose_engine(*config) : status;
  if (!make_engine.ok()) return complain(fmt::format("{}: {}", options.config, std::string(make_engine.status().message())));
  if (options.check) {
    std::cout << fmt::format("{}: good ({} ports, {} lcores, {} entries)\n", options.config, config->ports_size(),
                             config->lcores_size(), config->entries_size());
    return EXIT_SUCCESS;
  }
  try {
    return serve(*config, *make_engine);
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("sluiced"));
  spdlog::set_pattern("%H:%M:%S.%e %^%l%$ %v");

  CLI::App app{"The Sluice data plane: forwards packets between DPDK ports as its configuration says."};
  app.set_version_flag("--version", "sluiced " SLUICE_VERSION);
  Options options;
  app.add_option("-c,--config", options.config, "Configuration: textproto, or JSON where the name ends in .json")
      ->type_name("FILE");
  app.add_option("-s,--socket", options.socket, "Unix socket for local commands, instead of the configuration's")->type_name("PATH");
  app.add_flag("--check", options.check, "Only check the configuration");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "sluiced: " << error.what() << " (see sluiced --help)\n";
    return 2;
  }
  // Not ->required(): CLI11 would complain of that before it names a wrong option.
  if (options.config.empty()) {
    std::cerr << "sluiced: --config FILE is missing (see sluiced --help)\n";
    return 2;
  }
  return run(options);
}
