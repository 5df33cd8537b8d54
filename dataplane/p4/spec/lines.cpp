#include "dataplane/p4/spec/lines.h"

namespace sluice::p4::spec {
namespace {

constexpr std::string_view kBlank = " \t\r\f\v";

bool starts_comment(std::string_view word) {
  return word.starts_with('#') || word.starts_with(';') || word.starts_with("//");
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const size_t begin = line.find_first_not_of(kBlank);
    if (begin == line.npos) return words;
    line.remove_prefix(begin);
    const auto word = line.substr(0, line.find_first_of(kBlank));
    if (starts_comment(word)) return words;
    words.push_back(word);
    line.remove_prefix(word.size());
  }
}

}  // namespace

std::optional<Line> Lines::next() {
  while (!rest_.empty()) {
    const auto line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(line.size() == rest_.size() ? line.size() : line.size() + 1);
    ++number_;
    if (auto words = words_of(line); !words.empty()) return Line{std::move(words), number_};
  }
  return std::nullopt;
}

}  // namespace sluice::p4::spec
