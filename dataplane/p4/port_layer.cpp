#include "dataplane/p4/port_layer.h"

#include <fmt/format.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "dataplane/graph/packet.h"
#include "dataplane/graph/punt_reason.h"
#include "dataplane/p4/arrival.h"
#include "dataplane/p4/virtual_ports.h"

namespace sluice::p4 {
namespace {

// Enough for the controller to learn a source: Ethernet with a tag.
constexpr uint32_t kLearnBytes = 64;

}  // namespace

absl::StatusOr<ParserFacts> parser_facts(const Layout& layout) {
  auto guard = Guard::of(layout);
  if (!guard.ok()) return guard.status();
  ParserFacts facts{*std::move(guard)};
  const auto& apply = layout.program().apply;
  const auto first =
      std::find_if(apply.begin(), apply.end(), [](const auto& i) { return i.words[0] == "extract"; });
  facts.has_arrival = first != apply.end() &&
                      layout.program().headers[*layout.header(first->words[1])].name == kArrivalHeader;
  if (facts.has_arrival && max_bytes(layout.header_type(*layout.header(first->words[1]))) != sizeof(Arrival))
    return absl::InvalidArgumentError(fmt::format("{}:{}: header '{}' has not {} bytes",
                                                  layout.program().file, first->line, kArrivalHeader,
                                                  sizeof(Arrival)));

  std::set<size_t> added;
  const auto add = [&](const std::vector<spec::Instruction>& instructions) {
    for (const auto& instruction : instructions)
      if (instruction.words[0] == "validate") added.insert(*layout.header(instruction.words[1]));
  };
  add(apply);
  for (const auto& action : layout.program().actions) add(action.instructions);
  for (const size_t header : added) facts.growth += max_bytes(layout.header_type(header));
  if (facts.growth + sizeof(Arrival) > RTE_PKTMBUF_HEADROOM)
    return absl::InvalidArgumentError(
        fmt::format("{}: headers of {} bytes may be added, a buffer has room for {}", layout.program().file,
                    facts.growth, RTE_PKTMBUF_HEADROOM - sizeof(Arrival)));
  return facts;
}

// What DPDK's pipeline calls. Objects belong to the layer: nothing is made or freed here.
struct PortOps {
  static void* adopt(void* object) { return object; }
  static void release(void*) {}
  static void in_stats(void*, rte_swx_port_in_stats* stats) { *stats = {}; }
  static void out_stats(void*, rte_swx_port_out_stats* stats) { *stats = {}; }

  static int receive(void* object, rte_swx_pkt* packet) {
    auto& input = *static_cast<PortLayer::Input*>(object);
    rte_mbuf* mbuf = input.layer->receive(input);
    if (!mbuf) return 0;
    packet->handle = mbuf;
    packet->pkt = static_cast<uint8_t*>(mbuf->buf_addr);
    packet->offset = mbuf->data_off;
    packet->length = mbuf->pkt_len;
    return 1;
  }
  static int receive_nothing(void*, rte_swx_pkt*) { return 0; }

  // `Take` is what happens with a frame at this kind of port.
  template <auto Take>
  static void transmit(void* object, rte_swx_pkt* packet) {
    auto& output = *static_cast<PortLayer::Output*>(object);
    if (rte_mbuf* mbuf = output.layer->leave(*packet)) Take(*output.layer, output, mbuf);
  }
  static void flush(void* object) {
    auto& output = *static_cast<PortLayer::Output*>(object);
    output.layer->flush(output);
  }

  // Copies go where a mirror session ends, which is the learn port alone.
  static void copy_to_nowhere(void* object, rte_swx_pkt*, uint32_t) {
    static_cast<PortLayer::Output*>(object)
        ->layer->counters_.dropped[static_cast<size_t>(wire::Drop::port_invalid)]
        .add(1);
  }
  static void fast_copy_to_nowhere(void* object, rte_swx_pkt* packet) { copy_to_nowhere(object, packet, 0); }
  static void learn(void* object, rte_swx_pkt* packet, uint32_t) {
    static_cast<PortLayer::Output*>(object)->layer->learn(static_cast<const rte_mbuf*>(packet->handle));
  }
  static void fast_learn(void* object, rte_swx_pkt* packet) { learn(object, packet, 0); }

