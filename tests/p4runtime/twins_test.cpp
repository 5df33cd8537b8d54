// The native engine declares the tables of its P4 program: same names, kinds, widths, actions and parameters.
#include <gtest/gtest.h>

#include <algorithm>

#include "dataplane/p4runtime/compare.h"
#include "dataplane/p4runtime/describe.h"
#include "fake_engine.h"

namespace sluice::p4runtime {
namespace {

std::vector<std::string> differences(const info::P4Info& p4info) {
  return compare(p4info, forwarding::schemas({}));
}

info::Table& table(info::P4Info& p4info, std::string_view name) {
  for (auto& candidate : *p4info.mutable_tables())
    if (candidate.preamble().name() == name) return candidate;
  throw std::runtime_error("no such table");
}

info::Action& action(info::P4Info& p4info, std::string_view name) {
  for (auto& candidate : *p4info.mutable_actions())
    if (candidate.preamble().name() == name) return candidate;
  throw std::runtime_error("no such action");
}

TEST(Twins, NativeForwardingIsTheProgramsTwin) {
  EXPECT_EQ(differences(forwarding_p4info()), std::vector<std::string>{});
}

TEST(Twins, ATableThatOneSideLacksIsADifference) {
  auto p4info = forwarding_p4info();
  table(p4info, "fdb").mutable_preamble()->set_name("mac_table");
  EXPECT_EQ(differences(p4info), (std::vector<std::string>{"table 'mac_table' is only in the p4info",
                                                           "table 'fdb' is only in the engine"}));
}

TEST(Twins, AMatchFieldsNameKindAndWidthCount) {
  auto p4info = forwarding_p4info();
  auto& field = *table(p4info, "ipv4_lpm").mutable_match_fields(0);
  field.set_bitwidth(33);
  EXPECT_EQ(differences(p4info),
            std::vector<std::string>{"ipv4_lpm.dst: 33 bits in the p4info, 32 in the engine"});
  field.set_bitwidth(32);
  field.set_match_type(info::MatchField::TERNARY);
  EXPECT_EQ(differences(p4info),
            std::vector<std::string>{"ipv4_lpm.dst: ternary in the p4info, lpm in the engine"});
  field.set_name("destination");
  EXPECT_EQ(differences(p4info).size(), 2u);
}

TEST(Twins, ActionsAndTheirParametersCount) {
  auto p4info = forwarding_p4info();
  action(p4info, "ipv4_lpm.via").mutable_params(0)->set_bitwidth(9);
  EXPECT_EQ(differences(p4info),
            std::vector<std::string>{"ipv4_lpm.via.port: 9 bits in the p4info, 32 in the engine"});
  p4info = forwarding_p4info();
  action(p4info, "punt.drop").mutable_preamble()->set_name("punt.discard");
  EXPECT_EQ(differences(p4info), (std::vector<std::string>{"punt: action 'discard' is only in the p4info",
                                                           "punt: action 'drop' is only in the engine"}));
  p4info = forwarding_p4info();
  action(p4info, "fdb.forward").clear_params();
  EXPECT_EQ(differences(p4info),
            std::vector<std::string>{"fdb.forward: parameter 'port' is only in the engine"});
}

TEST(Twins, ControllerHeadersCount) {
  auto p4info = forwarding_p4info();
  p4info.mutable_controller_packet_metadata(0)->mutable_metadata(0)->set_bitwidth(9);
  EXPECT_EQ(differences(p4info),
            std::vector<std::string>{"packet_in.ingress_port: 9 bits in the p4info, 32 in the engine"});
  p4info.clear_controller_packet_metadata();
  EXPECT_EQ(differences(p4info).size(), 2u);
}

TEST(Describe, TablesMadeFromAP4infoAreThatP4infos) {
  const auto p4info = forwarding_p4info();
  const auto described = describe(p4info);
  ASSERT_TRUE(described.ok()) << described.status();
  std::vector<std::unique_ptr<tables::OwnedSchema>> owned;
  std::vector<tables::TableSchema> schemas;
  for (const auto& table : *described)
    schemas.push_back(owned.emplace_back(std::make_unique<tables::OwnedSchema>(table, ""))->schema());
  EXPECT_EQ(compare(p4info, schemas), std::vector<std::string>{});
}

TEST(Describe, ValuesAreWrittenAsInTheNativeTwin) {
  const auto described = describe(forwarding_p4info());
  ASSERT_TRUE(described.ok()) << described.status();
  for (const auto& native : forwarding::schemas({})) {
    const auto twin = std::find_if(described->begin(), described->end(),
                                   [&](const auto& candidate) { return candidate.name == native.name; });
    ASSERT_NE(twin, described->end()) << native.name;
    for (size_t i = 0; i < native.fields.size(); ++i)
      EXPECT_EQ(twin->fields[i].format, native.fields[i].format) << native.name << '.' << native.fields[i].name;
    for (const auto& action : native.actions) {
      const auto same = std::find_if(twin->actions.begin(), twin->actions.end(),
                                     [&](const auto& candidate) { return candidate.name == action.name; });
      ASSERT_NE(same, twin->actions.end()) << action.name;
      for (size_t i = 0; i < action.params.size(); ++i)
        EXPECT_EQ(same->params[i].format, action.params[i].format) << action.name << '.' << action.params[i].name;
    }
  }
}

TEST(Describe, WhatOurTablesCannotHoldIsRefused) {
  auto p4info = forwarding_p4info();
  table(p4info, "ipv4_lpm").mutable_match_fields(0)->set_match_type(info::MatchField::RANGE);
  EXPECT_TRUE(absl::IsUnimplemented(describe(p4info).status()));
  p4info = forwarding_p4info();
  action(p4info, "ipv4_lpm.via").mutable_params(0)->set_bitwidth(129);
  EXPECT_TRUE(absl::IsUnimplemented(describe(p4info).status()));
}

}  // namespace
}  // namespace sluice::p4runtime
