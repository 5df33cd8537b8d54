// RoCEv2 (IBTA vol. 1, chapter 9 and annex A17): what a UDP datagram to port 4791 holds.
#pragma once

#include <compare>

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"
#include "dataplane/wire/roce_opcode.h"

namespace sluice::wire {

inline constexpr uint16_t kRocePort = 4791;  // A17.2

enum class QpNumber : uint32_t {};  // 24 bits
enum class RemoteKey : uint32_t {};

// A packet sequence number: 24 bits that wrap. 9.7.1 keeps all PSNs in flight within half of the
// circle, so that the shorter way round tells which of two comes first.
class Psn {
 public:
  static constexpr uint32_t kMask = 0xffffff;

  constexpr Psn() = default;
  constexpr explicit Psn(uint32_t value) : value_(value & kMask) {}

  constexpr uint32_t value() const { return value_; }
  constexpr bool operator==(const Psn&) const = default;
  constexpr Psn operator+(uint32_t n) const { return Psn(value_ + n); }
  constexpr Psn operator-(uint32_t n) const { return Psn(value_ - n); }
  constexpr Psn& operator++() { return *this = *this + 1; }

  // How far this is ahead of `other`, negative where it is behind: -2^23 to 2^23 - 1.
  constexpr int32_t ahead_of(Psn other) const {
    return static_cast<int32_t>((value_ - other.value_) << 8) >> 8;
  }
  constexpr bool precedes(Psn other) const { return ahead_of(other) < 0; }

 private:
  uint32_t value_ = 0;
};

// 9.2: base transport header.
struct Bth {
  Be8 opcode, flags;
  Be16 partition_key;
  Be8 congestion;  // FECN, BECN and six reserved bits: the only octet that the ICRC leaves out
  Be24 dst_qp;
  Be8 ack_request;  // and seven reserved bits
  Be24 psn;

  RoceOpcode operation() const { return RoceOpcode{opcode.get()}; }
  bool solicited() const { return flags.get() & 0x80; }
  bool migrated() const { return flags.get() & 0x40; }
  uint8_t pad_count() const { return flags.get() >> 4 & 0x3; }
  uint8_t version() const { return flags.get() & 0xf; }
  bool forward_congestion() const { return congestion.get() & 0x80; }
  bool backward_congestion() const { return congestion.get() & 0x40; }
  bool wants_ack() const { return ack_request.get() & 0x80; }
  QpNumber destination() const { return QpNumber{dst_qp.get()}; }
  Psn sequence() const { return Psn(psn.get()); }
};
static_assert(sizeof(Bth) == 12 && alignof(Bth) == 1 && offsetof(Bth, congestion) == 4 &&
              offsetof(Bth, psn) == 9);

// 9.3.3: RDMA extended transport header.
struct Reth {
  Be64 address;
  Be32 remote_key, length;

  RemoteKey key() const { return RemoteKey{remote_key.get()}; }
};
static_assert(sizeof(Reth) == 16 && alignof(Reth) == 1 && offsetof(Reth, length) == 12);

// 9.3.4: atomic extended transport header.
struct AtomicEth {
  Be64 address;
  Be32 remote_key;
  Be64 swap_or_add, compare;

  RemoteKey key() const { return RemoteKey{remote_key.get()}; }
};
static_assert(sizeof(AtomicEth) == 28 && alignof(AtomicEth) == 1 && offsetof(AtomicEth, compare) == 20);

// 9.7.5.2.8, table 45, bits 6 and 5 of the syndrome.
enum class AethKind : uint8_t { ack = 0, rnr_nak = 1, reserved = 2, nak = 3 };

// 9.7.5.2.8, table 47: the lower five bits where the kind is nak.
enum class NakCode : uint8_t {
  psn_sequence_error = 0,
  invalid_request = 1,
  remote_access_error = 2,
  remote_operational_error = 3,
  invalid_rd_request = 4,
};

// 9.3.5: ACK extended transport header.
struct Aeth {
  Be8 syndrome;
  Be24 msn;  // message sequence number

  AethKind kind() const { return AethKind{static_cast<uint8_t>(syndrome.get() >> 5 & 0x3)}; }
  // Credit count, RNR timer or NAK code: what it is depends on the kind.
  uint8_t value() const { return syndrome.get() & 0x1f; }
  NakCode nak_code() const { return NakCode{value()}; }