  template <auto Take>
  static rte_swx_port_out_ops output() {
    return {adopt, release, transmit<Take>, fast_copy_to_nowhere, copy_to_nowhere, flush, out_stats};
  }
  static void to_device(PortLayer& layer, PortLayer::Output& output, rte_mbuf* mbuf) {
    layer.transmit(output, mbuf);
  }
  static void to_controller(PortLayer& layer, PortLayer::Output&, rte_mbuf* mbuf) {
    layer.to_controller(mbuf);
  }
  static void to_group(PortLayer& layer, PortLayer::Output&, rte_mbuf* mbuf) { layer.replicate(mbuf); }
  static void to_nowhere(PortLayer& layer, PortLayer::Output&, rte_mbuf* mbuf) {
    layer.drop(mbuf, wire::Drop::port_invalid);
  }
  // The program itself has counted why. Not by leave(): nobody wants to know what is left of the frame.
  static void drop(void* object, rte_swx_pkt* packet) {
    auto& layer = *static_cast<PortLayer::Output*>(object)->layer;
    ++layer.left_;
    layer.counters_.discarded.add(1);
    rte_pktmbuf_free(static_cast<rte_mbuf*>(packet->handle));
  }
};

PortLayer::PortLayer(const std::vector<Device>& devices, rte_mempool* pool, rte_ring* to_controller)
    : pool_(pool), controller_(to_controller) {
  inputs_.reserve(std::bit_ceil(devices.size()));
  for (size_t i = 0; i < std::bit_ceil(devices.size()); ++i) {
    const bool exists = i < devices.size();
    inputs_.push_back(
        {this, static_cast<PortNumber>(i), exists ? devices[i].dpdk_port : uint16_t{0}, exists});
  }
  for (auto& rate : punt_rates_) rate.store(kUnlimited);
  outputs_.reserve(kOutputPorts);
  for (size_t i = 0; i < kOutputPorts; ++i)
    outputs_.push_back({this, i < devices.size() ? devices[i].tx : nullptr});
}

PortLayer::~PortLayer() {
  for (auto& input : inputs_)
    rte_pktmbuf_free_bulk(input.burst.data() + input.next, static_cast<unsigned>(input.count - input.next));
  for (auto& output : outputs_) rte_pktmbuf_free_bulk(output.burst.data(), output.count);
}

PortBindings PortLayer::bindings() {
  static rte_swx_port_in_ops device_in{PortOps::adopt, PortOps::release, PortOps::receive, PortOps::in_stats};
  static rte_swx_port_in_ops nothing_in{PortOps::adopt, PortOps::release, PortOps::receive_nothing,
                                        PortOps::in_stats};
  static auto device = PortOps::output<PortOps::to_device>(),
              controller = PortOps::output<PortOps::to_controller>(),
              group = PortOps::output<PortOps::to_group>(), nowhere = PortOps::output<PortOps::to_nowhere>();
  static rte_swx_port_out_ops dropped{
      PortOps::adopt,           PortOps::release, PortOps::drop,     PortOps::fast_copy_to_nowhere,
      PortOps::copy_to_nowhere, PortOps::flush,   PortOps::out_stats};
  static rte_swx_port_out_ops learn{
      PortOps::adopt,      PortOps::release, PortOps::transmit<PortOps::to_nowhere>,
      PortOps::fast_learn, PortOps::learn,   PortOps::flush,
      PortOps::out_stats};
  PortBindings result{{}, {}, kLearnPort, kLearnSessions, kInvalidPort};
  for (auto& input : inputs_) {
    if (input.exists)
      result.inputs.push_back({"sluice_device", &device_in, &input});
    else
      result.inputs.push_back({"sluice_nothing", &nothing_in, &input});
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    auto* object = &outputs_[i];
    if (object->tx)
      result.outputs.push_back({"sluice_device", &device, object});
    else if (i == kControllerPort)
      result.outputs.push_back({"sluice_controller", &controller, object});
    else if (i == kReplicationPort)
      result.outputs.push_back({"sluice_group", &group, object});
    else if (i == kLearnPort)
      result.outputs.push_back({"sluice_learn", &learn, object});
    else if (i == kDropPort)
      result.outputs.push_back({"sluice_drop", &dropped, object});
    else
      result.outputs.push_back({"sluice_nowhere", &nowhere, object});
  }
  return result;
}

void PortLayer::drop(rte_mbuf* mbuf, wire::Drop reason) {
  counters_.dropped[static_cast<size_t>(reason)].add(1);
  rte_pktmbuf_free(mbuf);
}

// The next packet that may enter; nullptr where none is waiting.
rte_mbuf* PortLayer::receive(Input& input) {
  if (input.next == input.count) {
    if (!open_) return nullptr;
    input.next = 0;
    input.count = rte_eth_rx_burst(input.dpdk_port, 0, input.burst.data(), kBurst);
    counters_.received.add(input.count);
    entered_ += input.count;
  }
  while (input.next < input.count) {
    rte_mbuf* mbuf = input.burst[input.next++];
    if (admit(mbuf, input.number)) return mbuf;
    ++left_;
  }
  return nullptr;
}

bool PortLayer::admit(rte_mbuf* mbuf, PortNumber port) {
  mbuf->port = port;
  const uint32_t arrival = facts_.has_arrival ? sizeof(Arrival) : 0;
  const uint32_t frame_length = mbuf->pkt_len;
  const uint32_t parsed = facts_.guard.longest_path() - arrival;
  if (!make_headers_contiguous(mbuf, parsed) || rte_pktmbuf_headroom(mbuf) < arrival + facts_.growth) {
    drop(mbuf, wire::Drop::header_split);
    return false;
  }
  if (facts_.has_arrival)
    *reinterpret_cast<Arrival*>(rte_pktmbuf_prepend(mbuf, sizeof(Arrival))) = {wire::Be32(frame_length),
                                                                               wire::Be8(0)};
  return !facts_.guard.must_walk(mbuf->pkt_len) || check_length(mbuf, port);
}

// False where the packet was dropped. A packet that ends inside a header goes on where the program can be
// told so; zeros follow it then, whatever the buffer held before.
bool PortLayer::check_length(rte_mbuf* mbuf, PortNumber port) {
  const Packet packet(mbuf);
  auto result = facts_.guard.walk(packet.bytes(), port);
  if (result.verdict == Guard::Verdict::cut && facts_.has_arrival) {
    const uint32_t missing = facts_.guard.longest_path() - mbuf->data_len;
    if (rte_pktmbuf_tailroom(mbuf) < missing) {
      drop(mbuf, wire::Drop::header_split);
      return false;
    }
    std::memset(rte_pktmbuf_mtod_offset(mbuf, uint8_t*, mbuf->data_len), 0, missing);
    rte_pktmbuf_mtod(mbuf, Arrival*)->truncated =
        wire::Be8(static_cast<uint8_t>(1 + static_cast<unsigned>(result.reason)));
    // Told so, the parser may go another way.
    result = facts_.guard.walk(packet.bytes(), port);
    if (result.verdict != Guard::Verdict::oversized) return true;
  }
  if (result.verdict == Guard::Verdict::whole) return true;
  drop(mbuf, result.reason);
  return false;
}

// The buffer as the pipeline left it; nullptr where nothing is left of the frame.
rte_mbuf* PortLayer::leave(rte_swx_pkt& packet) {
  ++left_;
  auto* mbuf = static_cast<rte_mbuf*>(packet.handle);
  // Below zero where a header that was cut off was extracted and not emitted.
  if (static_cast<int32_t>(packet.length) <= 0) {
    drop(mbuf, wire::Drop::ethernet_truncated);
    return nullptr;
  }
  mbuf->data_len = static_cast<uint16_t>(packet.length + mbuf->data_len - mbuf->pkt_len);
  mbuf->pkt_len = packet.length;
  mbuf->data_off = static_cast<uint16_t>(packet.offset);
  return mbuf;
}

void PortLayer::transmit(Output& output, rte_mbuf* mbuf) {
  output.burst[output.count++] = mbuf;
  if (output.count == kBurst) flush(output);
}

void PortLayer::flush(Output& output) {
  if (output.count == 0) return;
  const uint16_t sent =
      rte_eth_tx_burst(output.tx->dpdk_port, output.tx->queue, output.burst.data(), output.count);
  counters_.transmitted.add(sent);
  for (uint16_t i = sent; i < output.count; ++i) drop(output.burst[i], wire::Drop::tx_full);
  output.count = 0;
}

void PortLayer::send(PortNumber port, rte_mbuf* mbuf) {
  counters_.injected.add(1);
  if (port >= outputs_.size() || !outputs_[port].tx) return drop(mbuf, wire::Drop::port_invalid);
  transmit(outputs_[port], mbuf);
}

void PortLayer::punt(rte_mbuf* mbuf) {
  const auto cause = Packet(mbuf).meta().punt_cause;
  const auto index = static_cast<size_t>(cause);
  const uint32_t rate = punt_rates_[index].load(std::memory_order_relaxed);
  if (rate != kUnlimited && !punt_buckets_[index].take(rate, rte_rdtsc(), rte_get_tsc_hz()))
    return drop(mbuf, drop_reason(cause, wire::Drop::punt_rate_limited));
  if (rte_ring_enqueue(controller_, mbuf) != 0)
    return drop(mbuf, drop_reason(cause, wire::Drop::punt_queue_full));
  counters_.punted[index].add(1);
}

void PortLayer::to_controller(rte_mbuf* mbuf) {
  const auto* header = wire::overlay<PacketInHeader>(wire::Bytes(Packet(mbuf).bytes()));
  if (!header || header->cause.get() >= kPuntCauseCount) return drop(mbuf, wire::Drop::punt_filtered);
  auto& meta = Packet(mbuf).meta();
  meta.punt_cause = static_cast<PuntCause>(header->cause.get());
  meta.out_port =
      header->egress_port.get() < kMaxPorts ? static_cast<PortNumber>(header->egress_port.get()) : kNoPort;
  meta.mtu = header->mtu.get();
  rte_pktmbuf_adj(mbuf, sizeof *header);
  punt(mbuf);
}

// The frame as it came in: the pipeline has not touched the buffer's own idea of where its bytes are.
void PortLayer::learn(const rte_mbuf* mbuf) {
  rte_mbuf* copy = rte_pktmbuf_copy(mbuf, pool_, facts_.has_arrival ? sizeof(Arrival) : 0, kLearnBytes);
  if (!copy) return;  // the next frame will do
  counters_.copied.add(1);
  copy->port = mbuf->port;
  auto& meta = Packet(copy).meta();
  meta.punt_cause = PuntCause::unknown_source;
  meta.out_port = kNoPort;
  meta.mtu = 0;
  punt(copy);
}

// One clone for each further member; the frame itself goes to the last. Nobody changes a frame on its way
// out, so that clones may share its bytes.
void PortLayer::replicate(rte_mbuf* mbuf) {
  const auto* header = wire::overlay<GroupHeader>(wire::Bytes(Packet(mbuf).bytes()));
  const auto group = header ? groups_.find(header->group.get()) : groups_.end();
  if (group == groups_.end()) return drop(mbuf, wire::Drop::bridge_no_member);
  rte_pktmbuf_adj(mbuf, sizeof *header);
  Output* last = nullptr;
  for (const PortNumber member : group->second) {
    if (member == mbuf->port) continue;
    if (last) {
      if (rte_mbuf* clone = rte_pktmbuf_clone(mbuf, pool_)) {
        counters_.copied.add(1);
        transmit(*last, clone);
      }
    }
    last = &outputs_[member];
  }
  if (!last) return drop(mbuf, wire::Drop::bridge_no_member);
  transmit(*last, mbuf);
}

}  // namespace sluice::p4
