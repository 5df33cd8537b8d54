#include "dataplane/p4/pipeline.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include <algorithm>
#include <set>

#include "dataplane/p4/rewrite.h"

namespace sluice::p4 {
namespace {

constexpr char kMetadataType[] = "sluice_metadata", kZeroType[] = "sluice_zero_t";
constexpr uint32_t kMirrorSlots = 4, kMirrorSessions = 64;

// Tells DPDK a program, part by part. The first refusal is kept, and nothing is told after it.
class Builder {
 public:
  Builder(rte_swx_pipeline* pipeline, const Layout& layout)
      : pipeline_(pipeline), layout_(layout), program_(layout.program()) {}

  absl::Status run(const PortBindings& ports) {
    const auto rewritten = rewrite(layout_);
    add_ports(ports);
    add_structs(rewritten.zero_bits);
    for (const auto& array : program_.registers)
      tell(rte_swx_pipeline_regarray_config(pipeline_, array.name.c_str(), array.size, array.initial),
           "regarray", array.name);
    for (size_t i = 0; i < program_.actions.size(); ++i) {
      const auto& action = program_.actions[i];
      auto lines = pointers(rewritten.actions[i]);
      tell(rte_swx_pipeline_action_config(pipeline_, action.name.c_str(),
                                          action.args.empty() ? nullptr : action.args.c_str(), lines.data(),
                                          static_cast<uint32_t>(lines.size())),
           "action", action.name);
    }
    for (const auto& table : program_.tables) add_table(table);
    for (const auto& learner : program_.learners) add_learner(learner);
    auto lines = pointers(rewritten.apply);
    tell(rte_swx_pipeline_instructions_config(pipeline_, lines.data(), static_cast<uint32_t>(lines.size())),
         "block", "apply");
    if (status_.ok()) tell(rte_swx_pipeline_build(pipeline_), "program", program_.file);
    if (status_.ok()) set_mirrors(ports);
    return status_;
  }

 private:
  void tell(int error, std::string_view what, std::string_view name) {
    if (error == 0 || !status_.ok()) return;
    status_ = absl::InvalidArgumentError(
        fmt::format("{}: DPDK refuses {} '{}': {}", program_.file, what, name, rte_strerror(-error)));
  }

  static std::vector<const char*> pointers(const std::vector<std::string>& strings) {
    std::vector<const char*> result;
    for (const auto& string : strings) result.push_back(string.c_str());
    return result;
  }

  void add_ports(const PortBindings& ports) {
    rte_swx_pipeline_mirroring_params mirroring{kMirrorSlots, kMirrorSessions};
    tell(rte_swx_pipeline_mirroring_config(pipeline_, &mirroring), "mirroring", "");
    std::set<std::string> in_types, out_types;
    for (uint32_t i = 0; i < ports.inputs.size(); ++i) {
      const auto& [type, ops, object] = ports.inputs[i];
      if (in_types.insert(type).second)
        tell(rte_swx_pipeline_port_in_type_register(pipeline_, type, ops), "input port type", type);
      tell(rte_swx_pipeline_port_in_config(pipeline_, i, type, object), "input port", std::to_string(i));
    }
    for (uint32_t i = 0; i < ports.outputs.size(); ++i) {
      const auto& [type, ops, object] = ports.outputs[i];
      if (out_types.insert(type).second)
        tell(rte_swx_pipeline_port_out_type_register(pipeline_, type, ops), "output port type", type);
      tell(rte_swx_pipeline_port_out_config(pipeline_, i, type, object), "output port", std::to_string(i));
    }
  }

  void add_struct(const char* name, const std::vector<spec::Field>& fields) {
    std::vector<rte_swx_field_params> params;
    for (const auto& field : fields) params.push_back({field.name.c_str(), field.bits});
    tell(rte_swx_pipeline_struct_type_register(pipeline_, name, params.data(),
                                               static_cast<uint32_t>(params.size()), fields.back().variable),
         "struct", name);
  }

  void add_structs(const std::set<uint32_t>& zero_bits) {
    for (const auto& type : program_.structs) add_struct(type.name.c_str(), type.fields);
    for (const auto& header : program_.headers)
      tell(rte_swx_pipeline_packet_header_register(pipeline_, header.name.c_str(), header.type.c_str()),
           "header", header.name);
    std::vector<spec::Field> zeros;
    for (const uint32_t bits : zero_bits) zeros.push_back({fmt::format("z{}", bits), bits});
    add_struct(kZeroType, zeros);
    tell(rte_swx_pipeline_packet_header_register(pipeline_, kZeroHeader, kZeroType), "header", kZeroHeader);
    auto fields = layout_.metadata().fields;
    fields.push_back({kScratchField, 64});
    add_struct(kMetadataType, fields);
    tell(rte_swx_pipeline_packet_metadata_register(pipeline_, kMetadataType), "metadata", program_.metadata);
  }

