#include "dataplane/wire/icmp.h"
#include "dataplane/wire/l4_checksum.h"
#include "dataplane/wire/nd.h"
#include "tests/oracle/describe.h"

namespace sluice::oracle {

void describe_icmp(Bytes in, Fields& out) {
  const auto icmp = wire::parse_icmp(in);
  if (!icmp) return out.drop(icmp.error());
  const wire::IcmpHeader& header = *icmp->header;
  out.set("icmp.type", header.type.get());
  out.set("icmp.code", header.code.get());
  out.set("icmp.checksum", header.checksum.get());
  out.set("icmp.checksum_ok", icmp_checksum_ok(*icmp));
  if (header.is_echo()) {
    out.set("icmp.identifier", header.identifier());
    out.set("icmp.sequence", header.sequence());
    out.set("icmp.data", hex(icmp->payload));
  }
  if (header.icmp_type() == wire::IcmpType::destination_unreachable &&
      header.code.get() == static_cast<uint8_t>(wire::IcmpUnreachable::fragmentation_needed))
    out.set("icmp.mtu", header.next_hop_mtu());
  if (header.icmp_type() == wire::IcmpType::redirect) out.set("icmp.gateway", to_text(header.gateway()));
  if (header.icmp_type() == wire::IcmpType::parameter_problem) out.set("icmp.pointer", header.pointer());
  if (header.is_error()) {
    out.enter_quote();
    describe_ipv4(icmp->quote(), out);
  }
}

namespace {

void describe_nd_option(const wire::NdOption& option, Fields& out) {
  out.append("nd.options", static_cast<uint8_t>(option.type()));
  out.append("nd.option_lengths", option.bytes.size());
  if (const auto* link = option.link_address())
    out.set(option.type() == wire::NdOptionType::source_link_address ? "nd.source_mac" : "nd.target_mac",
            to_text(link->mac));
  if (const auto* prefix = option.prefix()) {
    out.set("nd.prefix", to_text(prefix->prefix));
    out.set("nd.prefix_length", prefix->prefix_length.get());
    out.set("nd.on_link", static_cast<int>(prefix->on_link()));
    out.set("nd.autonomous", static_cast<int>(prefix->autonomous()));
    out.set("nd.valid_lifetime", prefix->valid_lifetime.get());
    out.set("nd.preferred_lifetime", prefix->preferred_lifetime.get());
  }
  if (const auto* mtu = option.mtu()) out.set("nd.mtu", mtu->mtu.get());
}

void describe_nd(Bytes message, Fields& out) {
  const auto nd = wire::parse_nd(message);
  if (!nd) return out.drop(nd.error());
  if (const auto* ns = nd->solicitation()) out.set("nd.target", to_text(ns->target));
  if (const auto* na = nd->advertisement()) {
    out.set("nd.target", to_text(na->target));
    out.set("nd.router", static_cast<int>(na->router()));
    out.set("nd.solicited", static_cast<int>(na->solicited()));
    out.set("nd.override", static_cast<int>(na->override_cache()));
  }
  if (const auto* ra = nd->router_advertisement()) {
    out.set("nd.hop_limit", ra->hop_limit.get());
    out.set("nd.managed", static_cast<int>(ra->managed()));
    out.set("nd.other", static_cast<int>(ra->other()));
    out.set("nd.router_lifetime", ra->router_lifetime.get());
    out.set("nd.reachable_time", ra->reachable_time.get());
    out.set("nd.retrans_timer", ra->retrans_timer.get());
  }
  if (const auto* redirect = nd->redirect()) {
    out.set("nd.target", to_text(redirect->target));
    out.set("nd.destination", to_text(redirect->destination));
  }
  for (const wire::NdOption option : nd->option_range()) describe_nd_option(option, out);
}

}  // namespace

void describe_icmpv6(Bytes in, const IpContext& ip, Fields& out) {
  const auto icmp = wire::parse_icmpv6(in);
  if (!icmp) return out.drop(icmp.error());
  const wire::Icmpv6Header& header = *icmp->header;
  out.set("icmpv6.type", header.type.get());
  out.set("icmpv6.code", header.code.get());
  out.set("icmpv6.checksum", header.checksum.get());
  out.set("icmpv6.checksum_ok", icmpv6_checksum_ok(ip.src6, ip.dst6, *icmp));
  if (header.is_echo()) {
    out.set("icmpv6.identifier", header.identifier());
    out.set("icmpv6.sequence", header.sequence());
    out.set("icmpv6.data", hex(icmp->payload));
  }
  if (header.icmp_type() == wire::Icmpv6Type::packet_too_big) out.set("icmpv6.mtu", header.word());
  if (header.icmp_type() == wire::Icmpv6Type::parameter_problem) out.set("icmpv6.pointer", header.word());
  if (wire::nd_fixed_length(header.icmp_type())) describe_nd(icmp->message(), out);
  if (header.is_error()) {
    out.enter_quote();
    describe_ipv6(icmp->quote(), out);
  }
}

}  // namespace sluice::oracle
