#include "controlplane/cli/text_table.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  TextTable table({{"name"}, {"packets", Align::right}, {"text"}});
  table.add({"left", "7", "short"});
  table.add({"a longer name", "1,234,567", ""});
  EXPECT_EQ(table.text(false),
            "name             packets  text\n"
            "left                   7  short\n"
            "a longer name  1,234,567\n");
}

TEST(TextTable, EmptyCellsLeaveNoSpacesAtTheEndOfALine) {
  TextTable table({{"a"}, {"b", Align::right}, {"c"}});
  table.add({"", "", ""});
  table.add({"", "1", ""});
  EXPECT_EQ(table.text(false), "a  b  c\n\n   1\n");
}

TEST(TextTable, ColoursTakeNoRoom) {
  TextTable table({{"link"}, {"mode"}});
  table.add({{"up", Paint::good}, "routed"});
  EXPECT_EQ(table.text(true), "\x1b[1mlink\x1b[0m  \x1b[1mmode\x1b[0m\n\x1b[32mup\x1b[0m    routed\n");
  EXPECT_EQ(table.text(false), "link  mode\nup    routed\n");
}

TEST(TextTable, CharactersAreCountedNotBytes) {
  EXPECT_EQ(width_of("µs…"), 3u);
  TextTable table({{"a"}, {"b"}});
  table.add({"µ", "x"});
  EXPECT_EQ(table.text(false), "a  b\nµ  x\n");
}

}  // namespace
}  // namespace sluice::cli
