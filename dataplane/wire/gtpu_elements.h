// Information elements of GTP-U signalling messages (3GPP TS 29.281, 8).
#pragma once

#include <optional>
#include <variant>

#include "dataplane/wire/address.h"
#include "dataplane/wire/gtpu.h"

namespace sluice::wire {

// 8.1, table 8.1-1.
enum class GtpuElementType : uint8_t {
  recovery = 14,
  teid_data_i = 16,
  peer_address = 133,  // "GSN Address" of TS 29.060
  extension_header_types = 141,
  recovery_time_stamp = 231,
  private_extension = 255,
};

struct GtpuElement {
  GtpuElementType type;
  Bytes value;
};

namespace detail {

struct GtpuElementShape {
  size_t length_octets;  // 0: the type alone fixes the length
  size_t fixed_length;
};

// 8.1: elements below 128 have no length field, those above have one of two octets; only the extension
// header type list has one of one octet (8.5). A type below 128 that we do not know cannot be stepped over.
constexpr std::optional<GtpuElementShape> shape_of(GtpuElementType type) {
  switch (type) {
    case GtpuElementType::recovery:
      return GtpuElementShape{0, 1};
    case GtpuElementType::teid_data_i:
      return GtpuElementShape{0, 4};
    case GtpuElementType::extension_header_types:
      return GtpuElementShape{1, 0};
    default:
      if (static_cast<uint8_t>(type) < 128) return std::nullopt;
      return GtpuElementShape{2, 0};
  }
}

// The element at the front of `in`; `used` says how many octets it takes.
inline std::optional<GtpuElement> take_element(Bytes in, size_t& used) {
  if (in.empty()) return std::nullopt;
  const GtpuElementType type{in[0]};
  const auto shape = shape_of(type);
  if (!shape || in.size() - 1 < shape->length_octets) return std::nullopt;
  size_t length = shape->fixed_length;
  for (size_t i = 0; i < shape->length_octets; ++i) length = length << 8 | in[1 + i];
  const size_t start = 1 + shape->length_octets;
  if (length > in.size() - start) return std::nullopt;
  used = start + length;
  return GtpuElement{type, in.subspan(start, length)};
}

}  // namespace detail

// The elements of one message, checked by parse_gtpu_elements().
class GtpuElements {
 public:
  class Iterator {
   public:
    GtpuElement operator*() const {
      size_t used = 0;
      return *detail::take_element(rest_, used);
    }
    Iterator& operator++() {
      size_t used = 0;
      (void)detail::take_element(rest_, used);
      rest_ = rest_.subspan(used);
      return *this;
    }
    bool operator==(const Iterator& other) const { return rest_.size() == other.rest_.size(); }

   private:
    friend GtpuElements;
    explicit Iterator(Bytes rest) : rest_(rest) {}
    Bytes rest_;
  };

  Iterator begin() const { return Iterator(bytes_); }
  Iterator end() const { return Iterator(bytes_.last(0)); }
  Bytes bytes() const { return bytes_; }

  // The value of the first element of this type.
  std::optional<Bytes> find(GtpuElementType type) const {
    for (const GtpuElement element : *this)
      if (element.type == type) return element.value;
    return std::nullopt;
  }

 private:
  friend Parsed<GtpuElements> parse_gtpu_elements(Bytes in);
  explicit GtpuElements(Bytes bytes) : bytes_(bytes) {}
  Bytes bytes_;
};

inline Parsed<GtpuElements> parse_gtpu_elements(Bytes in) {
  for (Bytes rest = in; !rest.empty();) {
    size_t used = 0;
    if (!detail::take_element(rest, used)) return drop(Drop::gtpu_bad_element);
    rest = rest.subspan(used);
  }
  return GtpuElements(in);
}

inline void emit(const GtpuElement& element, Writer& out) {
  const auto shape = detail::shape_of(element.type);
  const size_t size = element.value.size();
  if (!shape) return out.fail();
  out.put(Be8(static_cast<uint8_t>(element.type)));
  switch (shape->length_octets) {
    case 0:
      if (size != shape->fixed_length) return out.fail();
      break;
    case 1:
      if (size > 0xff) return out.fail();
      out.put(Be8(static_cast<uint8_t>(size)));
      break;
    default:
      if (size > 0xffff) return out.fail();
      out.put(Be16(static_cast<uint16_t>(size)));
  }
  out.put(element.value);
}

// 8.2: always zero and ignored by the receiver, but mandatory in an echo response.
inline std::optional<uint8_t> restart_counter_of(const GtpuElements& elements) {
  const auto value = elements.find(GtpuElementType::recovery);
  return value ? std::optional((*value)[0]) : std::nullopt;
}

// 8.6: a number of the IANA's enterprise numbers and what that enterprise makes of the value.
struct GtpuPrivateExtension {
  uint16_t identifier;
  Bytes value;
};

inline std::optional<GtpuPrivateExtension> private_extension_of(const GtpuElements& elements) {
  const auto value = elements.find(GtpuElementType::private_extension);
  const auto* identifier = value ? overlay<Be16>(*value) : nullptr;
  if (!identifier) return std::nullopt;
  return GtpuPrivateExtension{identifier->get(), value->subspan(sizeof(Be16))};
}

// 7.3.1: the tunnel that the sender does not know, as the receiver of this message had addressed it.
struct GtpuErrorIndication {
  Teid teid;
  std::variant<Ipv4Address, Ipv6Address> peer;
};

inline Parsed<GtpuErrorIndication> error_indication_of(const GtpuElements& elements) {
  const auto teid = elements.find(GtpuElementType::teid_data_i);
  const auto address = elements.find(GtpuElementType::peer_address);
  if (!teid || !address) return drop(Drop::gtpu_bad_element);
  GtpuErrorIndication indication{Teid{overlay<Be32>(*teid)->get()}, Ipv4Address{}};
  if (address->size() == sizeof(Ipv4Address))
    indication.peer = *overlay<Ipv4Address>(*address);
  else if (address->size() == sizeof(Ipv6Address))
    indication.peer = *overlay<Ipv6Address>(*address);
  else
    return drop(Drop::gtpu_bad_element);
  return indication;
}

inline void emit(const GtpuErrorIndication& indication, Writer& out) {
  const Be32 teid(static_cast<uint32_t>(indication.teid));
  emit(GtpuElement{GtpuElementType::teid_data_i, bytes_of(teid)}, out);
  const Bytes address = std::visit([](const auto& a) { return bytes_of(a); }, indication.peer);
  emit(GtpuElement{GtpuElementType::peer_address, address}, out);
}

}  // namespace sluice::wire
