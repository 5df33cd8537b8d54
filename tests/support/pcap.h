// The frames of a classic pcap file, for tests. Files are small, so all of it is read at once.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::testing {

using Frame = std::vector<uint8_t>;

// Throws std::runtime_error with the file's name when it is not a whole pcap file of Ethernet frames
// in this machine's byte order: a test must not pass because its data were missing.
inline std::vector<Frame> read_pcap(const std::string& path) {
  constexpr size_t kFileHeader = 24, kRecordHeader = 16;
  constexpr uint32_t kMicroseconds = 0xa1b2c3d4, kNanoseconds = 0xa1b23c4d, kLinkEthernet = 1;

  std::ifstream in(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  const auto fail = [&](const char* why) { throw std::runtime_error(path + ": " + why); };
  const auto word = [&](size_t offset) {
    uint32_t value;
    std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
  };

  if (file.size() < kFileHeader) fail("cannot be read, or shorter than a pcap header");
  if (word(0) != kMicroseconds && word(0) != kNanoseconds) fail("not a pcap file of this byte order");
  if (word(20) != kLinkEthernet) fail("link type is not Ethernet");

  std::vector<Frame> frames;
  for (size_t at = kFileHeader; at < file.size();) {
    if (file.size() - at < kRecordHeader) fail("ends inside a record header");
    const uint32_t captured = word(at + 8), on_wire = word(at + 12);
    at += kRecordHeader;
    if (captured != on_wire) fail("holds a frame that was cut short");
    if (file.size() - at < captured) fail("ends inside a frame");
    const auto* data = reinterpret_cast<const uint8_t*>(file.data()) + at;
    frames.emplace_back(data, data + captured);
    at += captured;
  }
  return frames;
}

}  // namespace sluice::testing
