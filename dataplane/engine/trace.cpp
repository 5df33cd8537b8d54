#include "dataplane/engine/trace.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "dataplane/forwarding/bridge.h"
#include "dataplane/forwarding/ether_input.h"
#include "dataplane/forwarding/ipv4_forward.h"
#include "dataplane/forwarding/ipv4_route.h"
#include "dataplane/forwarding/ipv6_forward.h"
#include "dataplane/forwarding/ipv6_route.h"
#include "dataplane/forwarding/punt.h"

namespace sluice::engine {
namespace {

constexpr size_t kMaxFrame = 16384;

// A buffer of its own, outside any pool: tracing must not take one from the traffic.
class TraceBuffer {
 public:
  explicit TraceBuffer(wire::Bytes frame)
      : memory_(static_cast<uint8_t*>(std::aligned_alloc(64, kSize)), &std::free) {
    std::memset(memory_.get(), 0, sizeof(rte_mbuf) + sizeof(PacketMeta));
    auto* m = mbuf();
    m->priv_size = sizeof(PacketMeta);
    m->buf_addr = memory_.get() + sizeof(rte_mbuf) + sizeof(PacketMeta);
    m->buf_len = RTE_PKTMBUF_HEADROOM + kMaxFrame;
    m->data_off = RTE_PKTMBUF_HEADROOM;
    m->nb_segs = 1;
    m->data_len = static_cast<uint16_t>(frame.size());
    m->pkt_len = static_cast<uint32_t>(frame.size());
    rte_mbuf_refcnt_set(m, 1);
    std::memcpy(rte_pktmbuf_mtod(m, uint8_t*), frame.data(), frame.size());
  }
  rte_mbuf* mbuf() { return reinterpret_cast<rte_mbuf*>(memory_.get()); }

 private:
  static constexpr size_t kSize = sizeof(rte_mbuf) + sizeof(PacketMeta) + RTE_PKTMBUF_HEADROOM + kMaxFrame;
  static_assert(kSize % 64 == 0);
  std::unique_ptr<uint8_t, decltype(&std::free)> memory_;
};

class Recorder {
 public:
  static constexpr bool listens = true;

  explicit Recorder(Trace& trace) : trace_(trace) {}
  void lookup(std::string_view table, std::string_view key, std::string_view result) const {
    trace_.steps.back().lookups.push_back({std::string(table), std::string(key), std::string(result)});
  }

 private:
  Trace& trace_;
};

class Walk {
 public:
  Walk(const NativeEngine& engine, Packet packet, Trace& trace)
      : engine_(engine), state_(engine.forwarding()), packet_(packet), trace_(trace), recorder_(trace) {}

  // Follows edges until the packet leaves the graph.
  void run() {
    NodeId node = NodeId::ether_input;
    while (visit(node)) {}
  }

 private:
  // One decision; false at the end of the way.
  bool visit(NodeId& node) {
    if (node == NodeId::drop) {
      const auto reason = packet_.meta().drop_reason;
      trace_.dropped_by = name_of(packet_.meta().dropped_by);
      return end("drop", fmt::format("{} ({})", wire::name_of(reason), wire::text_of(reason)));
    }
    if (node == NodeId::port_tx) return end("transmit", port_name(packet_.meta().out_port));
    trace_.steps.push_back({name_of(node), {}, {}});
    switch (node) {
      case NodeId::ether_input: return take<forwarding::EtherInput>(node);
      case NodeId::ipv4_route: return take<forwarding::Ipv4Route>(node);
      case NodeId::ipv4_forward: return take<forwarding::Ipv4Forward>(node);
      case NodeId::ipv6_route: return take<forwarding::Ipv6Route>(node);
      case NodeId::ipv6_forward: return take<forwarding::Ipv6Forward>(node);
      case NodeId::bridge: return bridge(node);
      default: return punt(node);
    }
  }

  template <class Node>
  bool take(NodeId& node) {
    const auto edge = Node::decide(packet_, state_, recorder_);
    node = Node::kEdges[edge];
    trace_.steps.back().decision = name_of(node);
    return true;
  }

  bool bridge(NodeId& node) {
    const auto decision = forwarding::Bridge::decide(packet_, state_, recorder_);
    if (decision.learn) trace_.steps.back().lookups.push_back({"punt", "unknown_source", "a copy goes to the agent"});
    if (decision.way == forwarding::Bridge::Way::flood) {
      trace_.steps.back().decision = "flood";
      std::string ports;
      for (const PortNumber member : state_.members.of(packet_.meta().bridge_domain))
        if (member != packet_.in_port()) ports += fmt::format("{}{}", ports.empty() ? "" : ", ", port_name(member));
      return end("flood", ports);
    }
    node = decision.way == forwarding::Bridge::Way::drop ? NodeId::drop : NodeId::port_tx;
    trace_.steps.back().decision = name_of(node);
    return true;
  }

  bool punt(NodeId& node) {
    const auto cause = packet_.meta().punt_cause;
    if (forwarding::Punt::decide(packet_, state_, recorder_) == 0) {
      packet_.drop(packet_.meta().dropped_by, forwarding::Punt::drop_reason(cause, wire::Drop::punt_filtered), 0);
      node = NodeId::drop;
      trace_.steps.back().decision = name_of(node);
      return true;
    }
    trace_.steps.back().decision = "agent";
    return end("punt", fmt::format("{} ({})", name_of(cause), kPuntCauses[static_cast<size_t>(cause)].text));
  }

  bool end(std::string outcome, std::string detail) {
    trace_.outcome = std::move(outcome);
    trace_.detail = std::move(detail);
    const auto bytes = packet_.bytes();
    trace_.frame.assign(bytes.begin(), bytes.end());
    return false;
  }

  std::string port_name(PortNumber port) const {
    return port < engine_.ports().size() ? engine_.ports()[port]->name() : fmt::format("port {}", port);
  }

  const NativeEngine& engine_;
  const forwarding::State& state_;
  Packet packet_;
  Trace& trace_;
  Recorder recorder_;
};

}  // namespace

absl::StatusOr<Trace> trace(const NativeEngine& engine, PortNumber port, wire::Bytes frame) {
  if (port >= engine.ports().size()) return absl::InvalidArgumentError(fmt::format("port: {} does not exist", port));
  if (frame.empty() || frame.size() > kMaxFrame)
    return absl::InvalidArgumentError(fmt::format("packet: {} bytes are not between 1 and {}", frame.size(), kMaxFrame));
  TraceBuffer buffer(frame);
  buffer.mbuf()->port = port;
  Trace result;
  engine.tables().while_unchanged([&] { Walk(engine, Packet(buffer.mbuf()), result).run(); });
  return result;
}

}  // namespace sluice::engine
