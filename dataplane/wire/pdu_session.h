// PDU session user plane information (3GPP TS 38.415, 5.5), the content of GTP-U's PDU session
// container: the QoS flow of a packet on N3 and N9, and what is measured about its way.
#pragma once

#include <optional>
#include <variant>

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

enum class Qfi : uint8_t {};  // six bits

// 5.5.3, "PDU Type".
enum class PduSessionType : uint8_t { dl = 0, ul = 1 };

// Paging policy indicator, three bits; the other five of its octet are spare.
struct PagingPolicy {
  uint8_t indicator = 0;
  uint8_t spare = 0;

  bool operator==(const PagingPolicy&) const = default;
};

// 5.5.2.1, PDU type 0. An optional field is one that a flag announces. Time stamps are 64-bit NTP times.
struct DlPduSession {
  uint8_t spare = 0;  // the lower two bits of octet 1, of which later releases make flags
  bool reflective_qos = false;
  Qfi qfi{};
  std::optional<PagingPolicy> paging;    // PPP
  std::optional<uint64_t> sending_time;  // QMP
  std::optional<uint32_t> qfi_sequence;  // SNP, 24 bits
  Bytes rest;                            // padding, or fields of later releases
};

// QMP of an uplink PDU brings all three.
struct UlTimes {
  uint64_t dl_sending_repeated = 0, dl_received = 0, ul_sending = 0;

  bool operator==(const UlTimes&) const = default;
};

// 5.5.2.2, PDU type 1. Delays are in milliseconds.
struct UlPduSession {
  bool spare = false;  // bit 7 of octet 2, of which later releases make a flag
  Qfi qfi{};
  std::optional<UlTimes> times;          // QMP
  std::optional<uint32_t> dl_delay;      // DL Delay Ind.
  std::optional<uint32_t> ul_delay;      // UL Delay Ind.
  std::optional<uint32_t> qfi_sequence;  // SNP, 24 bits
  std::optional<uint32_t> n3_n9_delay;   // N3/N9 Delay Ind.
  Bytes rest;
};

using PduSession = std::variant<DlPduSession, UlPduSession>;

inline Qfi qfi_of(const PduSession& session) {
  return std::visit([](const auto& s) { return s.qfi; }, session);
}

namespace detail {

// Takes fields from the front. A field that is missing makes ok() false and reads as zero.
class FieldReader {
 public:
  explicit FieldReader(Bytes in) : rest_(in) {}

  template <class Field>
  typename Field::value_type take() {
    const auto* field = overlay<Field>(rest_);
    ok_ = ok_ && field;
    if (!ok_) return 0;
    rest_ = rest_.subspan(sizeof(Field));
    return field->get();
  }

  template <class Field>
  std::optional<typename Field::value_type> take_if(bool present) {
    return present ? std::optional(take<Field>()) : std::nullopt;
  }

  bool ok() const { return ok_; }
  Bytes rest() const { return rest_; }

