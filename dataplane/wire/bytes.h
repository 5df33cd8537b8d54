// Bytes as they are on the wire: spans, big-endian integers without implicit conversion, and a
// bounded writer. Everything here has alignment 1, so that a header can be laid over any byte.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace sluice::wire {

using Bytes = std::span<const uint8_t>;
using MutableBytes = std::span<uint8_t>;

// An unsigned integer of N bytes in network order. T is the host type that holds it.
template <class T, size_t N>
class BigEndian {
 public:
  using value_type = T;

  constexpr BigEndian() = default;
  constexpr explicit BigEndian(T value) { set(value); }

  constexpr T get() const {
    if constexpr (N == sizeof(T)) {
      return from_network(std::bit_cast<T>(bytes_));
    } else {
      T value = 0;
      for (uint8_t b : bytes_) value = static_cast<T>(value << 8 | b);
      return value;
    }
  }

  constexpr void set(T value) {
    if constexpr (N == sizeof(T)) {
      bytes_ = std::bit_cast<Storage>(from_network(value));
    } else {
      for (size_t i = N; i-- > 0; value = static_cast<T>(value >> 8)) bytes_[i] = static_cast<uint8_t>(value);
    }
  }

  // Equality of wire fields needs no swap.
  constexpr bool operator==(const BigEndian&) const = default;

 private:
  struct Storage {
    uint8_t b[N];
    constexpr bool operator==(const Storage&) const = default;
    constexpr uint8_t& operator[](size_t i) { return b[i]; }
    constexpr const uint8_t* begin() const { return b; }
    constexpr const uint8_t* end() const { return b + N; }
  };

  static constexpr T from_network(T v) {
    if constexpr (sizeof(T) == 2) return __builtin_bswap16(v);
    if constexpr (sizeof(T) == 4) return __builtin_bswap32(v);
    if constexpr (sizeof(T) == 8) return __builtin_bswap64(v);
    return v;
  }

  Storage bytes_{};
};

using Be8 = BigEndian<uint8_t, 1>;
using Be16 = BigEndian<uint16_t, 2>;
using Be24 = BigEndian<uint32_t, 3>;
using Be32 = BigEndian<uint32_t, 4>;
using Be48 = BigEndian<uint64_t, 6>;
using Be64 = BigEndian<uint64_t, 8>;
static_assert(sizeof(Be24) == 3 && alignof(Be64) == 1);
static_assert(std::endian::native == std::endian::little, "from_network swaps");

template <class Header>
concept WireHeader = std::is_trivially_copyable_v<Header> && alignof(Header) == 1;

// The header at the front of `in`, or nullptr where `in` is too short for it.
template <WireHeader Header>
const Header* overlay(Bytes in) {
  return in.size() < sizeof(Header) ? nullptr : reinterpret_cast<const Header*>(in.data());
}

template <WireHeader Header>
Header* overlay(MutableBytes in) {
  return in.size() < sizeof(Header) ? nullptr : reinterpret_cast<Header*>(in.data());
}

template <WireHeader Header>
Bytes bytes_of(const Header& header) {
  return {reinterpret_cast<const uint8_t*>(&header), sizeof(Header)};
}

// Appends to a buffer and never beyond it; once something did not fit, ok() stays false.
class Writer {
 public:
  explicit Writer(MutableBytes out) : out_(out) {}

  void put(Bytes bytes) {
    if (!ok_ || bytes.size() > out_.size() - used_) {
      ok_ = false;
      return;
    }
    std::copy(bytes.begin(), bytes.end(), out_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ += bytes.size();
  }

  template <WireHeader Header>
  void put(const Header& header) {
    put(bytes_of(header));
  }

  // For what no buffer could hold, such as a value beyond its field.
  void fail() { ok_ = false; }

  bool ok() const { return ok_; }
  Bytes written() const { return out_.first(used_); }

 private:
  MutableBytes out_;
  size_t used_ = 0;
  bool ok_ = true;
};

}  // namespace sluice::wire
