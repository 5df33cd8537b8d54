// A .spec file is lines of words; a word that starts with `;`, `#` or `//` ends its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::p4::spec {

struct Line {
  std::vector<std::string_view> words;  // never empty
  unsigned number;
};

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // The next line that holds a word; nothing at the end.
  std::optional<Line> next();
  // Of the line read last.
  unsigned number() const { return number_; }

 private:
  std::string_view rest_;
  unsigned number_ = 0;
};

}  // namespace sluice::p4::spec
