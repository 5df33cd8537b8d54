// Do an engine's tables and a P4 program's p4info say the same? Everything is compared by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/p4runtime/messages.h"
#include "dataplane/tables/schema.h"

namespace sluice::p4runtime {

// Each difference in tables, match fields, kinds, widths, actions, parameters and controller headers, as a
// sentence. Actions that only a constant default uses ("miss") are the program's own and not compared.
std::vector<std::string> compare(const info::P4Info& p4info, std::span<const tables::TableSchema> schemas);

// The name that our tables use for an action: p4info's `ipv4_lpm.via` is `via` of table `ipv4_lpm`.
std::string_view local_name(std::string_view table, std::string_view action);

const info::Action* find_action(const info::P4Info& p4info, uint32_t id);

}  // namespace sluice::p4runtime
