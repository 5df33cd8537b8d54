#include "controlplane/cli/entry_words.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

using Words = std::vector<std::string>;

std::string refusal_of(const Words& words) {
  const auto result = parse_entry_words(words);
  return result ? "accepted" : result.error();
}

TEST(EntryWords, TheWordWithoutEqualsSignIsTheAction) {
  const auto entry = parse_entry_words(Words{"dst=10.9.0.0/16", "via", "port=right", "next_hop=10.0.2.2"});
  ASSERT_TRUE(entry) << entry.error();
  EXPECT_EQ(entry->match, (NamedWords{{"dst", "10.9.0.0/16"}}));
  EXPECT_EQ(entry->action, "via");
  EXPECT_EQ(entry->params, (NamedWords{{"port", "right"}, {"next_hop", "10.0.2.2"}}));
}

TEST(EntryWords, MatchAndParametersMayShareNames) {
  const auto entry = parse_entry_words(Words{"port=left", "forward", "port=right"});
  ASSERT_TRUE(entry) << entry.error();
  EXPECT_EQ(entry->match, (NamedWords{{"port", "left"}}));
  EXPECT_EQ(entry->params, (NamedWords{{"port", "right"}}));
}

TEST(EntryWords, ValuesMayBeEmptyOrHoldEqualsSigns) {
  const auto entry = parse_entry_words(Words{"a=", "b=c=d"});
  ASSERT_TRUE(entry) << entry.error();
  EXPECT_EQ(entry->match, (NamedWords{{"a", ""}, {"b", "c=d"}}));
  EXPECT_EQ(entry->action, "");
}

TEST(EntryWords, WhatIsWrongIsNamed) {
  EXPECT_EQ(refusal_of(Words{"dst=1", "via", "oops"}),
            "'oops' is not NAME=VALUE, and the action is already 'via'");
  EXPECT_EQ(refusal_of(Words{"=1"}), "'=1' has no name before '='");
  EXPECT_EQ(refusal_of(Words{"dst=1", "dst=2"}), "'dst' is given twice");
  EXPECT_EQ(refusal_of(Words{""}), "'' is neither NAME=VALUE nor an action");
}

}  // namespace
}  // namespace sluice::cli
