#include "dataplane/tables/description.h"

namespace sluice::tables {

TableDescription describe(const TableSchema& schema) {
  TableDescription result{std::string(schema.name), {}, {}, schema.capacity};
  for (const auto& field : schema.fields)
    result.fields.push_back({std::string(field.name), field.bits, field.kind, field.format});
  for (const auto& action : schema.actions) {
    auto& described = result.actions.emplace_back(ActionDescription{std::string(action.name), {}});
    for (const auto& param : action.params)
      described.params.push_back({std::string(param.name), param.bits, param.format});
  }
  return result;
}

OwnedSchema::OwnedSchema(TableDescription description, std::string_view update)
    : description_(std::move(description)) {
  for (const auto& [name, bits, kind, format] : description_.fields)
    fields_.push_back({name, bits, kind, format});
  for (const auto& action : description_.actions) {
    auto& params = params_.emplace_back();
    for (const auto& [name, bits, format] : action.params) params.push_back({name, bits, format});
  }
  // Only now: params_ no longer moves.
  for (size_t i = 0; i < params_.size(); ++i) actions_.push_back({description_.actions[i].name, params_[i]});
  schema_ = {description_.name, fields_, actions_, description_.capacity, update};
}

}  // namespace sluice::tables
