// What a controller asks of the engine beside its tables: counters, packets out, packets in.
#include <fmt/format.h>
#include <rte_mbuf.h>

#include <cstring>

#include "dataplane/engine/groups.h"
#include "dataplane/engine/native_engine.h"
#include "dataplane/wire/ethernet.h"

namespace sluice::engine {
namespace {

// Beside the IP packet: Ethernet with two tags.
constexpr size_t kMaxLinkHeader = sizeof(wire::EthernetHeader) + 8;

// The way is known only to those who noted it; elsewhere the metadata holds another packet's (route_edges.h).
bool has_way(PuntCause cause) {
  return cause == PuntCause::neighbour_unresolved || cause == PuntCause::mtu_exceeded;
}

PacketIn to_packet_in(Packet packet) {
  const auto& meta = packet.meta();
  const bool way = has_way(meta.punt_cause);
  const auto bytes = packet.bytes();
  return {packet.in_port(),
          way ? meta.out_port : kNoPort,
          way ? meta.mtu : uint16_t{0},
          meta.punt_cause,
          {bytes.begin(), bytes.end()}};
}

}  // namespace

absl::StatusOr<CounterValue> NativeEngine::counter(std::string_view array, size_t index) const {
  if (array != "drops")
    return absl::NotFoundError(fmt::format("counter '{}' does not exist (there is drops)", array));
  if (index >= wire::kDropCount)
    return absl::OutOfRangeError(fmt::format("drops: {} is not below {}", index, wire::kDropCount));
  CounterValue value{};
  for (size_t node = 0; node < kNodeCount; ++node)
    value.packets += dropped(static_cast<NodeId>(node), static_cast<wire::Drop>(index));
  return value;
}

Engine::Groups NativeEngine::groups() const {
  const std::lock_guard lock(groups_mutex_);
  return groups_;
}

// A group that belongs to no bridge domain is remembered, and no frame ever asks for it.
void NativeEngine::set_groups(const Groups& groups) {
  const std::lock_guard lock(groups_mutex_);
  groups_ = groups;
  forwarding::BridgeMembers::Domains domains;
  for (const auto& [group, members] : groups)
    if (group <= group_of(UINT16_MAX)) domains.emplace_back(static_cast<uint16_t>(group - group_of(0)), members);
  // Not while somebody traces, who is no lcore and whom no grace period waits for.
  service_->while_unchanged([&] { state_.members.set(std::move(domains), [this] { rcu_.synchronize(); }); });
}

absl::Status NativeEngine::send(PortNumber port, wire::Bytes frame) {
  if (port >= ports_.size())
    return absl::InvalidArgumentError(
        fmt::format("port {} does not exist (there are {})", port, ports_.size()));
  const size_t most = ports_[port]->mtu() + kMaxLinkHeader;
  if (frame.size() < sizeof(wire::EthernetHeader) || frame.size() > most)
    return absl::InvalidArgumentError(fmt::format("frame of {} bytes: port '{}' takes {} to {}", frame.size(),
                                                  ports_[port]->name(), sizeof(wire::EthernetHeader), most));
  if (!running_.load(std::memory_order_acquire)) return absl::UnavailableError("the engine does not run");
  rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_.get());
  if (!mbuf) return absl::ResourceExhaustedError("no packet buffer is free");
  char* data = rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size()));
  if (data) {
    std::memcpy(data, frame.data(), frame.size());
    Packet(mbuf).meta().out_port = port;
    if (rte_ring_enqueue(inject_ring_.get(), mbuf) == 0) return absl::OkStatus();
  }
  rte_pktmbuf_free(mbuf);
  return data ? absl::ResourceExhaustedError("the way into the graph is full")
              : absl::InvalidArgumentError(
                    fmt::format("frame of {} bytes: larger than eal.buffer_bytes", frame.size()));
}

void NativeEngine::on_packet_in(std::function<void(const PacketIn&)> handler) {
  agent_->on_punted([handler = std::move(handler)](Packet packet) { handler(to_packet_in(packet)); });
}

}  // namespace sluice::engine
