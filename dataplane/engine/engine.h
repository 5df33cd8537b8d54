// What every engine is to its callers (P4Runtime, the daemon, tests): a P4 program's tables, counters and packets.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/graph/ids.h"
#include "dataplane/tables/service.h"
#include "dataplane/wire/bytes.h"

namespace sluice::engine {

// A packet that the program gives to its controller, with what the header `packet_in` of its p4info says.
struct PacketIn {
  PortNumber ingress_port;
  PortNumber egress_port;  // kNoPort where no way out was found
  uint16_t mtu;            // of that way; 0 where there is none
  PuntCause cause;
  std::vector<uint8_t> frame;
};

struct CounterValue {
  uint64_t packets;
  uint64_t bytes;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;     // native, swx
  virtual std::string_view program() const = 0;  // the P4 program's name: p4/NAME

  virtual tables::TableService& tables() const = 0;

  // A cell of an indirect counter array of the p4info; NOT_FOUND, OUT_OF_RANGE.
  virtual absl::StatusOr<CounterValue> counter(std::string_view array, size_t index) const = 0;

  // Multicast groups by id; the configuration's bridge domain d is group d + 1. A group's members get a frame each, but
  // the port that it came in by gets none.
  using Groups = std::map<uint32_t, std::vector<PortNumber>>;
  virtual Groups groups() const = 0;
  // All of them anew; frames meet the old ones or the new ones.
  virtual void set_groups(const Groups& groups) = 0;

  // Sends a frame out of a port, past the tables.
  virtual absl::Status send(PortNumber port, wire::Bytes frame) = 0;
  // Called from a control thread for every packet given to the controller. Set before start().
  virtual void on_packet_in(std::function<void(const PacketIn&)> handler) = 0;

  virtual void start() = 0;
  // Lets what is inside finish, then closes the ports. Returns the buffers still missing.
  virtual unsigned stop() = 0;
};

}  // namespace sluice::engine