  static constexpr uint8_t make_syndrome(AethKind kind, uint8_t value) {
    return static_cast<uint8_t>(static_cast<unsigned>(kind) << 5 | (value & 0x1fu));
  }
  static constexpr uint8_t make_syndrome(NakCode code) {
    return make_syndrome(AethKind::nak, static_cast<uint8_t>(code));
  }
};
static_assert(sizeof(Aeth) == 4 && alignof(Aeth) == 1);

// 9.5.3: atomic ACK extended transport header.
struct AtomicAckEth {
  Be64 original;
};

// 9.3.6: immediate data, opaque to the transport.
struct ImmediateData {
  Be32 value;
};

// A17.9.3: a congestion notification's reserved octets, zero when sent and ignored when received.
struct CongestionReserved {
  Be64 high, low;
};

// The invariant CRC as it stands at the end of the packet; icrc.h knows how to compute it. It is sent
// least significant octet first (as an Ethernet frame's check sequence is).
struct Icrc {
  std::array<uint8_t, 4> octets{};

  constexpr bool operator==(const Icrc&) const = default;
};
static_assert(sizeof(AtomicAckEth) == 8 && sizeof(ImmediateData) == 4 && sizeof(CongestionReserved) == 16 &&
              sizeof(Icrc) == 4);

// A header is nullptr where the opcode does not bring it.
struct RoceView {
  const Bth* bth = nullptr;
  const Reth* reth = nullptr;
  const AtomicEth* atomic_eth = nullptr;
  const Aeth* aeth = nullptr;
  const AtomicAckEth* atomic_ack_eth = nullptr;
  const ImmediateData* immediate = nullptr;
  const CongestionReserved* notification = nullptr;
  Bytes payload;  // may hold octets that its opcode does not allow: a responder answers that with a NAK
  Bytes pad;
  const Icrc* icrc = nullptr;
};

namespace detail {

// Moves the header at the front of `rest` into `header` where it is wanted. False when `rest` is too short.
template <class Header>
bool take_header(bool wanted, Bytes& rest, const Header*& header) {
  if (!wanted) return true;
  header = overlay<Header>(rest);
  if (!header) return false;
  rest = rest.subspan(sizeof(Header));
  return true;
}

}  // namespace detail

// `in` is the UDP payload. The ICRC is found, not checked: it covers the IP header, which is not in `in`.
inline Parsed<RoceView> parse_roce(Bytes in) {
  RoceView view;
  Bytes rest = in;
  if (!detail::take_header(true, rest, view.bth)) return drop(Drop::roce_truncated);
  if (view.bth->version() != 0) return drop(Drop::roce_bad_version);
  const RoceOpcodeInfo& info = info_of(view.bth->operation());
  if (!info.supported()) return drop(Drop::roce_unknown_opcode);
  if (rest.size() < sizeof(Icrc)) return drop(Drop::roce_truncated);
  view.icrc = overlay<Icrc>(rest.last(sizeof(Icrc)));
  rest = rest.first(rest.size() - sizeof(Icrc));

  // In wire order: no opcode has two of them in another.
  const bool complete = detail::take_header(info.reth, rest, view.reth) &&
                        detail::take_header(info.atomic_eth, rest, view.atomic_eth) &&
                        detail::take_header(info.aeth, rest, view.aeth) &&
                        detail::take_header(info.atomic_ack_eth, rest, view.atomic_ack_eth) &&
                        detail::take_header(info.immediate, rest, view.immediate) &&
                        detail::take_header(info.notification, rest, view.notification);
  if (!complete) return drop(Drop::roce_truncated);

  const size_t pad = view.bth->pad_count();
  if (pad > rest.size()) return drop(Drop::roce_bad_pad);
  view.payload = rest.first(rest.size() - pad);
  view.pad = rest.last(pad);
  return view;
}

inline void emit(const RoceView& view, Writer& out) {
  const auto put = [&](const auto* header) {
    if (header) out.put(*header);
  };
  put(view.bth);
  put(view.reth);
  put(view.atomic_eth);
  put(view.aeth);
  put(view.atomic_ack_eth);
  put(view.immediate);
  put(view.notification);
  out.put(view.payload);
  out.put(view.pad);
  put(view.icrc);
}

}  // namespace sluice::wire
