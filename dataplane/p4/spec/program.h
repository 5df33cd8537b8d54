// A program for DPDK's SWX pipeline as its .spec text has it: names and lines, nothing resolved yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::p4::spec {

struct Field {
  std::string name;
  uint32_t bits;
  bool variable = false;  // varbit<N>: at most `bits`
};

struct Struct {
  std::string name;
  std::vector<Field> fields;
  unsigned line;
};

struct Header {
  std::string name;
  std::string type;
  unsigned line;
};

// One line of an action or of `apply`: words[0] is the operation.
struct Instruction {
  std::string label;  // empty where there is none
  std::vector<std::string> words;
  unsigned line;
};

struct Action {
  std::string name;
  std::string args;  // the name of a struct; empty for `args none`
  std::vector<Instruction> instructions;
  unsigned line;
};

enum class MatchKind : uint8_t { exact, lpm, wildcard };

struct KeyField {
  std::string name;
  MatchKind kind;
};

struct ActionUse {
  std::string name;
  bool for_entries = true;
  bool for_default = true;
};

struct DefaultAction {
  std::string name;
  std::vector<std::string> args;  // name, value, name, value, ...
  bool is_const = false;
};

struct Table {
  std::string name;
  std::vector<KeyField> key;
  std::vector<ActionUse> actions;
  DefaultAction default_action;
  std::string type;  // `instanceof`: a wish for a table implementation
  std::string pragma;
  std::string hash;
  uint32_t size = 0;
  unsigned line;
};

struct Learner {
  std::string name;
  std::vector<std::string> key;
  std::vector<ActionUse> actions;
  DefaultAction default_action;
  std::string hash;
  uint32_t size = 0;
  std::vector<uint32_t> timeouts;  // seconds
  unsigned line;
};

struct Selector {
  std::string name;
  std::string group_id, member_id;
  std::vector<std::string> fields;
  uint32_t groups = 0, members_per_group = 0;
  unsigned line;
};

struct RegisterArray {
  std::string name;
  uint32_t size;
  uint64_t initial;
  unsigned line;
};

struct MeterArray {
  std::string name;
  uint32_t size;
  unsigned line;
};

struct ExternObject {
  std::string name;
  std::string type;
  unsigned line;
};

struct Program {
  std::string file;  // for messages
  std::vector<Struct> structs;
  std::vector<Header> headers;
  std::string metadata;  // the name of its struct
  std::vector<RegisterArray> registers;
  std::vector<MeterArray> meters;
  std::vector<Action> actions;
  std::vector<Table> tables;
  std::vector<Selector> selectors;
  std::vector<Learner> learners;
  std::vector<ExternObject> externs;
  std::vector<Instruction> apply;
};

}  // namespace sluice::p4::spec
