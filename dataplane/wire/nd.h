// Neighbour discovery for IPv6 (RFC 4861): router and neighbour messages, redirect, and their options.
#pragma once

#include <iterator>

#include "dataplane/wire/address.h"
#include "dataplane/wire/icmpv6.h"

namespace sluice::wire {

// Neighbour solicitation and advertisement (4.3, 4.4).
struct NeighbourHeader {
  Be8 type, code;
  Be16 checksum;
  Be32 flags;  // an advertisement's; reserved in a solicitation
  Ipv6Address target;

  bool router() const { return flags.get() >> 31; }
  bool solicited() const { return flags.get() >> 30 & 1; }
  bool override_cache() const { return flags.get() >> 29 & 1; }
};
static_assert(sizeof(NeighbourHeader) == 24 && alignof(NeighbourHeader) == 1 &&
              offsetof(NeighbourHeader, target) == 8);

inline constexpr uint32_t kNdRouterFlag = 1u << 31, kNdSolicitedFlag = 1u << 30, kNdOverrideFlag = 1u << 29;

// Router solicitation (4.1).
struct RouterSolicitationHeader {
  Be8 type, code;
  Be16 checksum;
  Be32 reserved;
};
static_assert(sizeof(RouterSolicitationHeader) == 8 && alignof(RouterSolicitationHeader) == 1);

// Router advertisement (4.2).
struct RouterAdvertisementHeader {
  Be8 type, code;
  Be16 checksum;
  Be8 hop_limit, flags;
  Be16 router_lifetime;
  Be32 reachable_time, retrans_timer;

  bool managed() const { return flags.get() & 0x80; }
  bool other() const { return flags.get() & 0x40; }
};
static_assert(sizeof(RouterAdvertisementHeader) == 16 && alignof(RouterAdvertisementHeader) == 1 &&
              offsetof(RouterAdvertisementHeader, reachable_time) == 8);

// Redirect (4.5).
struct RedirectHeader {
  Be8 type, code;
  Be16 checksum;
  Be32 reserved;
  Ipv6Address target, destination;
};
static_assert(sizeof(RedirectHeader) == 40 && alignof(RedirectHeader) == 1);

enum class NdOptionType : uint8_t {
  source_link_address = 1,
  target_link_address = 2,
  prefix_information = 3,
  redirected_header = 4,
  mtu = 5,
};

// 4.6.1, for Ethernet (RFC 2464, 6).
struct NdLinkAddressOption {
  Be8 type, length;
  MacAddress mac;
};
static_assert(sizeof(NdLinkAddressOption) == 8 && alignof(NdLinkAddressOption) == 1);

// 4.6.2.
struct NdPrefixOption {
  Be8 type, length, prefix_length, flags;
  Be32 valid_lifetime, preferred_lifetime, reserved;
  Ipv6Address prefix;

  bool on_link() const { return flags.get() & 0x80; }
  bool autonomous() const { return flags.get() & 0x40; }
};
static_assert(sizeof(NdPrefixOption) == 32 && alignof(NdPrefixOption) == 1);

// 4.6.4.
struct NdMtuOption {
  Be8 type, length;
  Be16 reserved;
  Be32 mtu;
};
static_assert(sizeof(NdMtuOption) == 8 && alignof(NdMtuOption) == 1);

struct NdOption {
  Bytes bytes;  // type and length included; never empty

  NdOptionType type() const { return NdOptionType{bytes[0]}; }
  // nullptr where this option is of another type or size.
  const NdLinkAddressOption* link_address() const {
    const bool matches =
        type() == NdOptionType::source_link_address || type() == NdOptionType::target_link_address;
    return matches ? exactly<NdLinkAddressOption>() : nullptr;
  }
  const NdPrefixOption* prefix() const {
    return type() == NdOptionType::prefix_information ? exactly<NdPrefixOption>() : nullptr;
  }
  const NdMtuOption* mtu() const { return type() == NdOptionType::mtu ? exactly<NdMtuOption>() : nullptr; }

