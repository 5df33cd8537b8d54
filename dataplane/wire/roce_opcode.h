// RoCEv2 opcodes and the headers that each one brings (IBTA vol. 1, 9.2.1 and table 38; the congestion
// notification packet is annex A17's). Only the reliable connection and the notification are here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::wire {

enum class RoceOpcode : uint8_t {
  send_first = 0x00,
  send_middle = 0x01,
  send_last = 0x02,
  send_last_immediate = 0x03,
  send_only = 0x04,
  send_only_immediate = 0x05,
  write_first = 0x06,
  write_middle = 0x07,
  write_last = 0x08,
  write_last_immediate = 0x09,
  write_only = 0x0a,
  write_only_immediate = 0x0b,
  read_request = 0x0c,
  read_response_first = 0x0d,
  read_response_middle = 0x0e,
  read_response_last = 0x0f,
  read_response_only = 0x10,
  acknowledge = 0x11,
  atomic_acknowledge = 0x12,
  compare_swap = 0x13,
  fetch_add = 0x14,
  congestion_notification = 0x81,
};

struct RoceOpcodeInfo {
  std::string_view name;  // empty where the opcode is not supported
  bool reth = false, atomic_eth = false, aeth = false, atomic_ack_eth = false, immediate = false;
  bool notification = false;  // the 16 reserved octets of a congestion notification
  bool payload = false;       // the message's data may follow
  bool response = false;      // travels from the responder to the requester

  constexpr bool supported() const { return !name.empty(); }
};

namespace detail {

constexpr std::array<RoceOpcodeInfo, 256> roce_opcode_table() {
  std::array<RoceOpcodeInfo, 256> table{};
  const auto at = [&](RoceOpcode opcode) -> RoceOpcodeInfo& { return table[static_cast<size_t>(opcode)]; };
  using enum RoceOpcode;
  at(send_first) = {.name = "SEND_FIRST", .payload = true};
  at(send_middle) = {.name = "SEND_MIDDLE", .payload = true};
  at(send_last) = {.name = "SEND_LAST", .payload = true};
  at(send_last_immediate) = {.name = "SEND_LAST_IMMEDIATE", .immediate = true, .payload = true};
  at(send_only) = {.name = "SEND_ONLY", .payload = true};
  at(send_only_immediate) = {.name = "SEND_ONLY_IMMEDIATE", .immediate = true, .payload = true};
  at(write_first) = {.name = "WRITE_FIRST", .reth = true, .payload = true};
  at(write_middle) = {.name = "WRITE_MIDDLE", .payload = true};
  at(write_last) = {.name = "WRITE_LAST", .payload = true};
  at(write_last_immediate) = {.name = "WRITE_LAST_IMMEDIATE", .immediate = true, .payload = true};
  at(write_only) = {.name = "WRITE_ONLY", .reth = true, .payload = true};
  at(write_only_immediate) = {
      .name = "WRITE_ONLY_IMMEDIATE", .reth = true, .immediate = true, .payload = true};
  at(read_request) = {.name = "READ_REQUEST", .reth = true};
  at(read_response_first) = {.name = "READ_RESPONSE_FIRST", .aeth = true, .payload = true, .response = true};
  at(read_response_middle) = {.name = "READ_RESPONSE_MIDDLE", .payload = true, .response = true};
  at(read_response_last) = {.name = "READ_RESPONSE_LAST", .aeth = true, .payload = true, .response = true};
  at(read_response_only) = {.name = "READ_RESPONSE_ONLY", .aeth = true, .payload = true, .response = true};
  at(acknowledge) = {.name = "ACKNOWLEDGE", .aeth = true, .response = true};
  at(atomic_acknowledge) = {
      .name = "ATOMIC_ACKNOWLEDGE", .aeth = true, .atomic_ack_eth = true, .response = true};
  at(compare_swap) = {.name = "COMPARE_SWAP", .atomic_eth = true};
  at(fetch_add) = {.name = "FETCH_ADD", .atomic_eth = true};
  at(congestion_notification) = {.name = "CONGESTION_NOTIFICATION", .notification = true};
  return table;
}

}  // namespace detail

inline constexpr std::array<RoceOpcodeInfo, 256> kRoceOpcodes = detail::roce_opcode_table();

constexpr const RoceOpcodeInfo& info_of(RoceOpcode opcode) {
  return kRoceOpcodes[static_cast<size_t>(opcode)];
}

}  // namespace sluice::wire
