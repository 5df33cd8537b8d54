// Frames made by our emit functions from random field values, with those values under the names that
// describe.h uses. What is expected is written before the packet is, never read back from it.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "dataplane/wire/address.h"
#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6.h"
#include "tests/oracle/describe.h"
#include "tests/support/wire.h"

namespace sluice::oracle {

using Buffer = std::vector<uint8_t>;

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  template <class T>
  T any() {
    return static_cast<T>(engine_());
  }
  // 0 .. limit-1
  size_t below(size_t limit) { return static_cast<size_t>(engine_() % limit); }
  bool one_in(size_t n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  Buffer bytes(size_t size) {
    Buffer buffer(size);
    for (uint8_t& byte : buffer) byte = any<uint8_t>();
    return buffer;
  }
  wire::MacAddress mac() { return wire::MacAddress::from_integer(engine_() >> 16); }
  wire::Ipv4Address ipv4() { return wire::Ipv4Address::from_integer(any<uint32_t>()); }
  wire::Ipv6Address ipv6() {
    wire::Ipv6Address address;
    for (uint8_t& octet : address.octets) octet = any<uint8_t>();
    return address;
  }

 private:
  std::mt19937_64 engine_;
};

using testing::emitted;

template <wire::WireHeader Header>
void append(Buffer& buffer, const Header& header) {
  const Bytes bytes = wire::bytes_of(header);
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
}
inline void append(Buffer& buffer, const Buffer& more) {
  buffer.insert(buffer.end(), more.begin(), more.end());
}

IpContext any_ip(Random& random);

// Wrap a payload into the next layer down, with random values for what is not given.
Buffer in_ethernet(Random& random, wire::EtherType type, const Buffer& payload, Fields& fields);
Buffer in_ip(Random& random, const IpContext& ip, wire::IpProtocol protocol, const Buffer& payload,
             Fields& fields);
// The IPv4 or IPv6 header alone, without options or extension headers, over `payload`.
Buffer plain_ip(Random& random, const IpContext& ip, wire::IpProtocol protocol, const Buffer& payload,
                Fields& fields);

// A whole frame; its fields go to `fields`.
using Generator = Buffer (*)(Random& random, Fields& fields);

// One a file generate_*.cpp, joined in wire_generate.cpp.
std::map<std::string, Generator> link_generators();
std::map<std::string, Generator> ip_generators();
std::map<std::string, Generator> transport_generators();
std::map<std::string, Generator> control_generators();
std::map<std::string, Generator> checksum_generators();
std::map<std::string, Generator> gtpu_generators();
std::map<std::string, Generator> roce_generators();

}  // namespace sluice::oracle
