// Which edges of the P4 program's parser packets took, by the parser that p4c wrote into bmv2's JSON.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/frames.h"

namespace sluice::testing {

class ParserCoverage {
 public:
  // Throws std::runtime_error where the JSON has something that is not understood here. `entry` is the state at which
  // frames from the wire begin.
  ParserCoverage(const std::string& bmv2_json, const std::string& entry);

  void add(const Frame& frame);

  // "STATE -> NEXT (value)" and "STATE ends inside HEADER", and how often it was taken. All edges that there are.
  const std::map<std::string, uint64_t>& edges() const { return edges_; }

 private:
  struct Extract {
    std::string header;
    size_t bytes;
  };
  struct KeyField {
    std::string header;
    size_t offset, bytes;
  };
  struct Transition {
    std::string name, next;
    uint64_t value, mask;
    bool is_default;
  };
  struct State {
    std::vector<Extract> extracts;
    std::vector<KeyField> key;
    std::vector<Transition> transitions;
  };

  std::map<std::string, State> states_;
  std::string entry_;
  std::map<std::string, uint64_t> edges_;
};

}  // namespace sluice::testing
