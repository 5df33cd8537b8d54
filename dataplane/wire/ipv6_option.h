// Options of IPv6 hop-by-hop and destination headers (RFC 8200, 4.2): type, length, data; Pad1 is a
// single zero byte.
#pragma once

#include <iterator>

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

struct Ipv6Option {
  static constexpr uint8_t kPad1 = 0, kPadN = 1, kRouterAlert = 5;

  Bytes bytes;  // type and length included; never empty

  uint8_t type() const { return bytes[0]; }
  Bytes data() const { return bytes.size() < 2 ? Bytes{} : bytes.subspan(2); }
};

// The option at the front of `in`, or nothing (an empty one) where its length does not fit.
inline Ipv6Option ipv6_option_at(Bytes in) {
  if (in.empty()) return {};
  if (in[0] == Ipv6Option::kPad1) return {in.first(1)};
  if (in.size() < 2 || in[1] + 2u > in.size()) return {};
  return {in.first(in[1] + 2u)};
}

struct Ipv6OptionsView {
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Ipv6Option;

    Iterator() = default;
    explicit Iterator(Bytes rest) : rest_(rest) {}
    Ipv6Option operator*() const { return ipv6_option_at(rest_); }
    Iterator& operator++() {
      rest_ = rest_.subspan((**this).bytes.size());
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

   private:
    Bytes rest_;
  };

  Bytes options;  // every one of a sound length

  Iterator begin() const { return Iterator(options); }
  std::default_sentinel_t end() const { return {}; }
};

// `in` is the body of a hop-by-hop or destination header: Ipv6Extension::body().
inline Parsed<Ipv6OptionsView> parse_ipv6_options(Bytes in) {
  for (Bytes rest = in; !rest.empty();) {
    const Ipv6Option option = ipv6_option_at(rest);
    if (option.bytes.empty()) return drop(Drop::ipv6_bad_option);
    rest = rest.subspan(option.bytes.size());
  }
  return Ipv6OptionsView{in};
}

inline void emit(const Ipv6OptionsView& view, Writer& out) {
  for (const Ipv6Option option : view) out.put(option.bytes);
}

}  // namespace sluice::wire
