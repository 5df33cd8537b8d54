// Why a packet that the controller does not get, or gives up, is dropped: the fault of the packet itself
// where it has one, so that the drops name what a person wants to know.
#pragma once

#include "dataplane/graph/ids.h"
#include "dataplane/wire/drop.h"

namespace sluice {

constexpr wire::Drop drop_reason(PuntCause cause, wire::Drop otherwise) {
  switch (cause) {
    case PuntCause::no_route:
      return wire::Drop::no_route;
    case PuntCause::ttl_expired:
      return wire::Drop::ttl_expired;
    case PuntCause::mtu_exceeded:
      return wire::Drop::mtu_exceeded;
    case PuntCause::neighbour_unresolved:
      return wire::Drop::neighbour_unresolved;
    default:
      return otherwise;
  }
}

}  // namespace sluice
