// wire_generate FORMAT SEED COUNT FILE.pcap: writes frames of that format and prints, one JSON object a
// frame, the field values that they were made from.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/oracle/generate.h"

namespace sluice::oracle {
namespace {

std::map<std::string, Generator> all_generators() {
  std::map<std::string, Generator> all;
  all.merge(link_generators());
  all.merge(ip_generators());
  all.merge(transport_generators());
  all.merge(control_generators());
  all.merge(checksum_generators());
  all.merge(gtpu_generators());
  all.merge(roce_generators());
  return all;
}

void write_words(std::ostream& file, std::initializer_list<uint32_t> words) {
  for (uint32_t word : words) file.write(reinterpret_cast<const char*>(&word), sizeof word);
}

void write_frame(std::ostream& file, const Buffer& frame) {
  const auto size = static_cast<uint32_t>(frame.size());
  write_words(file, {0, 0, size, size});
  file.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
}

int generate(const std::string& format, uint64_t seed, uint64_t count, const char* path) {
  const auto generators = all_generators();
  const auto found = generators.find(format);
  if (found == generators.end()) {
    std::fprintf(stderr, "wire_generate: no format '%s'\n", format.c_str());
    return 2;
  }
  std::ofstream file(path, std::ios::binary);
  write_words(file, {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1});  // classic pcap 2.4, Ethernet
  Random random(seed);
  for (uint64_t i = 0; i < count; ++i) {
    Fields fields;
    write_frame(file, found->second(random, fields));
    std::puts(fields.json().dump().c_str());
  }
  file.close();
  if (!file) std::fprintf(stderr, "wire_generate: cannot write %s\n", path);
  return file ? 0 : 1;
}

}  // namespace
}  // namespace sluice::oracle

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: wire_generate FORMAT SEED COUNT FILE.pcap\n");
    return 2;
  }
  return sluice::oracle::generate(argv[1], std::strtoull(argv[2], nullptr, 10),
                                  std::strtoull(argv[3], nullptr, 10), argv[4]);
}
