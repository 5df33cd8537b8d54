#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6_option.h"
#include "dataplane/wire/l4_checksum.h"
#include "tests/oracle/describe.h"

namespace sluice::oracle {
namespace {

void describe_upper(wire::IpProtocol protocol, Bytes payload, const IpContext& ip, Fields& out) {
  switch (protocol) {
    case wire::IpProtocol::udp:
      return describe_udp(payload, ip, out);
    case wire::IpProtocol::tcp:
      return describe_tcp(payload, ip, out);
    case wire::IpProtocol::icmp:
      if (!ip.v6) describe_icmp(payload, out);
      return;
    case wire::IpProtocol::icmpv6:
      if (ip.v6) describe_icmpv6(payload, ip, out);
      return;
    default:
      return;
  }
}

void describe_extension(const wire::Ipv6Extension& extension, Fields& out) {
  out.append("ipv6.extensions", static_cast<uint8_t>(extension.type));
  out.append("ipv6.extension_lengths", extension.bytes.size());
  if (const auto* ah = wire::overlay<wire::AuthenticationHeader>(extension.bytes);
      ah && extension.type == wire::IpProtocol::ah) {
    out.set("ipv6.ah.spi", ah->spi.get());
    out.set("ipv6.ah.sequence", ah->sequence.get());
  }
  if (extension.type != wire::IpProtocol::hop_by_hop && extension.type != wire::IpProtocol::destination)
    return;
  const auto options = wire::parse_ipv6_options(extension.body());
  if (!options) return out.drop(options.error());
  for (const wire::Ipv6Option option : *options) {
    out.append("ipv6.options", option.type());
    // A Pad1 has no length byte.
    if (option.type() != wire::Ipv6Option::kPad1) out.append("ipv6.option_lengths", option.data().size());
  }
}

}  // namespace

void describe_ipv4(Bytes in, Fields& out) {
  const auto ip = out.quoted() ? wire::parse_ipv4_quote(in) : wire::parse_ipv4(in);
  if (!ip) return out.drop(ip.error());
  const wire::Ipv4Header& header = *ip->header;
  out.set("ipv4.header_length", header.header_length());
  out.set("ipv4.tos", header.tos.get());
  out.set("ipv4.total_length", header.total_length.get());
  out.set("ipv4.id", header.id.get());
  out.set("ipv4.dont_fragment", static_cast<int>(header.dont_fragment()));
  out.set("ipv4.more_fragments", static_cast<int>(header.more_fragments()));
  out.set("ipv4.fragment_offset", header.fragment_offset());
  out.set("ipv4.ttl", header.ttl.get());
  out.set("ipv4.protocol", header.protocol.get());
  out.set("ipv4.checksum", header.checksum.get());
  out.set("ipv4.checksum_ok", ipv4_checksum_ok(*ip));
  out.set("ipv4.src", to_text(header.src));
  out.set("ipv4.dst", to_text(header.dst));
  out.set("ipv4.payload_length", ip->payload.size());
  const auto options = parse_ipv4_options(*ip);
  if (!options) return out.drop(options.error());
  for (const wire::Option option : *options) {
    out.append("ipv4.options", option.kind());
    if (option.bytes.size() > 1) out.append("ipv4.option_lengths", option.bytes.size());
  }
  if (!header.is_fragment() && !out.quoted())
    describe_upper(wire::IpProtocol{header.protocol.get()}, ip->payload,
                   {.v6 = false,
                    .src4 = header.src,
                    .dst4 = header.dst,
                    .src6 = {},
                    .dst6 = {},
                    .packet = in.first(in.size() - ip->trailer.size())},
                   out);
}

void describe_ipv6(Bytes in, Fields& out) {
  const auto ip = out.quoted() ? wire::parse_ipv6_quote(in) : wire::parse_ipv6(in);
  if (!ip) return out.drop(ip.error());
  const wire::Ipv6Header& header = *ip->header;
  out.set("ipv6.traffic_class", header.traffic_class());
  out.set("ipv6.flow_label", header.flow_label());
  out.set("ipv6.payload_length", header.payload_length.get());
  out.set("ipv6.next_header", header.next_header.get());
  out.set("ipv6.hop_limit", header.hop_limit.get());
  out.set("ipv6.src", to_text(header.src));
  out.set("ipv6.dst", to_text(header.dst));
  const auto chain = wire::parse_ipv6_chain(*ip);
  if (!chain) return out.drop(chain.error());
  for (const wire::Ipv6Extension& extension : chain->range()) describe_extension(extension, out);
  if (chain->fragment) {
    out.set("ipv6.fragment.offset", chain->fragment->fragment_offset());
    out.set("ipv6.fragment.more", static_cast<int>(chain->fragment->more_fragments()));
    out.set("ipv6.fragment.id", chain->fragment->id.get());
  }
  if (chain->routing) {
    out.set("ipv6.routing.type", chain->routing->routing_type.get());
    out.set("ipv6.routing.segments_left", chain->routing->segments_left.get());
  }
  out.set("ipv6.upper", static_cast<uint8_t>(chain->upper));
  const bool fragment = chain->fragment && (chain->fragment->more_fragments() || !chain->upper_readable());
  if (!fragment && !out.quoted())
    describe_upper(chain->upper, chain->payload,
                   {.v6 = true,
                    .src4 = {},
                    .dst4 = {},
                    .src6 = header.src,
                    .dst6 = final_destination(header, *chain),
                    .packet = in.first(in.size() - ip->trailer.size())},
                   out);
}

}  // namespace sluice::oracle
