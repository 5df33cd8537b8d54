// wire_fields FILE.pcap: one JSON object a frame, with every field that our codecs find in it.
#include <cstdio>
#include <exception>

#include "tests/oracle/describe.h"
#include "tests/support/pcap.h"

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: wire_fields FILE.pcap\n");
    return 2;
  }
  for (const auto& frame : sluice::testing::read_pcap(argv[1])) {
    sluice::oracle::Fields fields;
    sluice::oracle::describe_frame(frame, fields);
    std::puts(fields.json().dump().c_str());
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "wire_fields: %s\n", error.what());
  return 1;
}
