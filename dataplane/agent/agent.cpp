#include "dataplane/agent/agent.h"

#include <rte_cycles.h>
#include <spdlog/spdlog.h>

#include <array>

#include "dataplane/forwarding/ipv4_forward.h"
#include "dataplane/forwarding/ipv6_forward.h"
#include "dataplane/forwarding/punt.h"
#include "dataplane/wire/nd.h"

namespace sluice::agent {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr unsigned kBurst = 64;
constexpr auto kTick = 100ms;
constexpr auto kIdleSleep = 200us;

// A quote of the packet is all that an error or an answer needs; the agent works on contiguous bytes.
bool linearise(Packet packet) { return packet.mbuf()->nb_segs == 1 || rte_pktmbuf_linearize(packet.mbuf()) == 0; }

}  // namespace

Agent::Agent(std::vector<Interface> interfaces, AgentOptions options, AgentWiring wiring)
    : interfaces_(std::move(interfaces)),
      options_(options),
      wiring_(std::move(wiring)),
      neighbours_({.refresh = options.neighbour_refresh}),
      started_(steady_clock::now()),
      next_tick_(started_),
      next_ageing_(started_) {}

Agent::~Agent() { stop(); }

void Agent::start() { thread_ = std::thread([this] { run(); }); }

void Agent::stop() {
  stop_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
  NeighbourActions actions;
  neighbours_.on_shutdown(actions);
  perform(actions);
  while (take_punted()) {}
}

void Agent::run() {
  while (!stop_.load(std::memory_order_relaxed)) {
    const bool busy = take_punted();
    flush_learnt();
    if (steady_clock::now() >= next_tick_) on_tick();
    if (!busy) std::this_thread::sleep_for(kIdleSleep);
  }
}

bool Agent::take_punted() {
  bool any = false;
  for (rte_ring* ring : wiring_.punt_rings) {
    void* burst[kBurst];
    const unsigned count = rte_ring_dequeue_burst(ring, burst, kBurst, nullptr);
    for (unsigned i = 0; i < count; ++i) handle(Packet(burst[i]));
    any |= count > 0;
  }
  return any;
}

void Agent::handle(Packet packet) {
  if (!linearise(packet)) return give_up(packet, wire::Drop::header_split);
  if (on_punted_) on_punted_(packet);
  if (options_.off) return finish(packet);
  switch (packet.meta().punt_cause) {
    case PuntCause::arp: return on_arp(packet);
    case PuntCause::neighbour_discovery: return on_neighbour_discovery(packet);
    case PuntCause::local: return on_local(packet);
    case PuntCause::neighbour_unresolved: return on_unresolved(packet);
    case PuntCause::no_route: return complain(packet, IcmpFault::no_route);
    case PuntCause::ttl_expired: return complain(packet, IcmpFault::ttl_expired);
    case PuntCause::mtu_exceeded: return on_too_big(packet);
    case PuntCause::unknown_source: return on_unknown_source(packet);
  }
}

void Agent::on_tick() {
  const auto now = steady_clock::now();
  next_tick_ = now + kTick;
  wiring_.state.clock_seconds.store(
      static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now - started_).count()),
      std::memory_order_relaxed);
  NeighbourActions actions;
  neighbours_.on_tick(now, actions);
  perform(actions);
  if (now >= next_ageing_) {
    next_ageing_ = now + 1s;
    age_fdb();
  }
}

void Agent::on_local(Packet packet) {
  const auto& at = interface_of(packet);
  const auto* ip = wire::overlay<wire::Ipv6Header>(packet.l3());
  // Neighbour discovery also comes to our own unicast address (RFC 4861, 7.2.2: unreachability probes).
  if (ip && ip->version() == 6 && ip->next_header.get() == static_cast<uint8_t>(wire::IpProtocol::icmpv6) &&
      ip->hop_limit.get() == 255) {
    const auto message = packet.l3().subspan(sizeof *ip);
    if (wire::parse_nd(message.first(std::min<size_t>(message.size(), ip->payload_length.get()))))
      return on_neighbour_discovery(packet);
  }
  if (const auto reply = echo_reply(packet.bytes())) send(at, *reply);
  finish(packet);
}

void Agent::complain(Packet packet, IcmpFault fault) {
  if (icmp_limit_.take(options_.icmp_errors_per_second, rte_rdtsc(), rte_get_tsc_hz())) {
    const auto& at = interface_of(packet);
    if (const auto error = icmp_error(at, packet.bytes(), fault, packet.meta().mtu)) send(at, *error);
  }
  give_up(packet, forwarding::Punt::drop_reason(packet.meta().punt_cause, wire::Drop::no_route));
}

void Agent::send(const Interface& from, const Frame& frame) {
  rte_mbuf* mbuf = rte_pktmbuf_alloc(wiring_.pool);
  if (!mbuf) return;
  char* data = rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size()));
  if (!data) {
    rte_pktmbuf_free(mbuf);
    return;
  }
  std::memcpy(data, frame.data(), frame.size());
  if (!inject(mbuf, from.number)) rte_pktmbuf_free(mbuf);
}

bool Agent::inject(rte_mbuf* mbuf, PortNumber port) {
  Packet(mbuf).meta().out_port = port;
  return rte_ring_enqueue(wiring_.inject_ring, mbuf) == 0;
}

void Agent::finish(Packet packet) { rte_pktmbuf_free(packet.mbuf()); }

void Agent::give_up(Packet packet, wire::Drop reason) {
  counters_.dropped[static_cast<size_t>(packet.meta().dropped_by)][static_cast<size_t>(reason)].add(1);
  rte_pktmbuf_free(packet.mbuf());
}

}  // namespace sluice::agent
