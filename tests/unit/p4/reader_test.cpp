// The reader of .spec text, and the checks that a program must pass before DPDK sees it.
#include "dataplane/p4/spec/reader.h"

#include <gtest/gtest.h>

#include <string>

#include "dataplane/p4/checks.h"
#include "dataplane/p4/clearing.h"
#include "dataplane/p4/rewrite.h"

namespace sluice::p4 {
namespace {

// A program that is right; tests bend one part of it.
struct Text {
  std::string fields = "bit<32> port\nbit<32> a\nbit<128> wide";
  std::string more = "";
  std::string apply = "extract h.ethernet\nemit h.ethernet";

  std::string str() const {
    return "struct ethernet_t {\nbit<48> dst\nbit<48> src\nbit<16> type\n}\nstruct metadata_t {\n" + fields +
           "\n}\nheader ethernet instanceof ethernet_t\nmetadata instanceof metadata_t\n" + more +
           "\napply {\nrx m.port\n" + apply + "\ntx m.port\n}\n";
  }
};

std::string fault(const Text& text) {
  const auto program = spec::read(text.str(), "x.spec");
  if (!program) return program.error().text;
  const auto layout = Layout::of(*program);
  if (!layout.ok()) return std::string(layout.status().message());
  return std::string(check(*layout).message());
}

TEST(SpecReader, ReadsEveryPartOfATable) {
  const auto program = spec::read(Text{.more = R"(
    ; a comment
    regarray counts size 0x40 initval 0x7
    struct args_t {
      bit<32> port
    }
    action go args instanceof args_t {
      mov m.port t.port
      END : return
    }
    table t {
      key {
        m.a exact
        m.port lpm
      }
      actions {
        go @tableonly
        go @defaultonly
      }
      default_action go args port 0x3 const
      instanceof hash
      size 0x10
    })"}
                                      .str(),
                                  "x.spec");
  ASSERT_TRUE(program) << program.error().text;
  EXPECT_EQ(program->registers[0].size, 0x40u);
  EXPECT_EQ(program->registers[0].initial, 7u);
  const auto& table = program->tables[0];
  EXPECT_EQ(table.key[1].kind, spec::MatchKind::lpm);
  EXPECT_FALSE(table.actions[0].for_default);
  EXPECT_FALSE(table.actions[1].for_entries);
  EXPECT_EQ(table.default_action.args, (std::vector<std::string>{"port", "0x3"}));
  EXPECT_TRUE(table.default_action.is_const);
  EXPECT_EQ(program->actions[0].instructions[1].label, "END");
}

TEST(SpecReader, SaysWhereWhatWasFoundAndWhatWasExpected) {
  EXPECT_EQ(spec::read("\nstruct x\n", "x.spec").error().text,
            "x.spec:2: found 'struct x', expected 'struct NAME {'");
  EXPECT_EQ(spec::read("struct x {\nbit<9> f\n}\n", "x.spec").error().line, 2u);
  EXPECT_NE(spec::read("struct x {\nbit<8> f\n", "x.spec").error().text.find("expected '}'"),
            std::string::npos);
  EXPECT_NE(spec::read("rss h\n", "x.spec").error().text.find("found 'rss h'"), std::string::npos);
  EXPECT_NE(spec::read("", "x.spec").error().text.find("expected a block 'apply'"), std::string::npos);
  EXPECT_FALSE(spec::read("regarray x size 0xfffffffff initval 0\n", "x.spec"));
  EXPECT_FALSE(spec::read("header " + std::string(64, 'x') + " instanceof y\n", "x.spec"));
}

TEST(SpecChecks, PassAProgramThatIsRight) { EXPECT_EQ(fault({}), ""); }

TEST(SpecChecks, RefuseWhatDpdkWouldCutOff) {
  const std::string far = "bit<32> port\nbit<32> a\nbit<128> wide\nbit<2048> big\nbit<32> far";
  EXPECT_NE(fault({.fields = far, .apply = "mov m.far 1"}).find("280 bytes into its struct"),
            std::string::npos);
  EXPECT_EQ(fault({.fields = far, .apply = "mov m.a 1"}), "") << "what nobody reaches for does not matter";
  EXPECT_NE(fault({.fields = far, .apply = "hash crc32 m.far m.a m.a"}).find("at most 255"),
            std::string::npos);
  EXPECT_NE(
      fault({.fields = "bit<32> port\nbit<256> big\nbit<32> a", .apply = "hash crc32 m.a m.port m.port"})
          .find("first 32 bytes"),
      std::string::npos);
  EXPECT_NE(fault({.more = "struct long_t {\nbit<2048> f\n}\nheader long instanceof long_t"})
                .find("256 bytes, at most 255"),
            std::string::npos);
  EXPECT_NE(fault({.apply = "add m.wide 1"}).find("takes at most 64"), std::string::npos);
  EXPECT_NE(fault({.apply = "mov m.wide m.a"}).find("differ in width"), std::string::npos);
  std::string headers;
  for (int i = 0; i < 63; ++i) headers += "header h" + std::to_string(i) + " instanceof ethernet_t\n";
  EXPECT_NE(fault({.more = headers}).find("64 headers, at most 63"), std::string::npos);
}

TEST(SpecChecks, RefuseWhatWouldCrashOrLoop) {
  EXPECT_NE(fault({.apply = "AGAIN : mov m.a 1\njmp AGAIN"}).find("label further down"), std::string::npos);
  EXPECT_NE(fault({.apply = "emit h.ethernet\nemit h.ethernet"}).find("emitted twice"), std::string::npos);
  EXPECT_NE(fault({.apply = "recirculate"}).find("not supported"), std::string::npos);
  EXPECT_NE(fault({.apply = "jmpeq END m.a 1\ntx 69\nEND : emit h.ethernet"}).find("port 69 does not exist"),
            std::string::npos);
  EXPECT_NE(fault({.more = "action a args none {\nmov m.a 1\n}"}).find("does not end"), std::string::npos);
  EXPECT_NE(
      fault(
          {.more =
               "action a args none {\nreturn\n}\ntable t {\nactions {\na\n}\ndefault_action b args none\n}"})
          .find("not among its actions"),
      std::string::npos);
  EXPECT_NE(fault({.apply = "mov m.nothing 1"}).find("'m.nothing' is no field"), std::string::npos);
}

TEST(SpecClearing, FindsWhatSomePathReadsBeforeItIsWritten) {
  const auto exposed = [](const Text& text) {
    const auto program = spec::read(text.str(), "x.spec");
    const auto layout = Layout::of(*program);
    EXPECT_EQ(check(*layout), absl::OkStatus());
    return read_before_written(*layout);
  };
  EXPECT_EQ(exposed({.apply = "mov m.a 1\nadd m.a 1"}), std::set<size_t>{});
  EXPECT_EQ(exposed({.apply = "add m.a 1"}), std::set<size_t>{1});
  EXPECT_EQ(exposed({.apply = "jmpeq ON m.port 1\nmov m.a 1\nON : add m.port m.a"}), std::set<size_t>{1})
      << "one of two ways";
  EXPECT_EQ(exposed({.apply = "jmpeq B m.port 1\nmov m.a 1\njmp ON\nB : mov m.a 2\nON : add m.port m.a"}),
            std::set<size_t>{});
  const std::string actions =
      "action w args none {\nmov m.a 1\nreturn\n}\naction d args none {\ndrop\n}\naction n args none "
      "{\nreturn\n}\n";
  const auto table = [&](const std::string& uses) {
    return Text{.more = actions + "table t {\nactions {\n" + uses + "\n}\ndefault_action w args none\n}",
                .apply = "table t\nadd m.port m.a"};
  };
  EXPECT_EQ(exposed(table("w\nd")), std::set<size_t>{}) << "a packet that was dropped reads nothing";
  EXPECT_EQ(exposed(table("w\nn")), std::set<size_t>{1});
}

}  // namespace
}  // namespace sluice::p4
