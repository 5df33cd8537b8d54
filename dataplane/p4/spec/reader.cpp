#include "dataplane/p4/spec/reader.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <initializer_list>

#include "dataplane/p4/spec/lines.h"

namespace sluice::p4::spec {
namespace {

// DPDK's own bounds (rte_swx_pipeline.h): beyond them its functions refuse without saying why.
constexpr size_t kNameBytes = 63, kInstructionBytes = 255, kInstructionWords = 16;

// Thrown inside this file only, so that nested blocks can be read without passing errors by hand.
struct Fault {
  unsigned line;
  std::string text;
};

std::string quoted(const std::vector<std::string_view>& words) {
  std::string text = "'";
  for (const auto word : words) {
    if (text.size() > 1) text += ' ';
    text += word.substr(0, 80);
    if (text.size() > 120) return text + " ...'";
  }
  return text + "'";
}

[[noreturn]] void fail(const Line& line, std::string_view expected) {
  throw Fault{line.number, "found " + quoted(line.words) + ", expected " + std::string(expected)};
}

std::string name(const Line& line, size_t index) {
  const auto word = line.words[index];
  if (word.size() > kNameBytes) fail(line, "names of at most 63 characters");
  return std::string(word);
}

// Decimal, or hexadecimal behind 0x, as p4c writes them.
template <std::unsigned_integral Number>
Number number(const Line& line, std::string_view word, std::string_view expected) {
  const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  if (hexadecimal) word.remove_prefix(2);
  Number value = 0;
  const auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != word.data() + word.size()) fail(line, expected);
  return value;
}

// The words of a statement: literal words must be there, empty ones stand for anything.
void expect(const Line& line, std::initializer_list<std::string_view> pattern, std::string_view expected) {
  const bool fits = line.words.size() == pattern.size() &&
                    std::equal(pattern.begin(), pattern.end(), line.words.begin(),
                               [](auto wanted, auto word) { return wanted.empty() || wanted == word; });
  if (!fits) fail(line, expected);
}

class Reader {
 public:
  explicit Reader(std::string_view text, std::string_view file) : lines_(text) { program_.file = file; }

  Program read() {
    while (const auto line = lines_.next()) statement(*line);
    if (program_.apply.empty())
      throw Fault{lines_.number(), "found the end of the file, expected a block 'apply'"};
    return std::move(program_);
  }

 private:
  void statement(const Line& line) {
    const auto word = line.words[0];
    if (word == "struct") return read_struct(line);
    if (word == "header") return read_header(line);
    if (word == "metadata") return read_metadata(line);
    if (word == "regarray") return read_registers(line);
    if (word == "metarray") return read_meters(line);
    if (word == "action") return read_action(line);
    if (word == "table") return read_table(line);
    if (word == "selector") return read_selector(line);
    if (word == "learner") return read_learner(line);
    if (word == "extobj") return read_extern(line);
    if (word == "apply") return read_apply(line);
    fail(line,
         "struct, header, metadata, regarray, metarray, action, table, selector, learner, extobj or apply");
  }

  // Calls `visit` for each line up to the closing brace of the block that `opening` began.
  template <class Visit>
  void block(const Line& opening, Visit visit) {
    while (const auto line = lines_.next()) {
      if (line->words.size() == 1 && line->words[0] == "}") return;
      visit(*line);
    }
    throw Fault{opening.number,
                "found the end of the file inside " + quoted(opening.words) + ", expected '}'"};
  }

  void read_struct(const Line& line) {
    expect(line, {"struct", "", "{"}, "'struct NAME {'");
    Struct result{name(line, 1), {}, line.number};
    block(line, [&](const Line& field) { result.fields.push_back(read_field(result, field)); });
    if (result.fields.empty()) fail(line, "at least one field");
    program_.structs.push_back(std::move(result));
  }

  Field read_field(const Struct& before, const Line& line) {
    constexpr std::string_view kExpected = "'bit<N> NAME' or 'varbit<N> NAME', N a multiple of 8";
    if (line.words.size() != 2) fail(line, kExpected);
    if (!before.fields.empty() && before.fields.back().variable) fail(line, "no field behind a varbit");
    auto type = line.words[0];
    const bool variable = type.starts_with("varbit<");
    if (!variable && !type.starts_with("bit<")) fail(line, kExpected);
    type.remove_prefix(variable ? 7 : 4);
    if (!type.ends_with('>')) fail(line, kExpected);
    type.remove_suffix(1);
    const auto bits = number<uint32_t>(line, type, kExpected);
    if (bits == 0 || bits % 8 != 0 || bits > kMaxFieldBits) fail(line, kExpected);
    return {name(line, 1), bits, variable};
  }

