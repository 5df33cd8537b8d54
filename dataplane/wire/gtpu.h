// GTP-U (3GPP TS 29.281): header, optional fields and the chain of extension headers.
// What a signalling message carries behind them is in gtpu_elements.h, what the PDU session
// container means in pdu_session.h.
#pragma once

#include <optional>

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

inline constexpr uint16_t kGtpuPort = 2152;  // 4.4.2

enum class Teid : uint32_t {};

// 6.1, table 6.1-1.
enum class GtpuMessage : uint8_t {
  echo_request = 1,
  echo_response = 2,
  error_indication = 26,
  supported_extension_headers = 31,
  end_marker = 254,
  g_pdu = 255,
};

// 5.2.1, figure 5.2.1-3.
enum class GtpuExtensionType : uint8_t {
  none = 0,
  service_class_indicator = 0x20,
  udp_port = 0x40,
  ran_container = 0x81,
  long_pdcp_pdu_number = 0x82,
  xw_ran_container = 0x83,
  nr_ran_container = 0x84,
  pdu_session_container = 0x85,
  pdcp_pdu_number = 0xc0,
};

// 5.2.1, figure 5.2.1-2: bit 8 of the type tells whether an endpoint that does not know the extension
// header has to give the packet up.
constexpr bool endpoint_must_understand(GtpuExtensionType type) { return static_cast<uint8_t>(type) & 0x80; }

// 5.1: octets 1 to 8.
struct GtpuHeader {
  static constexpr uint8_t kVersion1 = 0x30;  // version 1 and protocol type GTP
  static constexpr uint8_t kExtension = 0x04, kSequence = 0x02, kNPdu = 0x01;

  Be8 flags, message;
  Be16 length;  // of what follows these eight octets
  Be32 teid;

  uint8_t version() const { return flags.get() >> 5; }
  bool protocol_type() const { return flags.get() & 0x10; }
  bool has_extension() const { return flags.get() & kExtension; }
  bool has_sequence() const { return flags.get() & kSequence; }
  bool has_n_pdu() const { return flags.get() & kNPdu; }
  // One of the three flags brings all four octets of GtpuOptional.
  bool has_optional() const { return flags.get() & (kExtension | kSequence | kNPdu); }
  GtpuMessage message_type() const { return GtpuMessage{message.get()}; }
  Teid tunnel() const { return Teid{teid.get()}; }
};
static_assert(sizeof(GtpuHeader) == 8 && alignof(GtpuHeader) == 1 && offsetof(GtpuHeader, teid) == 4);

// 5.1: octets 9 to 12. A field counts only where its own flag is set.
struct GtpuOptional {
  Be16 sequence;
  Be8 n_pdu, next_extension;
};
static_assert(sizeof(GtpuOptional) == 4 && alignof(GtpuOptional) == 1);

struct GtpuExtension {
  GtpuExtensionType type;
  Bytes content;  // without the length before it and the next type behind it
};

// The extension headers of one packet. parse() has walked the chain once, so that iterating needs no
// further check, and a packet whose extensions nobody asks for pays for nothing else.
class GtpuExtensions {
 public:
  // No interface stacks more than three; a bound keeps a hostile packet from holding the worker.
  static constexpr size_t kMost = 8;

  class Iterator {
   public:
    GtpuExtension operator*() const {
      return {GtpuExtensionType{type_}, {at_ + 1, static_cast<size_t>(at_[0]) * 4 - 2}};
    }
    Iterator& operator++() {
      at_ += static_cast<size_t>(at_[0]) * 4;
      type_ = at_[-1];
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    friend GtpuExtensions;
    Iterator(uint8_t type, const uint8_t* at) : type_(type), at_(at) {}
    uint8_t type_;
    const uint8_t* at_;
  };

  GtpuExtensions() = default;

  // The chain that starts with a header of type `first` at the front of `in`. 5.2.1: a header's first
  // octet is its length in units of four, its last octet is the type of the next one, zero at the end.
  static Parsed<GtpuExtensions> parse(uint8_t first, Bytes in) {
    size_t used = 0, count = 0;
    for (uint8_t type = first; type != 0; ++count) {
      if (count == kMost) return drop(Drop::gtpu_too_many_extensions);
      if (used == in.size()) return drop(Drop::gtpu_bad_extension);
      const size_t length = size_t{in[used]} * 4;
      if (length == 0 || length > in.size() - used) return drop(Drop::gtpu_bad_extension);
      used += length;
      type = in[used - 1];
    }
    return GtpuExtensions(first, in.first(used));
  }

  Iterator begin() const { return {first_, bytes_.data()}; }
  Iterator end() const { return {0, bytes_.data() + bytes_.size()}; }
  bool empty() const { return bytes_.empty(); }
  Bytes bytes() const { return bytes_; }

  // The content of the first extension header of this type.
  std::optional<Bytes> find(GtpuExtensionType type) const {
    for (const GtpuExtension extension : *this)
      if (extension.type == type) return extension.content;
    return std::nullopt;
  }

 private:
  GtpuExtensions(uint8_t first, Bytes bytes) : first_(first), bytes_(bytes) {}
  uint8_t first_ = 0;
  Bytes bytes_;
};

struct GtpuView {
  const GtpuHeader* header;
  const GtpuOptional* optional;  // nullptr where none of the flags E, S, PN is set
  GtpuExtensions extensions;
  Bytes payload;  // the user's packet, or a signalling message's information elements
  Bytes trailer;  // what the datagram holds beyond the header's length
};

inline Parsed<GtpuView> parse_gtpu(Bytes in) {
  const auto* header = overlay<GtpuHeader>(in);
  if (!header) return drop(Drop::gtpu_truncated);
  if (header->version() != 1 || !header->protocol_type()) return drop(Drop::gtpu_bad_version);
  const Bytes behind = in.subspan(sizeof(GtpuHeader));
  const size_t length = header->length.get();
  if (length > behind.size()) return drop(Drop::gtpu_bad_length);

  GtpuView view{header, nullptr, {}, behind.first(length), behind.subspan(length)};
  if (!header->has_optional()) return view;
  view.optional = overlay<GtpuOptional>(view.payload);
  if (!view.optional) return drop(Drop::gtpu_bad_length);
  view.payload = view.payload.subspan(sizeof(GtpuOptional));

  if (!header->has_extension()) return view;
  const auto extensions = GtpuExtensions::parse(view.optional->next_extension.get(), view.payload);
  if (!extensions) return drop(extensions.error());
  view.extensions = *extensions;
  view.payload = view.payload.subspan(extensions->bytes().size());
  return view;
}

inline void emit(const GtpuView& view, Writer& out) {
  out.put(*view.header);
  if (view.optional) out.put(*view.optional);
  out.put(view.extensions.bytes());
  out.put(view.payload);
  out.put(view.trailer);
}

// Writes one extension header, its content padded with zeros to whole units of four octets.
inline void emit_extension(Bytes content, GtpuExtensionType next, Writer& out) {
  constexpr uint8_t kZeros[3] = {};
  const size_t units = (content.size() + 2 + 3) / 4;
  if (units > 255) return out.fail();
  out.put(Be8(static_cast<uint8_t>(units)));
  out.put(content);
  out.put(Bytes(kZeros).first(units * 4 - 2 - content.size()));
  out.put(Be8(static_cast<uint8_t>(next)));
}

}  // namespace sluice::wire