  // The parts that tables and learners have in common, in the form that DPDK takes them.
  struct Uses {
    std::vector<const char*> names;
    std::vector<int> for_entries, for_default;
    std::string args;
  };
  template <class Owner>
  static Uses uses_of(const Owner& owner) {
    Uses uses;
    for (const auto& use : owner.actions) {
      uses.names.push_back(use.name.c_str());
      uses.for_entries.push_back(use.for_entries);
      uses.for_default.push_back(use.for_default);
    }
    for (const auto& word : owner.default_action.args) uses.args += (uses.args.empty() ? "" : " ") + word;
    return uses;
  }
  template <class Params, class Owner>
  static void fill(Params& params, Uses& uses, const Owner& owner) {
    params.action_names = uses.names.data();
    params.action_is_for_table_entries = uses.for_entries.data();
    params.action_is_for_default_entry = uses.for_default.data();
    params.n_actions = static_cast<uint32_t>(uses.names.size());
    params.default_action_name = owner.default_action.name.c_str();
    params.default_action_args = uses.args.empty() ? nullptr : uses.args.c_str();
    params.default_action_is_const = owner.default_action.is_const;
    params.hash_func_name = owner.hash.empty() ? nullptr : owner.hash.c_str();
  }

  void add_table(const spec::Table& table) {
    auto uses = uses_of(table);
    std::vector<rte_swx_match_field_params> key;
    for (const auto& field : table.key) key.push_back({field.name.c_str(), match_type(field.kind)});
    rte_swx_pipeline_table_params params{};
    params.fields = key.empty() ? nullptr : key.data();
    params.n_fields = static_cast<uint32_t>(key.size());
    fill(params, uses, table);
    tell(rte_swx_pipeline_table_config(pipeline_, table.name.c_str(), &params,
                                       table.type.empty() ? nullptr : table.type.c_str(),
                                       table.pragma.c_str(), table.size),
         "table", table.name);
  }

  void add_learner(const spec::Learner& learner) {
    auto uses = uses_of(learner);
    auto key = pointers(learner.key);
    auto timeouts = learner.timeouts;
    rte_swx_pipeline_learner_params params{};
    params.field_names = key.data();
    params.n_fields = static_cast<uint32_t>(key.size());
    fill(params, uses, learner);
    tell(rte_swx_pipeline_learner_config(pipeline_, learner.name.c_str(), &params, learner.size,
                                         timeouts.data(), static_cast<uint32_t>(timeouts.size())),
         "learner", learner.name);
  }

  static rte_swx_table_match_type match_type(spec::MatchKind kind) {
    switch (kind) {
      case spec::MatchKind::lpm:
        return RTE_SWX_TABLE_MATCH_LPM;
      case spec::MatchKind::wildcard:
        return RTE_SWX_TABLE_MATCH_WILDCARD;
      case spec::MatchKind::exact:
        break;
    }
    return RTE_SWX_TABLE_MATCH_EXACT;
  }

  void set_mirrors(const PortBindings& ports) {
    for (uint32_t session = 0; session < kMirrorSessions; ++session) {
      rte_swx_pipeline_mirroring_session_params params{
          session < ports.mirror_sessions ? ports.mirror_port : ports.invalid_port, 0, 0};
      tell(rte_swx_ctl_pipeline_mirroring_session_set(pipeline_, session, &params), "mirror session",
           std::to_string(session));
    }
  }

  rte_swx_pipeline* pipeline_;
  const Layout& layout_;
  const spec::Program& program_;
  absl::Status status_;
};

absl::Status explain(int error, const std::string& table) {
  if (error == 0) return absl::OkStatus();
  return absl::InternalError(fmt::format("{}: DPDK refuses the entry: {}", table, rte_strerror(-error)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Pipeline>> Pipeline::build(const Layout& layout, const PortBindings& ports) {
  auto result = std::make_unique<Pipeline>();
  rte_swx_pipeline* pipeline = nullptr;
  if (const int error = rte_swx_pipeline_config(&pipeline, nullptr, SOCKET_ID_ANY); error != 0)
    return absl::ResourceExhaustedError(fmt::format("no pipeline: {}", rte_strerror(-error)));
  result->pipeline_.reset(pipeline);
  if (auto status = Builder(pipeline, layout).run(ports); !status.ok()) return status;
  result->control_.reset(rte_swx_ctl_pipeline_create(pipeline));
  if (!result->control_)
    return absl::ResourceExhaustedError(
        fmt::format("{}: no memory for the pipeline's tables", layout.program().file));
  return result;
}

absl::Status Pipeline::add(const std::string& table, rte_swx_table_entry& entry) {
  return explain(rte_swx_ctl_pipeline_table_entry_add(control_.get(), table.c_str(), &entry), table);
}

absl::Status Pipeline::remove(const std::string& table, rte_swx_table_entry& entry) {
  return explain(rte_swx_ctl_pipeline_table_entry_delete(control_.get(), table.c_str(), &entry), table);
}

absl::Status Pipeline::commit() {
  if (const int error = rte_swx_ctl_pipeline_commit(control_.get(), 1); error != 0)
    return absl::ResourceExhaustedError(fmt::format("tables could not be changed: {}", rte_strerror(-error)));
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> Pipeline::read_register(const std::string& array, uint32_t index) const {
  uint64_t value = 0;
  if (rte_swx_ctl_pipeline_regarray_read(pipeline_.get(), array.c_str(), index, &value) != 0)
    return absl::OutOfRangeError(fmt::format("{}[{}] does not exist", array, index));
  return value;
}

}  // namespace sluice::p4
