// Where the fields of a program are: names of a .spec resolved to structs, offsets and widths.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/p4/spec/program.h"

namespace sluice::p4 {

// h.HEADER.FIELD, m.FIELD and t.FIELD (the arguments of an action).
enum class Space : uint8_t { header, metadata, arguments };

struct Operand {
  Space space;
  size_t header;    // only for Space::header
  size_t field;     // position in its struct
  uint32_t offset;  // bytes from the start of its struct
  uint32_t bits;
  bool variable;

  uint32_t bytes() const { return bits / 8; }
};

class Layout {
 public:
  // INVALID_ARGUMENT where a struct is missing or a name is there twice. The program must outlive the layout.
  static absl::StatusOr<Layout> of(const spec::Program& program);

  const spec::Program& program() const { return *program_; }

  // Nothing where the word names no field. `action` is whose arguments t.FIELD means.
  std::optional<Operand> operand(std::string_view word, const spec::Action* action) const;
  // The position of `h.NAME` among the headers.
  std::optional<size_t> header(std::string_view word) const;

  const spec::Struct& header_type(size_t header) const { return *headers_[header]; }
  const spec::Struct& metadata() const { return *metadata_; }
  // nullptr where the action takes none.
  const spec::Struct* arguments(const spec::Action& action) const;

  const spec::Action* action(std::string_view name) const;
  const spec::Table* table(std::string_view name) const;
  const spec::Learner* learner(std::string_view name) const;

 private:
  const spec::Program* program_ = nullptr;
  std::map<std::string, const spec::Struct*, std::less<>> structs_;
  std::map<std::string, size_t, std::less<>> header_ids_;
  std::vector<const spec::Struct*> headers_;
  const spec::Struct* metadata_ = nullptr;
};

// Without and with the varbit field, if there is one.
uint32_t fixed_bytes(const spec::Struct& type);
uint32_t max_bytes(const spec::Struct& type);

}  // namespace sluice::p4
