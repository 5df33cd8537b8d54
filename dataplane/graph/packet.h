// A packet on its way through the graph: a DPDK buffer with one cache line of metadata behind it.
#pragma once

#include <rte_mbuf.h>

#include "dataplane/graph/ids.h"
#include "dataplane/tables/value.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice {

namespace forwarding {
struct Adjacency;
}

// Nodes set only what their edges' contract names; nothing is cleared per packet.
struct alignas(64) PacketMeta {
  tables::Value next_hop;
  const forwarding::Adjacency* adjacency;
  PortNumber out_port;
  uint16_t l3_offset;
  uint16_t bridge_domain;
  uint16_t vlan;
  uint16_t mtu;
  wire::Drop drop_reason;
  NodeId dropped_by;
  PuntCause punt_cause;
};
static_assert(sizeof(PacketMeta) == 64);

// A view of a buffer; copying it copies nothing.
class Packet {
 public:
  explicit Packet(rte_mbuf* mbuf) : mbuf_(mbuf) {}
  explicit Packet(void* object) : mbuf_(static_cast<rte_mbuf*>(object)) {}

  rte_mbuf* mbuf() const { return mbuf_; }
  PacketMeta& meta() const { return *static_cast<PacketMeta*>(rte_mbuf_to_priv(mbuf_)); }

  // Sluice's number, which port_rx has put in the place of DPDK's.
  PortNumber in_port() const { return mbuf_->port; }

  // The whole frame's length, over all segments, and the bytes of the first segment.
  uint32_t length() const { return mbuf_->pkt_len; }
  wire::MutableBytes bytes() const { return {rte_pktmbuf_mtod(mbuf_, uint8_t*), mbuf_->data_len}; }
  wire::MutableBytes l3() const { return bytes().subspan(meta().l3_offset); }
  uint32_t l3_length() const { return length() - meta().l3_offset; }

  template <class Edge>
  Edge drop(NodeId by, wire::Drop reason, Edge edge) const {
    meta().drop_reason = reason;
    meta().dropped_by = by;
    return edge;
  }

  // `by` is also who dropped it, should the agent not want it.
  template <class Edge>
  Edge punt(NodeId by, PuntCause cause, Edge edge) const {
    meta().punt_cause = cause;
    meta().dropped_by = by;
    return edge;
  }

 private:
  rte_mbuf* mbuf_;
};

// Headers up to this many bytes are made contiguous before the first parser sees a packet:
// Ethernet with two tags, IPv4 with all its options (or IPv6), and the start of layer 4.
inline constexpr uint32_t kContiguousBytes = 128;

// Brings the first min(length, bytes) bytes of a chain into its first segment.
// False where that segment has no room.
bool make_headers_contiguous(rte_mbuf* mbuf, uint32_t bytes = kContiguousBytes);

}  // namespace sluice
