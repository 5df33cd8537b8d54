// Follows a packet from one layer into all that it carries, checking at each that parsing is total and
// that emit gives the bytes back. Depth is bounded: an ICMP error quotes a packet, a quote is not
// followed into another.
#pragma once

#include "dataplane/wire/arp.h"
#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/icmp.h"
#include "dataplane/wire/icmpv6.h"
#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6.h"
#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/ipv6_option.h"
#include "dataplane/wire/nd.h"
#include "dataplane/wire/tcp.h"
#include "dataplane/wire/udp.h"
#include "dataplane/wire/vlan.h"
#include "tests/fuzz/fuzz.h"

namespace sluice::fuzz {

enum class Quoted { no, yes };

inline void follow_udp(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_udp(in);
  if (view) require_same_bytes(*view, in);
}

inline void follow_option_list(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_option_list(in, wire::Drop::tcp_bad_option);
  if (view) require_same_bytes(*view, in);
}

inline void follow_tcp(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_tcp(in);
  if (!view) return;
  require_same_bytes(*view, in);
  follow_option_list(view->options);
}

inline void follow_ipv4(Bytes bytes, Quoted quoted);
inline void follow_ipv6(Bytes bytes, Quoted quoted);

inline void follow_icmp(Bytes bytes, Quoted quoted) {
  const Exact in(bytes);
  const auto view = wire::parse_icmp(in);
  if (!view) return;
  require_same_bytes(*view, in);
  if (view->header->is_error()) {
    require(view->quote().size() + view->extensions().size() == view->payload.size(),
            "ICMP quote loses bytes");
    if (quoted == Quoted::no) follow_ipv4(view->quote(), Quoted::yes);
  }
}

inline void follow_nd_option(Bytes bytes) {
  const Exact in(bytes);
  const auto option = wire::parse_nd_option(in);
  if (!option) return;
  require(option->bytes.size() >= 8, "ND option shorter than its unit");
  const auto* link = option->link_address();
  const auto* prefix = option->prefix();
  const auto* mtu = option->mtu();
  require((link != nullptr) + (prefix != nullptr) + (mtu != nullptr) <= 1, "ND option of two types");
}

inline void follow_nd(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_nd(in);
  if (!view) return;
  require_same_bytes(*view, in);
  const int messages = (view->solicitation() != nullptr) + (view->advertisement() != nullptr) +
                       (view->router_solicitation() != nullptr) + (view->router_advertisement() != nullptr) +
                       (view->redirect() != nullptr);
  require(messages == 1, "ND message of no type, or of two");
  for (const wire::NdOption option : view->option_range()) follow_nd_option(option.bytes);
}

inline void follow_icmpv6(Bytes bytes, Quoted quoted) {
  const Exact in(bytes);
  const auto view = wire::parse_icmpv6(in);
  if (!view) return;
  require_same_bytes(*view, in);
  follow_nd(view->message());
  if (view->header->is_error()) {
    require(view->quote().size() + view->extensions().size() == view->payload.size(),
            "ICMPv6 quote loses bytes");
    if (quoted == Quoted::no) follow_ipv6(view->quote(), Quoted::yes);
  }
}

inline void follow_upper(wire::IpProtocol protocol, Bytes payload, Quoted quoted) {
  switch (protocol) {
    case wire::IpProtocol::udp:
      return follow_udp(payload);
    case wire::IpProtocol::tcp:
      return follow_tcp(payload);
    case wire::IpProtocol::icmp:
      return follow_icmp(payload, quoted);
    case wire::IpProtocol::icmpv6:
      return follow_icmpv6(payload, quoted);
    default:
      return;
  }
}

inline void follow_ipv4(Bytes bytes, Quoted quoted) {
  const Exact in(bytes);
  const auto view = quoted == Quoted::yes ? wire::parse_ipv4_quote(in) : wire::parse_ipv4(in);
  if (!view) return;
  require_same_bytes(*view, in);
  const Exact options(view->options);
  if (const auto list = wire::parse_option_list(options, wire::Drop::ipv4_bad_option))
    require_same_bytes(*list, options);
  if (view->header->fragment_offset() == 0)
    follow_upper(wire::IpProtocol{view->header->protocol.get()}, view->payload, quoted);
}

inline void follow_ipv6_options(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_ipv6_options(in);
  if (view) require_same_bytes(*view, in);
}

inline void follow_ipv6(Bytes bytes, Quoted quoted) {
  const Exact in(bytes);
  const auto view = quoted == Quoted::yes ? wire::parse_ipv6_quote(in) : wire::parse_ipv6(in);
  if (!view) return;
  require_same_bytes(*view, in);
  const Exact payload(view->payload);
  const auto chain = wire::parse_ipv6_chain(wire::IpProtocol{view->header->next_header.get()}, payload);
  if (!chain) return;
  require_same_bytes(*chain, payload);
  size_t count = 0;
  for (const wire::Ipv6Extension& extension : chain->range()) {
    ++count;
    if (extension.type == wire::IpProtocol::hop_by_hop || extension.type == wire::IpProtocol::destination)
      follow_ipv6_options(extension.body());
  }
  require(count <= wire::kMaxIpv6Extensions, "IPv6 chain longer than its bound");
  if (chain->upper_readable()) follow_upper(chain->upper, chain->payload, quoted);
}

inline void follow_arp(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_arp(in);
  if (view) require_same_bytes(*view, in);
}

inline void follow_tagged(wire::EtherType type, Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_vlan(type, in);
  if (!view) return;
  require_same_bytes(*view, in);
  require(view->tags.size() <= wire::kMaxVlanTags, "VLAN stack deeper than its bound");
  switch (view->type) {
    case wire::EtherType::arp:
      return follow_arp(view->payload);
    case wire::EtherType::ipv4:
      return follow_ipv4(view->payload, Quoted::no);
    case wire::EtherType::ipv6:
      return follow_ipv6(view->payload, Quoted::no);
    default:
      return;
  }
}

inline void follow_frame(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_ethernet(in);
  if (!view) return;
  require_same_bytes(*view, in);
  follow_tagged(view->header->ether_type(), view->payload);
}

}  // namespace sluice::fuzz
