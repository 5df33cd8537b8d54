// emit(parse(x)) == x for packets that were sound once and then had bytes changed, cut off or added.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dataplane/wire/arp.h"
#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/icmp.h"
#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/ipv6_option.h"
#include "dataplane/wire/nd.h"
#include "dataplane/wire/tcp.h"
#include "dataplane/wire/udp.h"
#include "dataplane/wire/vlan.h"
#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

std::vector<uint8_t> mutated(std::string_view sound) {
  auto bytes = from_hex(sound);
  for (int changes = *rc::gen::inRange(0, 4); changes > 0; --changes)
    bytes[*rc::gen::inRange<size_t>(0, bytes.size())] = *rc::gen::arbitrary<uint8_t>();
  const auto size = *rc::gen::inRange<size_t>(bytes.size() * 3 / 4, bytes.size() * 5 / 4);
  if (*rc::gen::inRange(0, 4) == 0) bytes.resize(size);
  return bytes;
}

// A property of which no case parses would pass in vain, so the unchanged packet must parse.
template <class Parse>
void round_trips(std::string_view sound, Parse parse) {
  const auto original = from_hex(sound);
  RC_ASSERT(parse(original).has_value());
  const auto bytes = mutated(sound);
  const auto view = parse(bytes);
  if (view) RC_ASSERT(emitted(*view) == bytes);
}

constexpr std::string_view kIpv4 =
    "4700 0020 0001 0000 4011 0000 c0000201 c0000202 0707040000000000 aabbccdd 00";
constexpr std::string_view kChain =
    "3c00 0502000001 00 2c00 010400000000 1100 0000 00000001 0001 0002 0008 0000";
constexpr std::string_view kAdvertisement =
    "86000000 40800708 00000005 00000006 0101020000000001 0501000000000578";

RC_GTEST_PROP(RoundTrip, Ethernet, ()) { round_trips("020000000001 020000000002 0800 45", parse_ethernet); }
RC_GTEST_PROP(RoundTrip, Vlan, ()) {
  round_trips("0001 8100 0002 0800 4500", [](Bytes in) { return parse_vlan(EtherType::qinq, in); });
}
RC_GTEST_PROP(RoundTrip, Arp, ()) {
  round_trips("0001 0800 0604 0001 020000000001 c0000201 000000000000 c0000202 0000", parse_arp);
}
RC_GTEST_PROP(RoundTrip, Ipv4, ()) { round_trips(kIpv4, parse_ipv4); }
RC_GTEST_PROP(RoundTrip, Ipv4Quote, ()) { round_trips(kIpv4, parse_ipv4_quote); }
RC_GTEST_PROP(RoundTrip, OptionList, ()) {
  round_trips("0204 05b4 01 0303 07 0402 00 0000",
              [](Bytes in) { return parse_option_list(in, Drop::tcp_bad_option); });
}
RC_GTEST_PROP(RoundTrip, Ipv6, ()) {
  round_trips(
      "60000000 0004 1140 20010db8000000000000000000000001 20010db8000000000000000000000002 aabbccdd 00",
      parse_ipv6);
}
RC_GTEST_PROP(RoundTrip, Ipv6Chain, ()) {
  round_trips(kChain, [](Bytes in) { return parse_ipv6_chain(IpProtocol::hop_by_hop, in); });
}
RC_GTEST_PROP(RoundTrip, Ipv6Options, ()) {
  round_trips("0502 0000 0100 00 1e03 aabbcc", parse_ipv6_options);
}
RC_GTEST_PROP(RoundTrip, Udp, ()) { round_trips("0001 0002 000a 0000 aabb cc", parse_udp); }
RC_GTEST_PROP(RoundTrip, Tcp, ()) {
  round_trips("c001 0050 00000001 00000002 7012 ffff 1234 0007 020405b4 01030307 aa", parse_tcp);
}
RC_GTEST_PROP(RoundTrip, Icmp, ()) { round_trips("0800 f7fa 0001 0002 0002", parse_icmp); }
RC_GTEST_PROP(RoundTrip, Icmpv6, ()) { round_trips("8000 1234 0001 0002 aabb", parse_icmpv6); }
RC_GTEST_PROP(RoundTrip, Nd, ()) { round_trips(kAdvertisement, parse_nd); }

}  // namespace
}  // namespace sluice::wire
