// ARP, neighbour discovery, and the packets that wait for them.
#include <rte_ip_frag.h>
#include <spdlog/spdlog.h>

#include <array>

#include "dataplane/agent/agent.h"
#include "dataplane/forwarding/ipv4_forward.h"
#include "dataplane/forwarding/ipv6_forward.h"
#include "dataplane/wire/l4_checksum.h"
#include "dataplane/wire/nd.h"

namespace sluice::agent {
namespace {

using std::chrono::steady_clock;

bool is_ipv4(const NeighbourId& id) { return id.address >> 32 == 0xffff; }

// By the packet and not by its next hop: an IPv6 packet may go to ::ffff:a.b.c.d, too.
bool is_ipv4(Packet packet) { return packet.l3()[0] >> 4 == 4; }

tables::Key neighbour_key(const NeighbourId& id) {
  tables::Key key;
  key.match[0] = {id.port, tables::low_mask(32)};
  const unsigned bits = is_ipv4(id) ? 32 : 128;
  key.match[1] = {id.address & tables::low_mask(bits), tables::low_mask(bits)};
  return key;
}

}  // namespace

void Agent::on_arp(Packet packet) {
  const auto& at = interface_of(packet);
  const auto arp = wire::parse_arp(packet.l3());
  if (!arp) return give_up(packet, arp.error());
  const auto& header = *arp->header;
  const auto sender = tables::value_of(header.sender_ip);
  const bool for_us = at.owns(true, tables::value_of(header.target_ip));
  // RFC 826: who asks us, or answers, shows its address; others only refresh what is known already.
  if (!header.sender_mac.is_group() && at.is_neighbour(true, sender)) {
    NeighbourActions actions;
    neighbours_.on_seen({at.number, tables::mapped(header.sender_ip)}, header.sender_mac, for_us, steady_clock::now(), actions);
    perform(actions);
  }
  if (for_us && header.op() == wire::ArpOperation::request) send(at, arp_reply(at, header));
  finish(packet);
}

void Agent::on_neighbour_discovery(Packet packet) {
  const auto& at = interface_of(packet);
  const auto ip = wire::parse_ipv6(packet.l3());
  if (!ip) return give_up(packet, ip.error());
  const auto icmp = wire::parse_icmpv6(ip->payload);
  if (!icmp) return give_up(packet, icmp.error());
  if (!wire::icmpv6_checksum_ok(ip->header->src, ip->header->dst, *icmp))
    return give_up(packet, wire::Drop::icmpv6_bad_checksum);
  const auto nd = wire::parse_nd(ip->payload);
  if (!nd) return give_up(packet, nd.error());

  const auto* ethernet = wire::overlay<wire::EthernetHeader>(packet.bytes());
  const auto learn = [&](const wire::Ipv6Address& address, const wire::MacAddress* mac, bool asked) {
    if (!mac || mac->is_group() || !at.is_neighbour(false, tables::value_of(address))) return;
    NeighbourActions actions;
    neighbours_.on_seen({at.number, tables::value_of(address)}, *mac, asked, steady_clock::now(), actions);
    perform(actions);
  };
  if (const auto* solicitation = nd->solicitation()) {
    const bool for_us = at.owns(false, tables::value_of(solicitation->target));
    if (!ip->header->src.is_unspecified())
      learn(ip->header->src, nd->link_address(wire::NdOptionType::source_link_address), for_us);
    if (for_us) send(at, neighbour_advertisement(at, ethernet->src, ip->header->src, solicitation->target));
  } else if (const auto* advertisement = nd->advertisement()) {
    const auto* mac = nd->link_address(wire::NdOptionType::target_link_address);
    // A unicast answer may leave its MAC out (RFC 4861, 4.4).
    learn(advertisement->target, mac ? mac : &ethernet->src, false);
  }
  finish(packet);
}

void Agent::on_unresolved(Packet packet) {
  const auto& meta = packet.meta();
  NeighbourActions actions;
  neighbours_.on_needed({meta.out_port, meta.next_hop}, packet.mbuf(), steady_clock::now(), actions);
  perform(actions);
}

void Agent::perform(const NeighbourActions& actions) {
  for (const auto& resolved : actions.resolved) write_neighbour(resolved);
  for (const auto& id : actions.lost) {
    tables::Entry entry;
    entry.table = wiring_.ids.neighbour(is_ipv4(id));
    entry.key = neighbour_key(id);
    const auto there = wiring_.service.find(entry.table, entry.key);
    if (there && there->origin == tables::Origin::agent)
      if (const auto status = wiring_.service.apply({tables::Operation::remove, *there}); !status.ok())
        spdlog::warn("agent: {}", std::string(status.message()));
  }
  for (const auto& request : actions.solicit) solicit(request);
  for (const auto& [id, waiting] : actions.release) forward(id, Packet(waiting));
  for (const auto& [id, waiting] : actions.give_up) {
    Packet(waiting).meta().punt_cause = PuntCause::neighbour_unresolved;
    complain(Packet(waiting), IcmpFault::host_unreachable);
  }
}

void Agent::write_neighbour(const NeighbourActions::Resolved& neighbour) {
  const auto& port = interfaces_[neighbour.id.port];
  tables::Entry entry;
  entry.table = wiring_.ids.neighbour(is_ipv4(neighbour.id));
  entry.key = neighbour_key(neighbour.id);
  entry.params = {tables::value_of(port.mac), tables::value_of(neighbour.mac), port.mtu};
  entry.origin = tables::Origin::agent;
  const auto there = wiring_.service.find(entry.table, entry.key);
  if (there && there->origin != tables::Origin::agent) return;
  if (const auto status = wiring_.service.upsert(entry); !status.ok())
    spdlog::warn("agent: {}", std::string(status.message()));
}

void Agent::solicit(const NeighbourActions::Solicit& request) {
  const auto& port = interfaces_[request.id.port];
  if (is_ipv4(request.id)) {
    const auto target = tables::to_ipv4(request.id.address);
    const auto* own = port.source_for(true, tables::value_of(target));
    const auto sender = own ? tables::to_ipv4(own->address) : wire::Ipv4Address{};
    send(port, arp_request(port, sender, target, request.unicast));
  } else {
    const auto target = tables::to_ipv6(request.id.address);
    const auto* own = port.source_for(false, request.id.address);
    const auto sender = own && !target.is_link_local() ? tables::to_ipv6(own->address) : port.link_local();
    send(port, neighbour_solicitation(port, sender, target, request.unicast));
  }
}

bool Agent::resolve_adjacency(const NeighbourId& id, forwarding::Adjacency& adjacency) const {
  const auto entry = wiring_.service.find(wiring_.ids.neighbour(is_ipv4(id)), neighbour_key(id));
  if (!entry) return false;
  adjacency.kind = forwarding::Adjacency::Kind::rewrite;
  adjacency.port = id.port;
  adjacency.next_hop = id.address;
  adjacency.src_mac = tables::to_mac(entry->params[static_cast<size_t>(forwarding::RewriteParam::src_mac)]);
  adjacency.dst_mac = tables::to_mac(entry->params[static_cast<size_t>(forwarding::RewriteParam::dst_mac)]);
  adjacency.mtu = static_cast<uint16_t>(entry->params[static_cast<size_t>(forwarding::RewriteParam::mtu)]);
  return true;
}

// What the fast path would have done with the packet, by the same decision.
void Agent::forward(const NeighbourId& via, Packet packet) {
  forwarding::Adjacency adjacency;
  if (!resolve_adjacency(via, adjacency)) return give_up(packet, wire::Drop::neighbour_unresolved);
  packet.meta().adjacency = &adjacency;
  const auto edge = is_ipv4(packet) ? forwarding::Ipv4Forward::decide(packet, wiring_.state, Silent{})
                                    : forwarding::Ipv6Forward::decide(packet, wiring_.state, Silent{});
  if (edge == forwarding::forward_tx) {
    if (!inject(packet.mbuf(), packet.meta().out_port)) give_up(packet, wire::Drop::tx_full);
    return;
  }
  if (packet.meta().punt_cause == PuntCause::mtu_exceeded) return on_too_big(packet);
  complain(packet, IcmpFault::ttl_expired);
}

void Agent::on_too_big(Packet packet) {
  const NeighbourId via{packet.meta().out_port, packet.meta().next_hop};
  const auto* header = wire::overlay<wire::Ipv4Header>(packet.l3());
  if (!is_ipv4(packet) || header->dont_fragment()) return complain(packet, IcmpFault::too_big);
  fragment(via, packet);
}

// RFC 791, 3.2, by DPDK's rte_ip_frag; the fragments are forwarded like packets of their own.
void Agent::fragment(const NeighbourId& via, Packet packet) {
  constexpr uint16_t kMaxFragments = 64;
  const uint16_t mtu = packet.meta().mtu;
  const auto* header = wire::overlay<wire::Ipv4Header>(packet.l3());
  // rte_ip_frag wants the packet to start with the IP header and to end with it.
  const auto total = header->total_length.get();
  rte_mbuf* whole = packet.mbuf();
  const wire::EthernetHeader ethernet = *wire::overlay<wire::EthernetHeader>(packet.bytes());
  rte_pktmbuf_adj(whole, sizeof ethernet);
  rte_pktmbuf_trim(whole, static_cast<uint16_t>(whole->pkt_len - total));
  std::array<rte_mbuf*, kMaxFragments> fragments{};
  const int count =
      rte_ipv4_fragment_copy_nonseg_packet(whole, fragments.data(), kMaxFragments, mtu, wiring_.pool);
  if (count < 0) return give_up(packet, wire::Drop::mtu_exceeded);
  for (int i = 0; i < count; ++i) {
    rte_mbuf* piece = fragments[static_cast<size_t>(i)];
    auto* front = rte_pktmbuf_prepend(piece, sizeof ethernet);
    if (!front) {
      rte_pktmbuf_free(piece);
      continue;
    }
    std::memcpy(front, &ethernet, sizeof ethernet);
    const Packet part(piece);
    part.meta() = packet.meta();
    piece->port = packet.in_port();
    auto* ip = wire::overlay<wire::Ipv4Header>(part.l3());
    ip->checksum = wire::ipv4_checksum(*wire::parse_ipv4(part.l3()));
    forward(via, part);
  }
  finish(packet);
}

}  // namespace sluice::agent
