#include "dataplane/sluiced/program_files.h"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>

#include <fstream>
#include <iterator>

#include "dataplane/p4runtime/describe.h"

namespace sluice {
namespace {

absl::StatusOr<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(fmt::format("p4_folder: '{}' cannot be read", path));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

absl::StatusOr<p4::SwxProgram> read_program(const std::string& folder, const std::string& name) {
  const auto spec_path = fmt::format("{}/{}.spec", folder, name);
  const auto info_path = fmt::format("{}/{}.p4info.txtpb", folder, name);
  auto spec = read_file(spec_path);
  if (!spec.ok()) return spec.status();
  const auto text = read_file(info_path);
  if (!text.ok()) return text.status();
  p4runtime::info::P4Info p4info;
  if (!google::protobuf::TextFormat::ParseFromString(*text, &p4info))
    return absl::InvalidArgumentError(fmt::format("p4_folder: '{}' is not a p4info in text form", info_path));
  auto tables = p4runtime::describe(p4info);
  if (!tables.ok()) return tables.status();
  return p4::SwxProgram{name, spec_path, *std::move(spec), *std::move(tables)};
}

}  // namespace sluice
