// Link and network addresses, as bytes on the wire and as text.
#pragma once

#include <arpa/inet.h>

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "dataplane/wire/bytes.h"

namespace sluice::wire {

struct MacAddress {
  std::array<uint8_t, 6> octets{};

  constexpr bool operator==(const MacAddress&) const = default;
  constexpr auto operator<=>(const MacAddress&) const = default;
  // IEEE 802.3, 3.2.3: the first bit on the wire tells a group from an individual address.
  constexpr bool is_group() const { return octets[0] & 1; }
  constexpr bool is_broadcast() const { return *this == MacAddress{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}; }

  constexpr uint64_t to_integer() const {
    struct Parts {
      Be32 high;
      Be16 low;
    };
    const auto parts = std::bit_cast<Parts>(octets);
    return uint64_t{parts.high.get()} << 16 | parts.low.get();
  }
  static constexpr MacAddress from_integer(uint64_t value) {
    MacAddress mac;
    for (size_t i = 6; i-- > 0; value >>= 8) mac.octets[i] = static_cast<uint8_t>(value);
    return mac;
  }
};

struct Ipv4Address {
  Be32 value;

  constexpr bool operator==(const Ipv4Address&) const = default;
  static constexpr Ipv4Address from_integer(uint32_t v) { return {Be32(v)}; }
  constexpr uint32_t to_integer() const { return value.get(); }
  constexpr bool is_multicast() const { return to_integer() >> 28 == 0xe; }
  constexpr bool is_loopback() const { return to_integer() >> 24 == 127; }
  constexpr bool is_broadcast() const { return to_integer() == 0xffffffff; }
  constexpr bool is_unspecified() const { return to_integer() == 0; }
};

struct Ipv6Address {
  std::array<uint8_t, 16> octets{};

  constexpr bool operator==(const Ipv6Address&) const = default;
  constexpr auto operator<=>(const Ipv6Address&) const = default;
  // RFC 4291, 2.4.
  constexpr bool is_multicast() const { return octets[0] == 0xff; }
  constexpr bool is_link_local() const { return octets[0] == 0xfe && (octets[1] & 0xc0) == 0x80; }
  constexpr bool is_unspecified() const { return *this == Ipv6Address{}; }
  constexpr bool is_loopback() const {
    Ipv6Address loopback;
    loopback.octets[15] = 1;
    return *this == loopback;
  }
};

static_assert(sizeof(MacAddress) == 6 && alignof(MacAddress) == 1);
static_assert(sizeof(Ipv4Address) == 4 && alignof(Ipv4Address) == 1);
static_assert(sizeof(Ipv6Address) == 16 && alignof(Ipv6Address) == 1);

inline std::string to_text(const MacAddress& mac) {
  char text[18];
  const auto& o = mac.octets;
  std::snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", o[0], o[1], o[2], o[3], o[4], o[5]);
  return text;
}

inline std::string to_text(const Ipv4Address& address) {
  char text[INET_ADDRSTRLEN];
  return inet_ntop(AF_INET, &address, text, sizeof text);
}

inline std::string to_text(const Ipv6Address& address) {
  char text[INET6_ADDRSTRLEN];
  return inet_ntop(AF_INET6, &address, text, sizeof text);
}

// Six pairs of hexadecimal digits with colons between, nothing before or after.
inline std::optional<MacAddress> mac_from_text(std::string_view text) {
  if (text.size() != 17) return std::nullopt;
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  MacAddress mac;
  for (size_t i = 0; i < 6; ++i) {
    const int high = digit(text[3 * i]), low = digit(text[3 * i + 1]);
    if (high < 0 || low < 0 || (i < 5 && text[3 * i + 2] != ':')) return std::nullopt;
    mac.octets[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return mac;
}

inline std::optional<Ipv4Address> ipv4_from_text(std::string_view text) {
  Ipv4Address address;
  if (inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return std::nullopt;
  return address;
}

inline std::optional<Ipv6Address> ipv6_from_text(std::string_view text) {
  Ipv6Address address;
  if (inet_pton(AF_INET6, std::string(text).c_str(), &address) != 1) return std::nullopt;
  return address;
}

}  // namespace sluice::wire
