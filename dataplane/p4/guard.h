// DPDK's pipeline extracts headers without looking at the packet's length. The guard follows a packet along
// the program's own parser before the pipeline does, and says in which header it ends.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/graph/ids.h"
#include "dataplane/p4/layout.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::p4 {

class Guard {
 public:
  enum class Verdict : uint8_t {
    whole,      // every header that will be extracted is there
    cut,        // the packet ends inside one
    oversized,  // a length field asks for more than its varbit holds: the pipeline must never see this packet
  };
  struct Result {
    Verdict verdict = Verdict::whole;
    wire::Drop reason{};
  };

  // The program must have passed check(). INVALID_ARGUMENT where the parser does what the guard cannot
  // follow, or extracts a header whose truncation has no reason (drop_reasons.def: HEADER_truncated).
  static absl::StatusOr<Guard> of(const Layout& layout);

  // The most that any path extracts.
  uint32_t longest_path() const { return longest_path_; }
  // Packets of at least longest_path() bytes are whole, unless a length in them decides how much is
  // extracted.
  bool must_walk(uint32_t length) const { return has_lengths_ || length < longest_path_; }

  // `packet` is what the pipeline will see. Bytes behind its end count as zero.
  Result walk(wire::Bytes packet, PortNumber port) const;

 private:
  friend class GuardCompiler;

  // A number, a register (a metadata field), or a field of a header that has been extracted.
  struct Term {
    enum class Kind : uint8_t { number, reg, field } kind;
    uint8_t bytes = 8;
    uint16_t index = 0;   // of the register or header
    uint16_t offset = 0;  // inside the header
    uint64_t number = 0;
  };
  enum class Op : uint8_t {
    take,
    look,  // a header
    move,
    add,
    sub,
    and_,
    or_,
    xor_,
    shl,
    shr,  // a register
    jump,
    if_eq,
    if_neq,
    if_lt,
    if_gt,
    if_valid,
    if_invalid,
    accept,
  };
  struct Step {
    Op op;
    wire::Drop reason{};
    uint16_t header = 0;
    uint16_t fixed = 0;     // bytes
    uint16_t variable = 0;  // at most so many more, as register a says
    uint16_t target = 0;
    Term a{}, b{};
  };
  struct Walker;

  std::vector<Step> steps_;
  size_t registers_ = 0;
  std::optional<uint16_t> port_register_;
  uint32_t longest_path_ = 0;
  bool has_lengths_ = false;
};

// The reason HEADER_truncated of the longest name that the header's name is or begins with (ipv4_options:
// ipv4).
std::optional<wire::Drop> truncation_of(std::string_view header);

}  // namespace sluice::p4
