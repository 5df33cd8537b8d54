#include "dataplane/p4/guard.h"

#include <algorithm>

namespace sluice::p4 {
namespace {

constexpr uint32_t kNotThere = UINT32_MAX;

uint64_t mask_of(unsigned bytes) { return bytes >= 8 ? UINT64_MAX : (uint64_t{1} << 8 * bytes) - 1; }

}  // namespace

struct Guard::Walker {
  wire::Bytes packet;
  std::array<uint64_t, 64> registers{};
  std::array<uint32_t, 64> places{};  // of headers
  uint32_t cursor = 0;

  uint64_t value(const Term& term) const {
    switch (term.kind) {
      case Term::Kind::number:
        return term.number;
      case Term::Kind::reg:
        return registers[term.index];
      case Term::Kind::field:
        break;
    }
    if (places[term.index] == kNotThere) return 0;
    uint64_t result = 0;
    const size_t begin = places[term.index] + term.offset;
    for (size_t i = begin; i < begin + term.bytes; ++i)
      result = result << 8 | (i < packet.size() ? packet[i] : 0);
    return result;
  }

  // Bytes that the header takes; nothing where its varbit cannot hold them.
  std::optional<uint32_t> size(const Step& step) const {
    if (step.variable == 0) return step.fixed;
    const uint64_t more = registers[step.a.index];
    return more > step.variable ? std::nullopt : std::optional(step.fixed + static_cast<uint32_t>(more));
  }

  void compute(const Step& step) {
    uint64_t& to = registers[step.a.index];
    const uint64_t with = value(step.b);
    switch (step.op) {
      case Op::move:
        to = with;
        break;
      case Op::add:
        to += with;
        break;
      case Op::sub:
        to -= with;
        break;
      case Op::and_:
        to &= with;
        break;
      case Op::or_:
        to |= with;
        break;
      case Op::xor_:
        to ^= with;
        break;
      case Op::shl:
        to = with < 64 ? to << with : 0;
        break;
      case Op::shr:
        to = with < 64 ? to >> with : 0;
        break;
      default:
        break;
    }
    to &= mask_of(step.a.bytes);
  }

  bool jumps(const Step& step) const {
    switch (step.op) {
      case Op::jump:
        return true;
      case Op::if_eq:
        return value(step.a) == value(step.b);
      case Op::if_neq:
        return value(step.a) != value(step.b);
      case Op::if_lt:
        return value(step.a) < value(step.b);
      case Op::if_gt:
        return value(step.a) > value(step.b);
      case Op::if_valid:
        return places[step.header] != kNotThere;
      case Op::if_invalid:
        return places[step.header] == kNotThere;
      default:
        return false;
    }
  }
};

Guard::Result Guard::walk(wire::Bytes packet, PortNumber port) const {
  Walker walker{packet};
  walker.places.fill(kNotThere);
  if (port_register_) walker.registers[*port_register_] = port;
  Result result;
  for (size_t at = 0; steps_[at].op != Op::accept;) {
    const Step& step = steps_[at];
    if (step.op == Op::take || step.op == Op::look) {
      const auto size = walker.size(step);
      // Where the packet had ended already, that is why the length makes no sense.
      if (!size) return {Verdict::oversized, result.verdict == Verdict::cut ? result.reason : step.reason};
      // Goes on: what a header that is not there seems to ask for decides the rest of the way.
      if (result.verdict == Verdict::whole && walker.cursor + *size > packet.size())
        result = {Verdict::cut, step.reason};
      walker.places[step.header] = walker.cursor;
      if (step.op == Op::take) walker.cursor += *size;
    } else if (step.op < Op::jump) {
      walker.compute(step);
    }
    at = walker.jumps(step) ? step.target : at + 1;
  }
  return result;
}

std::optional<wire::Drop> truncation_of(std::string_view header) {
  constexpr std::string_view kSuffix = "_truncated";
  std::optional<wire::Drop> best;
  size_t longest = 0;
  for (size_t i = 0; i < wire::kDropCount; ++i) {
    auto name = wire::kDropInfo[i].name;
    if (!name.ends_with(kSuffix)) continue;
    name.remove_suffix(kSuffix.size());
    const bool fits = header == name || (header.starts_with(name) &&
                                         (header[name.size()] == '_' || header[name.size()] == '.'));
    if (!fits || name.size() <= longest) continue;
    longest = name.size();
    best = static_cast<wire::Drop>(i);
  }
  return best;
}

}  // namespace sluice::p4
