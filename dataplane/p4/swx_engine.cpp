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

#include "dataplane/engine/groups.h"
#include "dataplane/graph/packet.h"
#include "dataplane/p4/checks.h"
#include "dataplane/p4/spec/reader.h"
#include "dataplane/p4/swx_table.h"
#include "dataplane/tables/text.h"

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

tables::Names names_of(const config::Config& config) {
  tables::Names names;
  for (const auto& port : config.ports()) names.ports.push_back(port.name());
  for (const auto& cause : kPuntCauses) names.causes.emplace_back(cause.name);
  return names;
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

// p4c puts names of controls in front and a number behind: `MainControl_drops_0`, `drops_0_packets`.
bool is_array(std::string_view in_program, std::string_view name, std::string_view suffix) {
  if (!in_program.ends_with(suffix)) return false;
  in_program.remove_suffix(suffix.size());
  if (in_program.ends_with("_0")) in_program.remove_suffix(2);
  return in_program == name ||
         (in_program.ends_with(name) && in_program[in_program.size() - name.size() - 1] == '_');
}

const spec::RegisterArray* find_array(const spec::Program& program, std::string_view name,
                                      std::string_view suffix) {
  const auto found = std::find_if(program.registers.begin(), program.registers.end(),
                                  [&](const auto& array) { return is_array(array.name, name, suffix); });
  return found == program.registers.end() ? nullptr : &*found;
}

}  // namespace

SwxEngine::SwxEngine(const config::Config& config, const SwxProgram& program) : config_(config) {
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
  write_entries();
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
  if (auto status = check(*layout); !status.ok()) return status;
  auto facts = parser_facts(*layout);
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

void SwxEngine::write_entries() {
  const auto names = names_of(config_);
  std::vector<tables::Update> updates;
  for (int i = 0; i < config_.entries_size(); ++i) {
    const auto text = config::to_entry_text(config_.entries(i));
    const auto table = tables().table_by_name(text.table);
    const auto entry =
        table.ok() ? tables::entry_from_text(*table, tables().schema(*table), text, names) : table.status();
    if (!entry.ok())
      throw std::runtime_error(fmt::format("entries[{}]: {}", i, std::string(entry.status().message())));
    updates.push_back({tables::Operation::insert, *entry});
  }
  const auto results = tables().apply(updates);
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].ok())
      throw std::runtime_error(fmt::format("entries[{}]: {}", i, std::string(results[i].message())));
}

absl::StatusOr<engine::CounterValue> SwxEngine::counter(std::string_view array, size_t index) const {
  const auto& program = loaded_->program;
  const auto* packets = find_array(program, array, "");
  if (!packets) packets = find_array(program, array, "_packets");
  const auto* bytes = find_array(program, array, "_bytes");
  if (!packets && !bytes) return absl::NotFoundError(fmt::format("the program has no counter '{}'", array));
  engine::CounterValue value{};
  for (const auto& [from, to] : {std::pair(packets, &value.packets), std::pair(bytes, &value.bytes)}) {
    if (!from) continue;
    // DPDK rounds sizes up, and so would answer for cells that the program does not have.
    if (index >= from->size)
      return absl::OutOfRangeError(fmt::format("{}[{}]: the array has {} cells", array, index, from->size));
    const auto cell = loaded_->pipeline->read_register(from->name, static_cast<uint32_t>(index));
    if (!cell.ok()) return cell.status();
    *to = *cell;
  }
  // What the port layer gave up belongs to the same array.
  if (array == "drops" && index < wire::kDropCount) value.packets += layer_->counters().dropped[index].get();
  return value;
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

std::vector<TableStatistics> SwxEngine::table_statistics() const {
  std::vector<TableStatistics> result;
  for (const auto* table : loaded_->swx_tables) result.push_back(table->statistics());
  return result;
}

}  // namespace sluice::p4
