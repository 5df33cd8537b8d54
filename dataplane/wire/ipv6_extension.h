// IPv6 extension headers (RFC 8200, 4; AH: RFC 4302; mobility: RFC 6275; HIP: RFC 7401; shim6: RFC 5533).
#pragma once

#include <iterator>

#include "dataplane/wire/ipv6.h"

namespace sluice::wire {

// A chain longer than this is dropped, not followed: RFC 8200 lets nobody need more than seven.
inline constexpr size_t kMaxIpv6Extensions = 8;

// What all extension headers begin with.
struct Ipv6ExtensionHeader {
  Be8 next_header, length;
};
static_assert(sizeof(Ipv6ExtensionHeader) == 2 && alignof(Ipv6ExtensionHeader) == 1);

struct Ipv6FragmentHeader {
  Be8 next_header, reserved;
  Be16 offset_flags;
  Be32 id;

  size_t fragment_offset() const { return offset_flags.get() & 0xfff8u; }
  bool more_fragments() const { return offset_flags.get() & 1; }
};
static_assert(sizeof(Ipv6FragmentHeader) == 8 && alignof(Ipv6FragmentHeader) == 1 &&
              offsetof(Ipv6FragmentHeader, id) == 4);

struct Ipv6RoutingHeader {
  Be8 next_header, length, routing_type, segments_left;
  Be32 type_specific;  // reserved in types 0 and 2; last entry, flags and tag in type 4 (RFC 8754, 2)
};
static_assert(sizeof(Ipv6RoutingHeader) == 8 && alignof(Ipv6RoutingHeader) == 1);

struct AuthenticationHeader {
  Be8 next_header, length;
  Be16 reserved;
  Be32 spi, sequence;
};
static_assert(sizeof(AuthenticationHeader) == 12 && alignof(AuthenticationHeader) == 1);

constexpr bool is_ipv6_extension(IpProtocol protocol) {
  switch (protocol) {
    case IpProtocol::hop_by_hop:
    case IpProtocol::routing:
    case IpProtocol::fragment:
    case IpProtocol::ah:
    case IpProtocol::destination:
    case IpProtocol::mobility:
    case IpProtocol::hip:
    case IpProtocol::shim6:
      return true;
    default:
      return false;
  }
}

struct Ipv6Extension {
  IpProtocol type;
  Bytes bytes;  // the whole header

  const Ipv6ExtensionHeader* header() const { return overlay<Ipv6ExtensionHeader>(bytes); }
  IpProtocol next() const { return IpProtocol{header()->next_header.get()}; }
  // Behind next header and length.
  Bytes body() const { return bytes.subspan(sizeof(Ipv6ExtensionHeader)); }
};

// The extension header of kind `type` at the front of `in`.
inline Parsed<Ipv6Extension> parse_ipv6_extension(IpProtocol type, Bytes in) {
  const auto* header = overlay<Ipv6ExtensionHeader>(in);
  if (!header) return drop(Drop::ipv6_extension_truncated);
  size_t length = (header->length.get() + 1u) * 8u;
  if (type == IpProtocol::fragment) length = sizeof(Ipv6FragmentHeader);  // its second byte is reserved
  if (type == IpProtocol::ah) length = (header->length.get() + 2u) * 4u;  // RFC 4302, 2.2
  if (length > in.size()) return drop(Drop::ipv6_extension_truncated);
  return Ipv6Extension{type, in.first(length)};
}

inline void emit(const Ipv6Extension& extension, Writer& out) { out.put(extension.bytes); }

// Walks headers that parse_ipv6_chain() found good.
class Ipv6ExtensionRange {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Ipv6Extension;

    Iterator() = default;
    Iterator(IpProtocol type, Bytes rest) : rest_(rest) { load(type); }
    const Ipv6Extension& operator*() const { return current_; }
    const Ipv6Extension* operator->() const { return &current_; }
    Iterator& operator++() {
      const IpProtocol next = current_.next();
      rest_ = rest_.subspan(current_.bytes.size());
      load(next);
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

   private:
    void load(IpProtocol type) {
      if (!rest_.empty()) current_ = *parse_ipv6_extension(type, rest_);
    }
    Bytes rest_;
    Ipv6Extension current_{};
  };

  Ipv6ExtensionRange(IpProtocol first, Bytes bytes) : first_(first), bytes_(bytes) {}
  Iterator begin() const { return {first_, bytes_}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  IpProtocol first_;
  Bytes bytes_;
};

struct Ipv6ChainView {
  IpProtocol first;                    // what the fixed header's next header says
  Bytes extensions;                    // all extension headers, one behind the other
  IpProtocol upper;                    // what follows them
  const Ipv6FragmentHeader* fragment;  // nullptr where the packet is whole
  const Ipv6RoutingHeader* routing;    // the first one, or nullptr
  Bytes payload;                       // of the upper protocol

  Ipv6ExtensionRange range() const { return {first, extensions}; }
  // Of a fragment other than the first, `payload` starts in the middle of something (RFC 8200, 4.5):
  // `upper` is only what the fragment header claims, and no upper-layer header is to be read.
  bool upper_readable() const { return !fragment || fragment->fragment_offset() == 0; }
};

inline Parsed<Ipv6ChainView> parse_ipv6_chain(IpProtocol first, Bytes in) {
  Ipv6ChainView view{first, {}, first, nullptr, nullptr, in};
  size_t count = 0;
  while (is_ipv6_extension(view.upper) && view.upper_readable()) {
    if (++count > kMaxIpv6Extensions) return drop(Drop::ipv6_too_many_extensions);
    const auto extension = parse_ipv6_extension(view.upper, view.payload);
    if (!extension) return drop(extension.error());
    if (view.upper == IpProtocol::fragment) view.fragment = overlay<Ipv6FragmentHeader>(extension->bytes);
    if (view.upper == IpProtocol::routing && !view.routing)
      view.routing = overlay<Ipv6RoutingHeader>(extension->bytes);
    view.upper = extension->next();
    view.payload = view.payload.subspan(extension->bytes.size());
  }
  view.extensions = in.first(in.size() - view.payload.size());
  return view;
}

inline Parsed<Ipv6ChainView> parse_ipv6_chain(const Ipv6View& packet) {
  return parse_ipv6_chain(IpProtocol{packet.header->next_header.get()}, packet.payload);
}

inline void emit(const Ipv6ChainView& view, Writer& out) {
  for (const Ipv6Extension& extension : view.range()) emit(extension, out);
  out.put(view.payload);
}

}  // namespace sluice::wire
