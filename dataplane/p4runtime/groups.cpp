#include "dataplane/p4runtime/groups.h"

#include <fmt/format.h>

#include <set>

#include "dataplane/p4runtime/bytestring.h"
#include "dataplane/p4runtime/capabilities.h"

namespace sluice::p4runtime {
namespace {

using absl::InvalidArgumentError;

absl::StatusOr<uint64_t> port_of(const v1::Replica& replica) {
  if (replica.port_kind_case() == v1::Replica::kEgressPort) return replica.egress_port();
  const auto port = decode(replica.port(), 32);
  if (!port.ok()) return port.status();
  return static_cast<uint64_t>(*port);
}

absl::StatusOr<std::vector<PortNumber>> members_of(const v1::MulticastGroupEntry& entry, uint16_t port_count) {
  std::vector<PortNumber> members;
  std::set<std::pair<uint64_t, uint32_t>> seen;
  for (const auto& replica : entry.replicas()) {
    const auto port = port_of(replica);
    if (!port.ok()) return port.status();
    if (*port >= port_count) return InvalidArgumentError(fmt::format("replicas.port: {} does not exist (there are {})", *port, port_count));
    if (!seen.emplace(*port, replica.instance()).second)
      return InvalidArgumentError(fmt::format("replicas: port {} with instance {} is there twice", *port, replica.instance()));
    if (replica.backup_replicas_size() > 0) return absl::UnimplementedError("replicas.backup_replicas: no engine has them");
    members.push_back(static_cast<PortNumber>(*port));
  }
  return members;
}

// What stands in the configuration, as a controller would have written it.
v1::MulticastGroupEntry described(uint32_t id, const std::vector<PortNumber>& members) {
  v1::MulticastGroupEntry entry;
  entry.set_multicast_group_id(id);
  for (const auto member : members) entry.add_replicas()->set_port(encode(member));
  return entry;
}

}  // namespace

absl::Status apply_group(v1::Update::Type type, const v1::MulticastGroupEntry& entry, engine::Engine& engine, Notes& notes) {
  if (auto status = require(engine.name(), Feature::multicast_group); !status.ok()) return status;
  const uint32_t id = entry.multicast_group_id();
  if (id == 0) return InvalidArgumentError("multicast_group_id: 0 is no group");
  auto groups = engine.groups();
  const bool there = groups.contains(id);
  if (type == v1::Update::INSERT && there) return absl::AlreadyExistsError(fmt::format("multicast group {} exists already", id));
  if (type != v1::Update::INSERT && !there) return absl::NotFoundError(fmt::format("multicast group {} does not exist", id));
  if (type == v1::Update::DELETE) {
    groups.erase(id);
    notes.forget_group(id);
  } else {
    const auto members = members_of(entry, engine.tables().port_count());
    if (!members.ok()) return members.status();
    groups[id] = *members;
    notes.set_group(entry);
  }
  engine.set_groups(groups);
  return absl::OkStatus();
}

absl::Status select_groups(const v1::MulticastGroupEntry& request, const engine::Engine& engine, const Notes& notes,
                           std::vector<v1::Entity>& out) {
  if (auto status = require(engine.name(), Feature::multicast_group); !status.ok()) return status;
  for (const auto& [id, members] : engine.groups()) {
    if (request.multicast_group_id() != 0 && request.multicast_group_id() != id) continue;
    const auto* written = notes.group(id);
    v1::Entity entity;
    *entity.mutable_packet_replication_engine_entry()->mutable_multicast_group_entry() = written ? *written : described(id, members);
    out.push_back(std::move(entity));
  }
  return absl::OkStatus();
}

}  // namespace sluice::p4runtime
