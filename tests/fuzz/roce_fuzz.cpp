// The same bytes are taken as a UDP payload and as an IP packet: the parser needs the one, the ICRC the
// other.
#include "dataplane/wire/roce.h"

#include "dataplane/wire/icrc.h"
#include "tests/fuzz/fuzz.h"

namespace sluice::fuzz {

void follow_roce(Bytes bytes) {
  const Exact in(bytes);
  const auto view = wire::parse_roce(in);
  if (view) require_same_bytes(*view, in);
}

void follow_icrc(Bytes bytes) {
  Exact in(bytes);
  std::vector<uint8_t>& packet = in.bytes;
  (void)wire::check_icrc(packet);
  if (wire::store_icrc(packet)) return;
  require(!wire::check_icrc(packet), "ICRC just stored is refused");

  const bool ipv4 = packet[0] >> 4 == 4;
  packet[ipv4 ? 8 : 7] ^= 0xff;
  require(!wire::check_icrc(packet), "ICRC covers TTL or hop limit");
  // A CRC finds every error of one bit, so that it does not matter which one is chosen.
  const size_t first = ipv4 ? 40 : 60;
  const size_t bit = (size_t{packet[first]} << 8 | packet[first + 1]) % ((packet.size() - first) * 8);
  packet[first + bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
  require(wire::check_icrc(packet).has_value(), "ICRC accepts a changed bit behind the BTH");
}

}  // namespace sluice::fuzz

FUZZ_TARGET([](sluice::wire::Bytes in) {
  sluice::fuzz::follow_roce(in);
  sluice::fuzz::follow_icrc(in);
})
