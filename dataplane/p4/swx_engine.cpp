#include "dataplane/p4/swx_engine.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_memory.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "dataplane/config/entries.h"
#include "dataplane/engine/groups.h"
#include "dataplane/graph/packet.h"
#include "dataplane/p4/checks.h"
#include "dataplane/p4/spec/reader.h"
#include "dataplane/p4/swx_table.h"

namespace sluice::p4 {
namespace {

constexpr unsigned kPoolCache = RTE_MEMPOOL_CACHE_MAX_SIZE;
constexpr unsigned kControllerRing = 4096;
constexpr auto kControllerPause = std::chrono::microseconds(200);

void throw_if_bad(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

template <class Handle>
Handle* require(Handle* handle, std::string_view what) {
  if (!handle)
    throw std::runtime_error(fmt::format("{}: {} (give eal.memory_mb more)", what, rte_strerror(rte_errno)));
  return handle;
}

// Names of DPDK objects are global to the process.
std::string unique_name(std::string_view what) {
  static std::atomic<unsigned> next{0};
  return fmt::format("swx_{}{}", what, next++);
}

// P4 has no rate that an entry could set: what `punt.to_agent` says is kept by the port layer.
SwxTable::Watcher punt_rates(const tables::TableDescription& punt, PortLayer& layer) {
  const auto limits = std::find_if(punt.actions.begin(), punt.actions.end(),
                                   [](const auto& action) { return action.name == "to_agent"; });
  return [&layer, to_agent = static_cast<tables::ActionId>(limits - punt.actions.begin())](
             const tables::Entry& entry, bool is_there) {
    const auto cause = entry.key.match[0].value;
    if (cause >= kPuntCauseCount) return;
    const bool limited = is_there && entry.action == to_agent;
    layer.set_punt_rate(static_cast<PuntCause>(cause),
                        limited ? static_cast<uint32_t>(entry.params[0]) : PortLayer::kUnlimited);
  };
}

absl::StatusOr<ParserFacts> checked_facts(const Layout& layout) {
  if (auto status = check(layout); !status.ok()) return status;
  return parser_facts(layout);
}

}  // namespace

absl::Status check(const SwxProgram& program) {
  const auto parsed = spec::read(program.spec, program.file);
  if (!parsed) return absl::InvalidArgumentError(parsed.error().text);
  const auto layout = Layout::of(*parsed);
  return layout.ok() ? checked_facts(*layout).status() : layout.status();
}

SwxEngine::SwxEngine(const config::Config& config, const SwxProgram& program)
    : config_(config), names_(config::names_of(config)) {
  const auto buffer = static_cast<uint16_t>(config.eal().buffer_bytes() + RTE_PKTMBUF_HEADROOM);
  pool_.reset(require(rte_pktmbuf_pool_create(unique_name("packets").c_str(), config.eal().buffers(),
                                              kPoolCache, sizeof(PacketMeta), buffer, SOCKET_ID_ANY),
                      "eal.buffers: no memory for packet buffers"));
  to_controller_.reset(require(rte_ring_create(unique_name("punt").c_str(), kControllerRing, SOCKET_ID_ANY,
                                               RING_F_SP_ENQ | RING_F_SC_DEQ),
                               "punt ring"));
  from_controller_.reset(
      require(rte_ring_create(unique_name("inject").c_str(), kControllerRing, SOCKET_ID_ANY, RING_F_SC_DEQ),
              "inject ring"));
  open_ports();
  std::vector<Device> devices;
  for (const auto& port : ports_) devices.push_back({port->dpdk_id(), port->tx_queue(0)});
  layer_ = std::make_unique<PortLayer>(devices, pool_.get(), to_controller_.get());
  layer_->set_groups(groups_ = engine::configured_groups(config));
  const auto& lcore = config.lcores(0);
  worker_ =
      std::make_unique<SwxWorker>(*layer_, from_controller_.get(),
                                  engine::IdlePolicy{lcore.idle() == config::SLEEP, lcore.max_sleep_us()});
  throw_if_bad(load(program));
  throw_if_bad(config::write_entries(config_, tables()));
}

SwxEngine::~SwxEngine() { stop(); }

void SwxEngine::open_ports() {
  for (const auto& port : config_.ports()) {
    io::PortOptions options;
    options.name = port.name();
    options.devargs = port.devargs();
    options.mtu = static_cast<uint16_t>(port.mtu());
    auto opened = io::Port::open(options, pool_.get());
    throw_if_bad(opened.status());
    ports_.push_back(*std::move(opened));
  }
}

absl::StatusOr<std::unique_ptr<SwxEngine::Loaded>> SwxEngine::prepare(const SwxProgram& program) {
  auto parsed = spec::read(program.spec, program.file);
  if (!parsed) return absl::InvalidArgumentError(parsed.error().text);
  auto loaded = std::make_unique<Loaded>();
  loaded->name = program.name;
  loaded->program = *std::move(parsed);
  const auto layout = Layout::of(loaded->program);
  if (!layout.ok()) return layout.status();
  auto facts = checked_facts(*layout);
  if (!facts.ok()) return facts.status();
  loaded->facts = *std::move(facts);
  auto pipeline = Pipeline::build(*layout, layer_->bindings());
  if (!pipeline.ok()) return pipeline.status();
  loaded->pipeline = *std::move(pipeline);

  const auto commit = [this, changed = loaded->pipeline.get()] {
    worker_->while_paused([&] {
      if (const auto status = changed->commit(); !status.ok())
        spdlog::error("{}", std::string(status.message()));
    });
  };
  loaded->tables = std::make_unique<tables::TableService>(commit, static_cast<uint16_t>(ports_.size()));
  for (const auto& description : program.tables) {
    auto table = SwxTable::make(description, *layout, *loaded->pipeline);
    if (!table.ok()) return table.status();
    loaded->swx_tables.push_back(table->get());
    if (description.name == "punt") (*table)->watch(punt_rates(description, *layer_));
    loaded->tables->add(*std::move(table));
  }
  return loaded;
}

absl::Status SwxEngine::load(const SwxProgram& program) {
  auto next = prepare(program);
  if (!next.ok()) return next.status();
  worker_->while_paused([&] {
    worker_->set_pipeline((*next)->pipeline.get());
    layer_->set_program((*next)->facts);
    loaded_.swap(*next);
  });
  return absl::OkStatus();
}

engine::Engine::Groups SwxEngine::groups() const {
  const std::lock_guard lock(groups_mutex_);
  return groups_;
}

void SwxEngine::set_groups(const Groups& groups) {
  const std::lock_guard lock(groups_mutex_);
  groups_ = groups;
  worker_->while_paused([&] { layer_->set_groups(groups); });
}

absl::Status SwxEngine::send(PortNumber port, wire::Bytes frame) {
  if (port >= ports_.size())
    return absl::InvalidArgumentError(
        fmt::format("port {} does not exist (there are {})", port, ports_.size()));
  rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_.get());
  if (!mbuf) return absl::ResourceExhaustedError("no packet buffer is free");
  if (frame.empty() || frame.size() > rte_pktmbuf_tailroom(mbuf)) {
    rte_pktmbuf_free(mbuf);
    return absl::InvalidArgumentError(fmt::format("a frame of {} bytes does not fit a buffer", frame.size()));
  }
  std::memcpy(rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size())), frame.data(), frame.size());
  Packet(mbuf).meta().out_port = port;
  if (rte_ring_enqueue(from_controller_.get(), mbuf) == 0) return absl::OkStatus();
  rte_pktmbuf_free(mbuf);
  return absl::ResourceExhaustedError("too many frames are waiting to be sent");
}

