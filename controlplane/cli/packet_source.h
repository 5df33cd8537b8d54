// The packets that a user hands to `sluice trace`.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sluice::cli {

struct SourcePacket {
  std::string hex;
  size_t captured = 0;  // bytes in hex
  size_t original = 0;  // bytes on the wire: more where the capture was cut
};

// Words of hexadecimal digits are one packet. A single other word is a file, `-` is stdin: a capture
// (pcap or pcapng, every packet of it) or one packet as hexadecimal text. Throws Failure (usage).
void for_each_packet(const std::vector<std::string>& words,
                     const std::function<void(const SourcePacket&)>& take);

}  // namespace sluice::cli