  void read_header(const Line& line) {
    expect(line, {"header", "", "instanceof", ""}, "'header NAME instanceof STRUCT'");
    program_.headers.push_back({name(line, 1), name(line, 3), line.number});
  }

  void read_metadata(const Line& line) {
    expect(line, {"metadata", "instanceof", ""}, "'metadata instanceof STRUCT'");
    if (!program_.metadata.empty()) fail(line, "only one 'metadata'");
    program_.metadata = name(line, 2);
  }

  void read_registers(const Line& line) {
    constexpr std::string_view kExpected = "'regarray NAME size N initval V'";
    expect(line, {"regarray", "", "size", "", "initval", ""}, kExpected);
    program_.registers.push_back({name(line, 1), number<uint32_t>(line, line.words[3], kExpected),
                                  number<uint64_t>(line, line.words[5], kExpected), line.number});
  }

  void read_meters(const Line& line) {
    constexpr std::string_view kExpected = "'metarray NAME size N'";
    expect(line, {"metarray", "", "size", ""}, kExpected);
    program_.meters.push_back({name(line, 1), number<uint32_t>(line, line.words[3], kExpected), line.number});
  }

  void read_extern(const Line& line) {
    if (line.words.size() != 6 || line.words[4] != "pragma")
      expect(line, {"extobj", "", "instanceof", ""}, "'extobj NAME instanceof TYPE [pragma P]'");
    program_.externs.push_back({name(line, 1), name(line, 3), line.number});
  }

  Instruction read_instruction(const Line& line) {
    Instruction result{{}, {}, line.number};
    size_t first = 0, bytes = 0;
    if (line.words.size() >= 2 && line.words[1] == ":") {
      result.label = name(line, 0);
      first = 2;
    }
    if (line.words.size() <= first) fail(line, "an instruction behind the label");
    if (line.words.size() > kInstructionWords) fail(line, "an instruction of at most 16 words");
    for (const auto word : line.words) bytes += word.size() + 1;
    if (bytes > kInstructionBytes) fail(line, "an instruction of at most 255 characters");
    for (size_t i = first; i < line.words.size(); ++i) result.words.push_back(name(line, i));
    return result;
  }

  void read_action(const Line& line) {
    constexpr std::string_view kExpected =
        "'action NAME args none {' or 'action NAME args instanceof STRUCT {'";
    const bool none = line.words.size() == 5;
    if (none)
      expect(line, {"action", "", "args", "none", "{"}, kExpected);
    else
      expect(line, {"action", "", "args", "instanceof", "", "{"}, kExpected);
    Action result{name(line, 1), none ? std::string() : name(line, 4), {}, line.number};
    block(line, [&](const Line& next) { result.instructions.push_back(read_instruction(next)); });
    if (result.instructions.empty()) fail(line, "at least one instruction");
    program_.actions.push_back(std::move(result));
  }

  void read_apply(const Line& line) {
    expect(line, {"apply", "{"}, "'apply {'");
    if (!program_.apply.empty()) fail(line, "only one 'apply'");
    block(line, [&](const Line& next) { program_.apply.push_back(read_instruction(next)); });
    if (program_.apply.empty()) fail(line, "at least one instruction");
  }

  ActionUse read_use(const Line& line) {
    constexpr std::string_view kExpected = "'ACTION', 'ACTION @tableonly' or 'ACTION @defaultonly'";
    if (line.words.size() > 2) fail(line, kExpected);
    ActionUse use{name(line, 0)};
    if (line.words.size() == 1) return use;
    if (line.words[1] != "@tableonly" && line.words[1] != "@defaultonly") fail(line, kExpected);
    use.for_default = line.words[1] != "@tableonly";
    use.for_entries = line.words[1] != "@defaultonly";
    return use;
  }

  DefaultAction read_default(const Line& line) {
    constexpr std::string_view kExpected = "'default_action ACTION args none|(NAME VALUE)... [const]'";
    auto count = line.words.size();
    if (count < 4 || line.words[2] != "args") fail(line, kExpected);
    DefaultAction result{name(line, 1), {}, line.words.back() == "const"};
    if (result.is_const) --count;
    if (count == 4 && line.words[3] == "none") return result;
    if (count < 5 || count % 2 == 0) fail(line, kExpected);
    for (size_t i = 3; i < count; ++i) result.args.push_back(name(line, i));
    return result;
  }