 private:
  Bytes rest_;
  bool ok_ = true;
};

template <class Field>
void put_if(const std::optional<typename Field::value_type>& value, Writer& out) {
  if (value) out.put(Field(*value));
}

// The value is made where it is returned: it is too large to be copied for every packet.
inline Parsed<PduSession> parse_dl(uint8_t octet1, FieldReader in) {
  Parsed<PduSession> parsed(tl::in_place, std::in_place_type<DlPduSession>);
  auto& dl = *std::get_if<DlPduSession>(&*parsed);
  const uint8_t octet2 = in.take<Be8>();
  dl.spare = octet1 & 0x03;
  dl.reflective_qos = octet2 & 0x40;
  dl.qfi = Qfi{static_cast<uint8_t>(octet2 & 0x3f)};
  if (octet2 & 0x80) {
    const uint8_t octet3 = in.take<Be8>();
    dl.paging = PagingPolicy{static_cast<uint8_t>(octet3 >> 5), static_cast<uint8_t>(octet3 & 0x1f)};
  }
  dl.sending_time = in.take_if<Be64>(octet1 & 0x08);
  dl.qfi_sequence = in.take_if<Be24>(octet1 & 0x04);
  dl.rest = in.rest();
  if (!in.ok()) parsed = drop(Drop::gtpu_bad_container);
  return parsed;
}

inline Parsed<PduSession> parse_ul(uint8_t octet1, FieldReader in) {
  Parsed<PduSession> parsed(tl::in_place, std::in_place_type<UlPduSession>);
  auto& ul = *std::get_if<UlPduSession>(&*parsed);
  const uint8_t octet2 = in.take<Be8>();
  ul.spare = octet2 & 0x40;
  ul.qfi = Qfi{static_cast<uint8_t>(octet2 & 0x3f)};
  if (octet1 & 0x08) {
    ul.times.emplace();
    ul.times->dl_sending_repeated = in.take<Be64>();
    ul.times->dl_received = in.take<Be64>();
    ul.times->ul_sending = in.take<Be64>();
  }
  ul.dl_delay = in.take_if<Be32>(octet1 & 0x04);
  ul.ul_delay = in.take_if<Be32>(octet1 & 0x02);
  ul.qfi_sequence = in.take_if<Be24>(octet1 & 0x01);
  ul.n3_n9_delay = in.take_if<Be32>(octet2 & 0x80);
  ul.rest = in.rest();
  if (!in.ok()) parsed = drop(Drop::gtpu_bad_container);
  return parsed;
}

}  // namespace detail

// `in` is the content of the extension header, without its length and next type.
inline Parsed<PduSession> parse_pdu_session(Bytes in) {
  detail::FieldReader reader(in);
  const uint8_t octet1 = reader.take<Be8>();
  if (!reader.ok()) return drop(Drop::gtpu_bad_container);
  switch (PduSessionType{static_cast<uint8_t>(octet1 >> 4)}) {
    case PduSessionType::dl:
      return detail::parse_dl(octet1, reader);
    case PduSessionType::ul:
      return detail::parse_ul(octet1, reader);
  }
  return drop(Drop::gtpu_unknown_pdu_type);
}

inline void emit(const DlPduSession& dl, Writer& out) {
  const int octet1 = static_cast<int>(PduSessionType::dl) << 4 | dl.sending_time.has_value() << 3 |
                     dl.qfi_sequence.has_value() << 2 | (dl.spare & 0x03);
  const int octet2 =
      dl.paging.has_value() << 7 | dl.reflective_qos << 6 | (static_cast<uint8_t>(dl.qfi) & 0x3f);
  out.put(Be8(static_cast<uint8_t>(octet1)));
  out.put(Be8(static_cast<uint8_t>(octet2)));
  if (dl.paging) out.put(Be8(static_cast<uint8_t>(dl.paging->indicator << 5 | (dl.paging->spare & 0x1f))));
  detail::put_if<Be64>(dl.sending_time, out);
  detail::put_if<Be24>(dl.qfi_sequence, out);
  out.put(dl.rest);
}

inline void emit(const UlPduSession& ul, Writer& out) {
  const int octet1 = static_cast<int>(PduSessionType::ul) << 4 | ul.times.has_value() << 3 |
                     ul.dl_delay.has_value() << 2 | ul.ul_delay.has_value() << 1 |
                     static_cast<int>(ul.qfi_sequence.has_value());
  const int octet2 = ul.n3_n9_delay.has_value() << 7 | ul.spare << 6 | (static_cast<uint8_t>(ul.qfi) & 0x3f);
  out.put(Be8(static_cast<uint8_t>(octet1)));
  out.put(Be8(static_cast<uint8_t>(octet2)));
  if (ul.times) {
    out.put(Be64(ul.times->dl_sending_repeated));
    out.put(Be64(ul.times->dl_received));
    out.put(Be64(ul.times->ul_sending));
  }
  detail::put_if<Be32>(ul.dl_delay, out);
  detail::put_if<Be32>(ul.ul_delay, out);
  detail::put_if<Be24>(ul.qfi_sequence, out);
  detail::put_if<Be32>(ul.n3_n9_delay, out);
  out.put(ul.rest);
}

inline void emit(const PduSession& session, Writer& out) {
  std::visit([&](const auto& s) { emit(s, out); }, session);
}

}  // namespace sluice::wire
