#include "dataplane/p4runtime/entity.h"

#include <optional>

#include "dataplane/p4runtime/capabilities.h"

namespace sluice::p4runtime {
namespace {

std::optional<Feature> feature_of(const v1::Entity& entity) {
  switch (entity.entity_case()) {
    case v1::Entity::kExternEntry:
      return Feature::extern_entry;
    case v1::Entity::kActionProfileMember:
    case v1::Entity::kActionProfileGroup:
      return Feature::action_profile;
    case v1::Entity::kMeterEntry:
      return Feature::meter;
    case v1::Entity::kDirectMeterEntry:
      return Feature::direct_meter;
    case v1::Entity::kDirectCounterEntry:
      return Feature::direct_counter;
    case v1::Entity::kPacketReplicationEngineEntry:
      return entity.packet_replication_engine_entry().has_clone_session_entry() ? Feature::clone_session
                                                                                : Feature::multicast_group;
    case v1::Entity::kValueSetEntry:
      return Feature::value_set;
    case v1::Entity::kRegisterEntry:
      return Feature::register_array;
    case v1::Entity::kDigestEntry:
      return Feature::digest;
    default:
      return std::nullopt;
  }
}

}  // namespace

absl::Status refuse_entity(const v1::Entity& entity, std::string_view engine) {
  const auto feature = feature_of(entity);
  if (!feature) return absl::InvalidArgumentError("entity: none of the known kinds is set");
  return refuse_feature(engine, *feature);
}

}  // namespace sluice::p4runtime
