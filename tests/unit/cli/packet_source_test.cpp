#include "controlplane/cli/packet_source.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "controlplane/cli/failure.h"

namespace sluice::cli {
namespace {

const std::string kCapture = SLUICE_SOURCE_DIR "/tests/data/rxe-exchange.pcap";

std::vector<SourcePacket> packets_of(const std::vector<std::string>& words) {
  std::vector<SourcePacket> packets;
  for_each_packet(words, [&](const SourcePacket& packet) { packets.push_back(packet); });
  return packets;
}

std::string refusal_of(const std::vector<std::string>& words) {
  try {
    packets_of(words);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::usage);
    return failure.what();
  }
  return "not refused";
}

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content) : path_(testing::TempDir() + name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(PacketSource, WordsOfHexAreOnePacket) {
  const auto packets = packets_of({"00:11", "22"});
  ASSERT_EQ(packets.size(), 1u);
  EXPECT_EQ(packets[0].hex, "001122");
  EXPECT_EQ(packets[0].captured, 3u);
}

TEST(PacketSource, EveryPacketOfACaptureIsRead) {
  const auto packets = packets_of({kCapture});
  const auto content = content_of(kCapture);
  ASSERT_GT(packets.size(), 1u);
  // Classic pcap: a header of 24 bytes, then 16 before each packet.
  size_t bytes = 24;
  for (const auto& packet : packets) {
    EXPECT_EQ(packet.hex.size(), packet.captured * 2);
    bytes += 16 + packet.captured;
  }
  EXPECT_EQ(bytes, content.size());
}

TEST(PacketSource, AFileOfHexIsOnePacket) {
  const TemporaryFile file("sluice-cli-test.hex", "00 11\n22 33\n");
  const auto packets = packets_of({file.path()});
  ASSERT_EQ(packets.size(), 1u);
  EXPECT_EQ(packets[0].hex, "00112233");
}

TEST(PacketSource, WhatIsNeitherIsRefused) {
  EXPECT_EQ(refusal_of({"not hex"}), "'not hex' is neither hexadecimal digits nor a file");
  EXPECT_EQ(refusal_of({"001"}), "packet: 3 hexadecimal digits are half a byte too many");
  EXPECT_EQ(refusal_of({"/"}), "/: is a folder, not a file");
  EXPECT_EQ(refusal_of({"00", "zz"}), "'00 zz': 'z' is not a hexadecimal digit");
}

TEST(PacketSource, ACaptureCutInAPacketIsRefusedAfterItsWholePackets) {
  const auto whole = content_of(kCapture);
  const TemporaryFile cut("sluice-cli-test.pcap", whole.substr(0, whole.size() - 1));
  EXPECT_NE(refusal_of({cut.path()}).find("truncated"), std::string::npos);
  const TemporaryFile stub("sluice-cli-test-2.pcap", whole.substr(0, 10));
  EXPECT_NE(refusal_of({stub.path()}).find("truncated"), std::string::npos);
}

TEST(PacketSource, ACaptureOfAnotherLinkIsRefused) {
  auto content = content_of(kCapture);
  content[20] = 113;  // LINKTYPE_LINUX_SLL
  const TemporaryFile cooked("sluice-cli-test-3.pcap", content);
  EXPECT_NE(refusal_of({cooked.path()}).find("not Ethernet"), std::string::npos);
}

}  // namespace
}  // namespace sluice::cli
