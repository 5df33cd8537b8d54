// The option list that IPv4 (RFC 791, 3.1) and TCP (RFC 9293, 3.1) share: kind, length, data; kinds 0
// (end of list) and 1 (no operation) are single bytes.
#pragma once

#include <iterator>

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

struct Option {
  static constexpr uint8_t kEnd = 0, kNoOperation = 1;

  Bytes bytes;  // kind and length included; never empty

  uint8_t kind() const { return bytes[0]; }
  Bytes data() const { return bytes.size() < 2 ? Bytes{} : bytes.subspan(2); }
};

// The option at the front of `in`, or nothing (an empty one) where its length does not fit.
inline Option option_at(Bytes in) {
  if (in.empty()) return {};
  if (in[0] == Option::kEnd || in[0] == Option::kNoOperation) return {in.first(1)};
  if (in.size() < 2 || in[1] < 2 || in[1] > in.size()) return {};
  return {in.first(in[1])};
}

struct OptionListView {
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Option;

    Iterator() = default;
    explicit Iterator(Bytes rest) : rest_(rest) {}
    Option operator*() const { return option_at(rest_); }
    Iterator& operator++() {
      rest_ = rest_.subspan((**this).bytes.size());
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

   private:
    Bytes rest_;
  };

  Bytes options;  // up to and with the end of list, every one of a sound length
  Bytes padding;  // behind the end of list

  Iterator begin() const { return Iterator(options); }
  std::default_sentinel_t end() const { return {}; }
};

inline Parsed<OptionListView> parse_option_list(Bytes in, Drop bad_option) {
  Bytes rest = in;
  for (bool end = false; !end && !rest.empty();) {
    const Option option = option_at(rest);
    if (option.bytes.empty()) return drop(bad_option);
    end = option.kind() == Option::kEnd;
    rest = rest.subspan(option.bytes.size());
  }
  return OptionListView{in.first(in.size() - rest.size()), rest};
}

inline void emit(const OptionListView& view, Writer& out) {
  for (const Option option : view) out.put(option.bytes);
  out.put(view.padding);
}

}  // namespace sluice::wire
