// Checksums over any bytes: what is computed verifies, and an incremental update equals a new computation.
#include "dataplane/wire/icmp.h"
#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/l4_checksum.h"
#include "tests/fuzz/fuzz.h"

namespace sluice::fuzz {
namespace {

// The front of the input is the address pair and a new value for the source; the rest is the segment.
template <class Address>
struct Input {
  Address src, dst, new_src;
};

template <class Address>
void check_l4(Bytes bytes) {
  const auto* input = wire::overlay<Input<Address>>(bytes);
  if (!input) return;
  Exact segment(bytes.subspan(sizeof *input));
  const auto& [src, dst, new_src] = *input;
  // A sum of nothing but zeros has two representations, and only there may the two ways differ.
  const bool zero_before = src == Address{} && dst == Address{},
             zero_after = new_src == Address{} && dst == Address{};

  if (auto udp = wire::parse_udp(segment)) {
    auto* header = wire::overlay<wire::UdpHeader>(wire::MutableBytes(segment.bytes));
    header->checksum = wire::udp_checksum(src, dst, *udp);
    require(wire::udp_checksum_ok(src, dst, *udp), "computed UDP checksum does not verify");
    if (!zero_before && !zero_after)
      require(
          wire::update_udp_checksum(header->checksum, src, new_src) == wire::udp_checksum(new_src, dst, *udp),
          "updated UDP checksum differs from a computed one");
  }
  if (auto tcp = wire::parse_tcp(segment)) {
    auto* header = wire::overlay<wire::TcpHeader>(wire::MutableBytes(segment.bytes));
    header->checksum = wire::tcp_checksum(src, dst, *tcp);
    require(wire::tcp_checksum_ok(src, dst, *tcp), "computed TCP checksum does not verify");
    if (!zero_before && !zero_after)
      require(wire::update_checksum(header->checksum, src, new_src) == wire::tcp_checksum(new_src, dst, *tcp),
              "updated TCP checksum differs from a computed one");
  }
}

void check_ipv4(Bytes bytes) {
  Exact packet(bytes);
  const auto view = wire::parse_ipv4(packet);
  if (!view) return;
  auto* header = wire::overlay<wire::Ipv4Header>(wire::MutableBytes(packet.bytes));
  header->checksum = wire::ipv4_checksum(*view);
  require(wire::ipv4_checksum_ok(*view), "computed IPv4 checksum does not verify");
  if (header->ttl.get() > 1) {
    wire::decrement_ttl(*header);
    require(header->checksum == wire::ipv4_checksum(*view), "TTL decrement leaves a wrong checksum");
  }
}

void check_icmp(Bytes bytes) {
  Exact message(bytes);
  const auto view = wire::parse_icmp(message);
  if (!view) return;
  wire::overlay<wire::IcmpHeader>(wire::MutableBytes(message.bytes))->checksum = wire::icmp_checksum(*view);
  require(wire::icmp_checksum_ok(*view), "computed ICMP checksum does not verify");
}

void check_all(Bytes in) {
  check_l4<wire::Ipv4Address>(in);
  check_l4<wire::Ipv6Address>(in);
  check_ipv4(in);
  check_icmp(in);
}

}  // namespace
}  // namespace sluice::fuzz

FUZZ_TARGET(sluice::fuzz::check_all)
