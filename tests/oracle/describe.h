// Every field of every layer of a frame, as our codecs read it, under names that the oracles share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"
#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/ip_protocol.h"

namespace sluice::oracle {

using Json = nlohmann::ordered_json;
using wire::Bytes;

// Collects "layer.field": value; fields of a packet quoted by an ICMP error get the prefix "quote.".
class Fields {
 public:
  template <class Value>
  void set(const std::string& name, Value&& value) {
    json_[prefix_ + name] = std::forward<Value>(value);
  }
  template <class Value>
  void append(const std::string& name, Value&& value) {
    json_[prefix_ + name].push_back(std::forward<Value>(value));
  }
  // Ends the description at the first layer that does not parse.
  void drop(wire::Drop reason) { set("drop", std::string(wire::name_of(reason))); }

  bool quoted() const { return !prefix_.empty(); }
  void enter_quote() { prefix_ = "quote."; }
  const Json& json() const { return json_; }

 private:
  Json json_ = Json::object();
  std::string prefix_;
};

// What checksums of upper layers cover of the packet below them.
struct IpContext {
  bool v6;
  wire::Ipv4Address src4, dst4;
  wire::Ipv6Address src6, dst6;
  Bytes packet{};  // all of it, for RoCEv2's ICRC
};

inline std::string hex(Bytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// One a file describe_*.cpp.
void describe_frame(Bytes in, Fields& out);
void describe_ipv4(Bytes in, Fields& out);
void describe_ipv6(Bytes in, Fields& out);
void describe_udp(Bytes in, const IpContext& ip, Fields& out);
void describe_tcp(Bytes in, const IpContext& ip, Fields& out);
void describe_icmp(Bytes in, Fields& out);
void describe_icmpv6(Bytes in, const IpContext& ip, Fields& out);
void describe_gtpu(Bytes in, Fields& out);
void describe_roce(Bytes in, Bytes ip_packet, Fields& out);

}  // namespace sluice::oracle
