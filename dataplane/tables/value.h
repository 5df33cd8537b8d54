// A table's keys and parameters are integers of up to 128 bits, whatever they mean.
#pragma once

#include <cstdint>
#include <cstring>

#include "dataplane/wire/address.h"

namespace sluice::tables {

__extension__ typedef unsigned __int128 Value;

constexpr Value make_value(uint64_t high, uint64_t low) { return static_cast<Value>(high) << 64 | low; }

// The lowest `bits` bits set.
constexpr Value low_mask(unsigned bits) {
  return bits >= 128 ? ~Value{0} : (Value{1} << bits) - 1;
}

// The mask of a prefix in a field of `bits` bits.
constexpr Value prefix_mask(unsigned bits, unsigned length) { return low_mask(bits) & ~low_mask(bits - length); }

inline Value value_of(const wire::MacAddress& mac) { return mac.to_integer(); }
inline Value value_of(const wire::Ipv4Address& address) { return address.to_integer(); }
inline Value value_of(const wire::Ipv6Address& address) {
  wire::Be64 half[2];
  std::memcpy(half, address.octets.data(), sizeof half);
  return make_value(half[0].get(), half[1].get());
}

// Lets one field hold either family (RFC 4291, 2.5.5.2: ::ffff:a.b.c.d).
inline Value mapped(const wire::Ipv4Address& address) {
  return make_value(0, uint64_t{0xffff} << 32 | address.to_integer());
}

inline wire::MacAddress to_mac(Value value) { return wire::MacAddress::from_integer(static_cast<uint64_t>(value)); }
inline wire::Ipv4Address to_ipv4(Value value) {
  return wire::Ipv4Address::from_integer(static_cast<uint32_t>(value));
}
inline wire::Ipv6Address to_ipv6(Value value) {
  const wire::Be64 half[2] = {wire::Be64(static_cast<uint64_t>(value >> 64)), wire::Be64(static_cast<uint64_t>(value))};
  wire::Ipv6Address address;
  std::memcpy(address.octets.data(), half, sizeof half);
  return address;
}

}  // namespace sluice::tables
