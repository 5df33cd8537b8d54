#include "tests/differential/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sluice::testing {
namespace {

std::string describe(const PacketAtPort& packet) { return fmt::format("sent by port {}: {}", packet.port, hex(packet.frame)); }
std::string describe(const Punted& packet) {
  return fmt::format("punted for {} from port {} (way out {}, mtu {}): {}", packet.cause, packet.ingress_port,
                     packet.egress_port, packet.mtu, hex(packet.frame));
}
std::string describe(const std::pair<const std::string, uint64_t>& drop) {
  return fmt::format("dropped: {} {}", drop.first, drop.second);
}

template <class Set>
std::string only_in(const std::string& name, const Set& here, const Set& there) {
  std::vector<typename Set::value_type> missing;
  std::set_difference(here.begin(), here.end(), there.begin(), there.end(), std::back_inserter(missing));
  std::string text;
  for (const auto& item : missing) text += fmt::format("  only {}: {}\n", name, describe(item));
  return text;
}

}  // namespace

std::string difference(const std::string& left_name, const Outcome& left, const std::string& right_name, const Outcome& right) {
  return only_in(left_name, left.sent, right.sent) + only_in(right_name, right.sent, left.sent) +
         only_in(left_name, left.punted, right.punted) + only_in(right_name, right.punted, left.punted) +
         only_in(left_name, left.drops, right.drops) + only_in(right_name, right.drops, left.drops);
}

std::string hex(const Frame& frame) {
  std::string text;
  for (const uint8_t byte : frame) text += fmt::format("{:02x}", byte);
  return text;
}

Frame from_hex(const std::string& text) {
  if (text.size() % 2 || text.find_first_not_of("0123456789abcdefABCDEF") != text.npos)
    throw std::runtime_error("not a hexadecimal string: " + text);
  Frame frame;
  for (size_t i = 0; i < text.size(); i += 2) frame.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return frame;
}

}  // namespace sluice::testing
