#include "controlplane/cli/packet_source.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>

#include "controlplane/cli/failure.h"
#include "controlplane/cli/hex.h"

namespace sluice::cli {
namespace {

using Take = std::function<void(const SourcePacket&)>;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Failure(ExitCode::usage, fmt::format("{}: {}", name, what));
}

std::string read_file(const std::string& name) {
  if (!std::filesystem::exists(name))
    throw Failure(ExitCode::usage, fmt::format("'{}' is neither hexadecimal digits nor a file", name));
  if (std::filesystem::is_directory(name)) refuse(name, "is a folder, not a file");
  std::ifstream in(name, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in || content.bad()) refuse(name, "cannot be read");
  return content.str();
}

// The first four bytes of pcap (micro- and nanoseconds, both byte orders) and pcapng.
bool is_capture(const std::string& content) {
  for (const char* magic :
       {"\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1", "\xa1\xb2\x3c\x4d", "\x0a\x0d\x0d\x0a"})
    if (content.size() >= 4 && std::memcmp(content.data(), magic, 4) == 0) return true;
  return false;
}

void read_capture(const std::string& name, std::string& content, const Take& take) {
  char error[PCAP_ERRBUF_SIZE] = "";
  FILE* stream = ::fmemopen(content.data(), content.size(), "rb");
  if (!stream) refuse(name, std::strerror(errno));
  const std::unique_ptr<pcap_t, decltype(&pcap_close)> capture(pcap_fopen_offline(stream, error),
                                                               &pcap_close);
  if (!capture) {
    std::fclose(stream);  // libpcap owns it only once it is open
    refuse(name, error);
  }
  if (const int link = pcap_datalink(capture.get()); link != DLT_EN10MB) {
    const char* described = pcap_datalink_val_to_description(link);
    refuse(name,
           fmt::format("holds packets of '{}', not Ethernet", described ? described : std::to_string(link)));
  }
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  int more = 0;
  while ((more = pcap_next_ex(capture.get(), &header, &data)) == 1)
    take({to_hex({data, header->caplen}), header->caplen, header->len});
  if (more != PCAP_ERROR_BREAK) refuse(name, pcap_geterr(capture.get()));
}

void read_hex(const std::string& name, const std::string& text, const Take& take) {
  const auto digits = hex_digits(text);
  if (!digits) refuse(name, digits.error());
  take({*digits, digits->size() / 2, digits->size() / 2});
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

void for_each_packet(const std::vector<std::string>& words, const Take& take) {
  const auto text = joined(words);
  const bool from_stdin = text == "-";
  if (!from_stdin && looks_like_hex(text)) return read_hex("packet", text, take);
  if (words.size() > 1) return read_hex(fmt::format("'{}'", text), text, take);
  auto content = from_stdin ? std::string{std::istreambuf_iterator<char>(std::cin), {}} : read_file(text);
  const auto name = from_stdin ? "stdin" : text;
  if (is_capture(content)) return read_capture(name, content, take);
  read_hex(name, content, take);
}

}  // namespace sluice::cli
