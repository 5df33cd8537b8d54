// The program as DPDK gets it: what its instructions leave to chance is put in between.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "dataplane/p4/layout.h"

namespace sluice::p4 {

// A header that is never extracted and so is zeros for ever: the only source of zeros wider than 64 bits.
// Registered last, its bytes are also what DPDK reads behind the last header's last field.
inline constexpr char kZeroHeader[] = "sluice_zero";

// A metadata field behind the program's own, of 64 bits. It is also what DPDK reads and writes behind the
// last field: it handles the narrowest one as 8 bytes.
inline constexpr char kScratchField[] = "sluice_scratch";

struct Rewritten {
  std::vector<std::string> apply;
  std::vector<std::vector<std::string>> actions;  // by position in the program
  std::set<uint32_t> zero_bits;                   // widths of the fields `zN` of the zero header
};

// Metadata that may be read before it is written is cleared behind rx; a way out that does not exist becomes
// kInvalidPort, and `drop` a way out to kDropPort. The program must have passed check().
Rewritten rewrite(const Layout& layout);

}  // namespace sluice::p4