 private:
  template <WireHeader Option>
  const Option* exactly() const {
    return bytes.size() == sizeof(Option) ? overlay<Option>(bytes) : nullptr;
  }
};

// The option at the front of `in`. Length zero would never end (RFC 4861, 4.6: discard the packet).
inline Parsed<NdOption> parse_nd_option(Bytes in) {
  if (in.size() < 2 || in[1] == 0 || in[1] * 8u > in.size()) return drop(Drop::nd_bad_option);
  return NdOption{in.first(in[1] * 8u)};
}

inline void emit(const NdOption& option, Writer& out) { out.put(option.bytes); }

// Walks options that parse_nd() found good.
class NdOptionRange {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = NdOption;

    Iterator() = default;
    explicit Iterator(Bytes rest) : rest_(rest) {}
    NdOption operator*() const { return *parse_nd_option(rest_); }
    Iterator& operator++() {
      rest_ = rest_.subspan((**this).bytes.size());
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

   private:
    Bytes rest_;
  };

  explicit NdOptionRange(Bytes bytes) : bytes_(bytes) {}
  Iterator begin() const { return Iterator(bytes_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  Bytes bytes_;
};

struct NdView {
  const Icmpv6Header* header;
  Bytes fixed;    // the message up to its options, ICMPv6 header included
  Bytes options;  // every one of a sound length

  NdOptionRange option_range() const { return NdOptionRange(options); }

  // nullptr where the message is another one.
  const NeighbourHeader* solicitation() const {
    return as<NeighbourHeader>(Icmpv6Type::neighbour_solicitation);
  }
  const NeighbourHeader* advertisement() const {
    return as<NeighbourHeader>(Icmpv6Type::neighbour_advertisement);
  }
  const RouterSolicitationHeader* router_solicitation() const {
    return as<RouterSolicitationHeader>(Icmpv6Type::router_solicitation);
  }
  const RouterAdvertisementHeader* router_advertisement() const {
    return as<RouterAdvertisementHeader>(Icmpv6Type::router_advertisement);
  }
  const RedirectHeader* redirect() const { return as<RedirectHeader>(Icmpv6Type::redirect); }

  // The MAC of the first link-layer address option of this type, or nullptr.
  const MacAddress* link_address(NdOptionType type) const {
    for (const NdOption option : option_range())
      if (option.type() == type && option.link_address()) return &option.link_address()->mac;
    return nullptr;
  }

 private:
  template <WireHeader Header>
  const Header* as(Icmpv6Type type) const {
    return header->icmp_type() == type ? overlay<Header>(fixed) : nullptr;
  }
};

// Bytes before the options of a message of this type; 0 for a type that is not neighbour discovery.
constexpr size_t nd_fixed_length(Icmpv6Type type) {
  switch (type) {
    case Icmpv6Type::router_solicitation:
      return sizeof(RouterSolicitationHeader);
    case Icmpv6Type::router_advertisement:
      return sizeof(RouterAdvertisementHeader);
    case Icmpv6Type::neighbour_solicitation:
    case Icmpv6Type::neighbour_advertisement:
      return sizeof(NeighbourHeader);
    case Icmpv6Type::redirect:
      return sizeof(RedirectHeader);
    default:
      return 0;
  }
}

// `in` is a whole ICMPv6 message: Icmpv6View::message().
inline Parsed<NdView> parse_nd(Bytes in) {
  const auto* header = overlay<Icmpv6Header>(in);
  if (!header) return drop(Drop::nd_truncated);
  const size_t fixed = nd_fixed_length(header->icmp_type());
  if (!fixed) return drop(Drop::nd_unknown_type);
  if (fixed > in.size()) return drop(Drop::nd_truncated);
  for (Bytes rest = in.subspan(fixed); !rest.empty();) {
    const auto option = parse_nd_option(rest);
    if (!option) return drop(option.error());
    rest = rest.subspan(option->bytes.size());
  }
  return NdView{header, in.first(fixed), in.subspan(fixed)};
}

inline void emit(const NdView& view, Writer& out) {
  out.put(view.fixed);
  for (const NdOption option : view.option_range()) emit(option, out);
}

}  // namespace sluice::wire
