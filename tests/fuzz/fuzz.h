// What every fuzz target shares. A target is a file NAME_fuzz.cpp holding FUZZ_TARGET(function).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "dataplane/wire/bytes.h"

namespace sluice::fuzz {

using wire::Bytes;

// A copy that ends where its allocation ends. A payload inside a frame has readable bytes behind it, so
// AddressSanitizer would not see a parser that reads too far.
struct Exact {
  explicit Exact(Bytes in) : bytes(in.begin(), in.end()) {}
  operator Bytes() const { return bytes; }
  std::vector<uint8_t> bytes;
};

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

inline void require(bool holds, const char* what) {
  if (!holds) fail(what);
}

// emit(parse(in)) == in, in a buffer with no byte to spare.
template <class View>
void require_same_bytes(const View& view, Bytes in) {
  std::vector<uint8_t> again(in.size());
  wire::Writer out(again);
  emit(view, out);
  require(out.ok(), "emit writes more than was parsed");
  require(out.written().size() == in.size(), "emit writes less than was parsed");
  require(std::equal(in.begin(), in.end(), again.begin()), "emit writes other bytes than were parsed");
}

}  // namespace sluice::fuzz

#define FUZZ_TARGET(...)                                                    \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { \
    (__VA_ARGS__)(::sluice::wire::Bytes(data, size));                       \
    return 0;                                                               \
  }