  // What tables and learners share. True where the line was one of these.
  template <class Owner>
  bool read_common(Owner& owner, const Line& line) {
    const auto word = line.words[0];
    if (word == "actions") {
      expect(line, {"actions", "{"}, "'actions {'");
      block(line, [&](const Line& use) { owner.actions.push_back(read_use(use)); });
    } else if (word == "default_action") {
      owner.default_action = read_default(line);
    } else if (word == "size") {
      expect(line, {"size", ""}, "'size N'");
      owner.size = number<uint32_t>(line, line.words[1], "'size N'");
    } else if (word == "hash") {
      expect(line, {"hash", ""}, "'hash FUNCTION'");
      owner.hash = name(line, 1);
    } else {
      return false;
    }
    return true;
  }

  template <class Owner>
  void finish(const Owner& owner, const Line& line) {
    if (owner.actions.empty()) fail(line, "a block 'actions'");
    if (owner.default_action.name.empty()) fail(line, "a 'default_action'");
  }

  KeyField read_key(const Line& line) {
    constexpr std::string_view kExpected = "'FIELD exact', 'FIELD lpm' or 'FIELD wildcard'";
    if (line.words.size() != 2) fail(line, kExpected);
    const auto kind = line.words[1];
    if (kind == "exact") return {name(line, 0), MatchKind::exact};
    if (kind == "lpm") return {name(line, 0), MatchKind::lpm};
    if (kind == "wildcard") return {name(line, 0), MatchKind::wildcard};
    fail(line, kExpected);
  }

  void read_table(const Line& line) {
    expect(line, {"table", "", "{"}, "'table NAME {'");
    Table result{};
    result.name = name(line, 1);
    result.line = line.number;
    block(line, [&](const Line& next) {
      if (read_common(result, next)) return;
      if (next.words[0] == "key") {
        expect(next, {"key", "{"}, "'key {'");
        block(next, [&](const Line& field) { result.key.push_back(read_key(field)); });
      } else if (next.words[0] == "instanceof" && next.words.size() == 2) {
        result.type = name(next, 1);
      } else if (next.words[0] == "pragma" && next.words.size() == 2) {
        result.pragma = name(next, 1);
      } else {
        fail(next, "key, actions, default_action, instanceof, pragma, hash or size");
      }
    });
    finish(result, line);
    program_.tables.push_back(std::move(result));
  }

  void read_learner(const Line& line) {
    expect(line, {"learner", "", "{"}, "'learner NAME {'");
    Learner result{};
    result.name = name(line, 1);
    result.line = line.number;
    block(line, [&](const Line& next) {
      if (read_common(result, next)) return;
      if (next.words[0] == "key") {
        expect(next, {"key", "{"}, "'key {'");
        block(next, [&](const Line& field) { result.key.push_back(one_name(field)); });
      } else if (next.words[0] == "timeout") {
        expect(next, {"timeout", "{"}, "'timeout {'");
        block(next, [&](const Line& seconds) {
          expect(seconds, {""}, "a number of seconds");
          result.timeouts.push_back(number<uint32_t>(seconds, seconds.words[0], "a number of seconds"));
        });
      } else {
        fail(next, "key, actions, default_action, hash, size or timeout");
      }
    });
    finish(result, line);
    program_.learners.push_back(std::move(result));
  }

  std::string one_name(const Line& line) {
    expect(line, {""}, "one field");
    return name(line, 0);
  }

  void read_selector(const Line& line) {
    expect(line, {"selector", "", "{"}, "'selector NAME {'");
    Selector result{};
    result.name = name(line, 1);
    result.line = line.number;
    block(line, [&](const Line& next) {
      constexpr std::string_view kExpected =
          "group_id F, selector {, member_id F, n_groups_max N or n_members_per_group_max N";
      expect(next, {"", ""}, kExpected);
      const auto word = next.words[0];
      if (word == "selector" && next.words[1] == "{")
        block(next, [&](const Line& field) { result.fields.push_back(one_name(field)); });
      else if (word == "group_id")
        result.group_id = name(next, 1);
      else if (word == "member_id")
        result.member_id = name(next, 1);
      else if (word == "n_groups_max")
        result.groups = number<uint32_t>(next, next.words[1], kExpected);
      else if (word == "n_members_per_group_max")
        result.members_per_group = number<uint32_t>(next, next.words[1], kExpected);
      else
        fail(next, kExpected);
    });
    program_.selectors.push_back(std::move(result));
  }

  // Far above any header; keeps sums of widths inside 32 bits.
  static constexpr uint32_t kMaxFieldBits = 1 << 20;

  Lines lines_;
  Program program_;
};

}  // namespace

tl::expected<Program, ReadError> read(std::string_view text, std::string_view file) {
  try {
    return Reader(text, file).read();
  } catch (const Fault& fault) {
    return tl::unexpected(
        ReadError{fault.line, std::string(file) + ":" + std::to_string(fault.line) + ": " + fault.text});
  }
}

}  // namespace sluice::p4::spec
