// The internet checksum (RFC 1071) and its incremental update (RFC 1624).
#pragma once

#include "dataplane/wire/bytes.h"

namespace sluice::wire {

// A running ones' complement sum. Parts may be added in any number of calls; every part but the last
// must have an even length, because a part starts at an even offset of what is summed.
class ChecksumSum {
 public:
  void add(Bytes bytes) {
    size_t i = 0;
    for (; i + 4 <= bytes.size(); i += 4) {
      uint32_t word;
      std::memcpy(&word, bytes.data() + i, 4);
      sum_ += word;
    }
    if (i + 2 <= bytes.size()) {
      uint16_t half;
      std::memcpy(&half, bytes.data() + i, 2);
      sum_ += half;
      i += 2;
    }
    if (i < bytes.size()) sum_ += bytes[i];  // little-endian: the missing byte is the upper one
  }

  template <WireHeader Header>
  void add(const Header& header) {
    add(bytes_of(header));
  }

  // Takes out what was added: in ones' complement, adds the inverse of every word.
  template <WireHeader Header>
  void subtract(const Header& header) {
    static_assert(sizeof(Header) % 2 == 0);
    for (size_t i = 0; i < sizeof(Header); i += 2) {
      uint16_t half;
      std::memcpy(&half, bytes_of(header).data() + i, 2);
      sum_ += static_cast<uint16_t>(~half);
    }
  }

  // Whether data that contains its checksum is good. Its ones' complement sum is then -0, so the plain sum is a
  // multiple of 0xffff: one multiplication instead of a chain of folds.
  bool verifies() const { return sum_ != 0 && sum_ % 0xffff == 0; }

  // The checksum of what was added, ready to be stored. Zero means that data with its checksum is good.
  Be16 finish() const {
    uint64_t sum = sum_;
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return std::bit_cast<Be16>(static_cast<uint16_t>(~sum));
  }

 private:
  uint64_t sum_ = 0;  // of native-order words: byte order does not matter to the sum (RFC 1071, 2B)
};

inline Be16 internet_checksum(Bytes bytes) {
  ChecksumSum sum;
  sum.add(bytes);
  return sum.finish();
}

// RFC 1624, equation 3: HC' = ~(~HC + ~m + m'). Unlike equation 4 it never yields a wrong -0.
inline Be16 update_checksum(Be16 checksum, Be16 before, Be16 after) {
  uint32_t sum = static_cast<uint16_t>(~checksum.get());
  sum += static_cast<uint16_t>(~before.get());
  sum += after.get();
  sum = (sum & 0xffff) + (sum >> 16);
  sum += sum >> 16;
  return Be16(static_cast<uint16_t>(~sum));
}

inline Be16 update_checksum(Be16 checksum, Be32 before, Be32 after) {
  const uint32_t b = before.get(), a = after.get();
  checksum =
      update_checksum(checksum, Be16(static_cast<uint16_t>(b >> 16)), Be16(static_cast<uint16_t>(a >> 16)));
  return update_checksum(checksum, Be16(static_cast<uint16_t>(b)), Be16(static_cast<uint16_t>(a)));
}

// For any field that starts at an even offset and has an even length, such as an address.
template <WireHeader Field>
Be16 update_checksum(Be16 checksum, const Field& before, const Field& after) {
  ChecksumSum sum;
  sum.add(Be16(static_cast<uint16_t>(~checksum.get())));
  sum.add(after);
  sum.subtract(before);
  return sum.finish();
}

}  // namespace sluice::wire
