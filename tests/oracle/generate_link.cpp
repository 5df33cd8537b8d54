#include "dataplane/wire/arp.h"
#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/vlan.h"
#include "tests/oracle/generate.h"

namespace sluice::oracle {

Buffer in_ethernet(Random& random, wire::EtherType type, const Buffer& payload, Fields& fields) {
  const wire::EthernetHeader header{random.mac(), random.mac(), wire::Be16(static_cast<uint16_t>(type))};
  fields.set("ethernet.dst", to_text(header.dst));
  fields.set("ethernet.src", to_text(header.src));
  fields.set("ethernet.type", static_cast<uint16_t>(type));
  return emitted(wire::EthernetView{&header, payload});
}

namespace {

// IEEE 802, 9.2.4: for local experiments, so no dissector takes the payload for something.
constexpr wire::EtherType kExperimental{0x88b5};

Buffer ethernet(Random& random, Fields& fields) {
  return in_ethernet(random, kExperimental, random.bytes(46 + random.below(200)), fields);
}

Buffer vlan(Random& random, Fields& fields) {
  // Service tags stand outside customer tags (IEEE 802.1Q, 6.13).
  const size_t count = 1 + random.below(wire::kMaxVlanTags), services = random.below(count + 1);
  std::vector<wire::EtherType> types;
  for (size_t i = 0; i < count; ++i)
    types.push_back(i < services ? wire::EtherType::qinq : wire::EtherType::vlan);
  types.push_back(kExperimental);

  std::vector<wire::VlanTag> tags;
  for (size_t i = 0; i < count; ++i) {
    const auto priority = random.below(8), eligible = random.below(2), id = random.below(4096);
    const std::string which = types[i] == wire::EtherType::qinq ? "vlan.service." : "vlan.customer.";
    fields.append("vlan.types", static_cast<uint16_t>(types[i]));
    fields.append(which + "ids", id);
    fields.append(which + "priorities", priority);
    fields.append(which + "drop_eligible", eligible);
    tags.push_back({wire::Be16(static_cast<uint16_t>(priority << 13 | eligible << 12 | id)),
                    wire::Be16(static_cast<uint16_t>(types[i + 1]))});
  }
  fields.set("vlan.payload_type", static_cast<uint16_t>(kExperimental));
  const Buffer payload = random.bytes(46 + random.below(50));
  return in_ethernet(random, types[0], emitted(wire::VlanView{tags, kExperimental, payload}), fields);
}

Buffer arp(Random& random, Fields& fields) {
  const auto operation =
      random.one_in(4) ? random.any<uint16_t>() : static_cast<uint16_t>(1 + random.below(2));
  const auto sender_mac = random.mac(), target_mac = random.mac();
  const auto sender_ip = random.ipv4(), target_ip = random.ipv4();
  fields.set("arp.operation", operation);
  fields.set("arp.sender_mac", to_text(sender_mac));
  fields.set("arp.sender_ip", to_text(sender_ip));
  fields.set("arp.target_mac", to_text(target_mac));
  fields.set("arp.target_ip", to_text(target_ip));
  const auto header =
      wire::make_arp(wire::ArpOperation{operation}, sender_mac, sender_ip, target_mac, target_ip);
  const Buffer padding(random.one_in(2) ? 18 : 0);
  return in_ethernet(random, wire::EtherType::arp, emitted(wire::ArpView{&header, padding}), fields);
}

}  // namespace

std::map<std::string, Generator> link_generators() {
  return {{"ethernet", ethernet}, {"vlan", vlan}, {"arp", arp}};
}

}  // namespace sluice::oracle
