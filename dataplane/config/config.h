// Reads a configuration and checks all of it that can be checked before anything is started.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <vector>

#include "dataplane/config/sluiced.pb.h"
#include "dataplane/tables/text.h"

namespace sluice::config {

// A port's own address with the prefix of its link.
struct InterfaceAddress {
  bool is_ipv4;
  tables::Value address;  // of 32 or 128 bits
  unsigned prefix_length;

  unsigned bits() const { return is_ipv4 ? 32 : 128; }
  tables::Value network() const { return address & tables::prefix_mask(bits(), prefix_length); }
};

// By the file's ending: .json is JSON, anything else is textproto. Errors name file, line and field.
absl::StatusOr<Config> load(const std::string& path);

// Fills defaults in, and says what is wrong: field, value, what was expected.
absl::Status complete(Config& config);

absl::StatusOr<InterfaceAddress> parse_interface_address(const std::string& text);

tables::EntryText to_entry_text(const Entry& entry);

// The name of DPDK's device: what stands before the first comma.
std::string device_name(const Port& port);
bool is_pci(const Port& port);

}  // namespace sluice::config
