#include "dataplane/sluiced/engines.h"

#include "dataplane/config/entries.h"
#include "dataplane/engine/native_engine.h"
#include "dataplane/p4/swx_engine.h"
#include "dataplane/sluiced/program_files.h"
#include "dataplane/tables/description.h"

namespace sluice {
namespace {

absl::Status check_entries(const config::Config& config, const p4::SwxProgram& program) {
  std::vector<std::unique_ptr<tables::OwnedSchema>> owned;
  std::vector<tables::TableSchema> schemas;
  for (const auto& table : program.tables)
    schemas.push_back(owned.emplace_back(std::make_unique<tables::OwnedSchema>(table, ""))->schema());
  return config::check_entries(config, schemas);
}

absl::StatusOr<MakeEngine> choose_native(const config::Config& config) {
  if (auto status = engine::check_entries(config); !status.ok()) return status;
  return [&config] { return std::make_unique<engine::NativeEngine>(config); };
}

absl::StatusOr<MakeEngine> choose_swx(const config::Config& config) {
  auto program = read_program(config.p4_folder(), config.program());
  if (!program.ok()) return program.status();
  if (auto status = p4::check(*program); !status.ok()) return status;
  if (auto status = check_entries(config, *program); !status.ok()) return status;
  return
      [&config, program = *std::move(program)] { return std::make_unique<p4::SwxEngine>(config, program); };
}

}  // namespace

absl::StatusOr<MakeEngine> choose_engine(const config::Config& config) {
  return config.engine() == config::SWX ? choose_swx(config) : choose_native(config);
}

}  // namespace sluice