// The controller's thread.
void SwxEngine::hand_over_packets() {
  while (!stop_controller_.load(std::memory_order_relaxed) || !rte_ring_empty(to_controller_.get())) {
    void* object = nullptr;
    if (rte_ring_dequeue(to_controller_.get(), &object) != 0) {
      std::this_thread::sleep_for(kControllerPause);
      continue;
    }
    const Packet packet(object);
    const auto& meta = packet.meta();
    engine::PacketIn in{packet.in_port(), meta.out_port, meta.mtu, meta.punt_cause,
                        std::vector<uint8_t>(packet.length())};
    // Gives a pointer of its own where the frame is in one piece.
    const void* data = rte_pktmbuf_read(packet.mbuf(), 0, packet.length(), in.frame.data());
    if (data && data != in.frame.data()) std::memcpy(in.frame.data(), data, in.frame.size());
    rte_pktmbuf_free(packet.mbuf());
    if (handler_) handler_(in);
  }
}

void SwxEngine::start() {
  for (auto& port : ports_) throw_if_bad(port->start());
  worker_->launch();
  stop_controller_.store(false);
  controller_thread_ = std::thread([this] { hand_over_packets(); });
  running_ = true;
}

unsigned SwxEngine::stop() {
  if (running_) {
    running_ = false;
    worker_->stop();
    stop_controller_.store(true);
    controller_thread_.join();
  }
  for (void* mbuf = nullptr; rte_ring_dequeue(from_controller_.get(), &mbuf) == 0;)
    rte_pktmbuf_free(static_cast<rte_mbuf*>(mbuf));
  for (auto& port : ports_) port->stop();
  return rte_mempool_in_use_count(pool_.get());
}

}  // namespace sluice::p4
