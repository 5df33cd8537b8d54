// What table_churn changes and what must follow from it. Every changing entry is a subject with a
// version that only grows; what a version says is a pure function, so that a packet that comes out can
// be held against all versions that were true while it was inside.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/forwarding/state.h"
#include "dataplane/tables/service.h"
#include "tests/support/frames.h"

namespace sluice::testing {

inline constexpr wire::MacAddress kChurnRouter{{2, 0, 0, 0, 0, 1}};
inline constexpr PortNumber kChurnOut = 1;  // the first of two ports by which packets leave

struct WayOut {
  PortNumber port;
  wire::MacAddress mac;
  bool operator==(const WayOut&) const = default;
};

enum class SubjectKind : uint8_t {
  route,      // between next hops, or absent, which uncovers the route above it
  neighbour,  // of a route that stays: between MACs, or absent, which holds the packet back
  stable,     // never changes, in the midst of those that do
  absent,     // never there: a packet that leaves is wrong
};

struct Subject {
  SubjectKind kind;
  bool is_ipv4;
  uint16_t number;  // among those of its kind and family
  WayOut way{};     // of a stable one

  // Nothing where the packet must not leave.
  std::optional<WayOut> expected(uint32_t version) const;
  // An address that this subject decides about.
  Frame packet(Frame payload) const;
  // From the version before to this one.
  tables::Update change_to(uint32_t version, const forwarding::TableIds& ids) const;

  bool changes() const { return kind == SubjectKind::route || kind == SubjectKind::neighbour; }
};

class ChurnModel {
 public:
  explicit ChurnModel(tables::TableService& service);

  // What is there before the first packet; a status each.
  std::vector<tables::Update> initial_entries() const;

  const std::vector<Subject>& subjects() const { return subjects_; }
  const std::vector<size_t>& changing() const { return changing_; }
  const forwarding::TableIds& ids() const { return ids_; }

  // The version that lcores may see already, and the one that they all must see.
  std::atomic<uint32_t>& started(size_t subject) { return versions_[subject].started; }
  std::atomic<uint32_t>& completed(size_t subject) { return versions_[subject].completed; }

 private:
  struct Versions {
    std::atomic<uint32_t> started{0}, completed{0};
  };

  void add_stable_routes(bool is_ipv4);

  forwarding::TableIds ids_;
  std::vector<Subject> subjects_;
  std::vector<size_t> changing_;
  std::vector<tables::Entry> stable_entries_;
  std::vector<Versions> versions_;
};

}  // namespace sluice::testing
