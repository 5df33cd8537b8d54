#include "dataplane/config/config.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace sluice::config {
namespace {

// A file that goes with the test.
class File {
 public:
  File(const std::string& ending, const std::string& text)
      : path_(::testing::TempDir() + "sluice_config_" + std::to_string(getpid()) + ending) {
    std::ofstream(path_) << text;
  }
  ~File() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string complaint(const absl::Status& status) { return std::string(status.message()); }

TEST(ConfigFile, TextprotoAndJsonSayTheSame) {
  const File text(".textproto", R"(
    # a comment
    ports { name: "left" devargs: "net_null0" addresses: "10.0.1.1/24" mode: ROUTED }
    lcores { id: 0 idle: POLL }
    entries { table: "punt" match { field: "cause" value: "arp" } action: "drop" })");
  const File json(".json", R"({
    "ports": [{"name": "left", "devargs": "net_null0", "addresses": ["10.0.1.1/24"], "mode": "ROUTED"}],
    "lcores": [{"id": 0, "idle": "POLL"}],
    "entries": [{"table": "punt", "match": [{"field": "cause", "value": "arp"}], "action": "drop"}]})");
  const auto a = load(text.path()), b = load(json.path());
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(a->SerializeAsString(), b->SerializeAsString());
  EXPECT_EQ(a->ports(0).addresses(0), "10.0.1.1/24");
}

TEST(ConfigFile, ATypoIsNamedWithFileLineAndColumn) {
  const File file(".textproto", "ports {\n  name: \"left\"\n  devarg: \"net_null0\"\n}\n");
  const auto message = complaint(load(file.path()).status());
  EXPECT_TRUE(message.starts_with(file.path() + ":3:")) << message;
  EXPECT_NE(message.find("devarg"), message.npos) << message;
}

TEST(ConfigFile, ATypoInJsonNamesTheField) {
  const File file(".json", R"({"ports": [{"nam": "left"}]})");
  const auto message = complaint(load(file.path()).status());
  EXPECT_TRUE(message.starts_with(file.path() + ": ")) << message;
  EXPECT_NE(message.find("nam"), message.npos) << message;
}

TEST(ConfigFile, AMissingFileIsNamed) {
  const auto status = load("/nonexistent/sluiced.conf").status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_EQ(complaint(status), "/nonexistent/sluiced.conf: cannot be read");
}

class Complete : public ::testing::Test {
 protected:
  Complete() {
    auto* port = config_.add_ports();
    port->set_name("left");
    port->set_devargs("net_null0");
  }
  std::string complain() { return complaint(complete(config_)); }
  Port& port() { return *config_.mutable_ports(0); }

  Config config_;
};

TEST_F(Complete, DefaultsAreFilledIn) {
  ASSERT_EQ(complain(), "");
  EXPECT_EQ(config_.socket(), "/run/sluice/sluiced.sock");
  ASSERT_EQ(config_.lcores_size(), 1);
  EXPECT_EQ(config_.lcores(0).id(), 0u);
  EXPECT_EQ(config_.lcores(0).max_sleep_us(), 200u);
  EXPECT_EQ(port().mtu(), 1500u);
  EXPECT_EQ(port().queues(), 1u);
  EXPECT_EQ(config_.eal().memory_mb(), 768u);
  EXPECT_EQ(config_.eal().buffer_bytes(), 2048u);
  EXPECT_GT(config_.eal().buffers(), 0u);
  EXPECT_EQ(config_.eal().file_prefix(), "sluiced" + std::to_string(getpid()));
  EXPECT_EQ(config_.tables().ipv4_routes(), 65536u);
  EXPECT_EQ(config_.tables().ipv6_routes(), 16384u);
  EXPECT_EQ(config_.tables().neighbours(), 16384u);
  EXPECT_EQ(config_.tables().fdb(), 16384u);
  EXPECT_EQ(config_.agent().icmp_errors_per_second(), 1000u);
  EXPECT_EQ(config_.agent().fdb_ageing_s(), 300u);
  EXPECT_EQ(config_.agent().neighbour_refresh_s(), 30u);
}

TEST_F(Complete, WhatIsGivenStays) {
  config_.set_socket("/tmp/s");
  port().set_mtu(9000);
  config_.mutable_tables()->set_fdb(10);
  ASSERT_EQ(complain(), "");
  EXPECT_EQ(config_.socket(), "/tmp/s");
  EXPECT_EQ(port().mtu(), 9000u);
  EXPECT_EQ(config_.tables().fdb(), 10u);
}

TEST_F(Complete, ASocketPathFitsItsAddress) {
  config_.set_socket("/" + std::string(106, 'x'));
  EXPECT_EQ(complain(), "");
  config_.set_socket("/" + std::string(107, 'x'));
  EXPECT_EQ(complain(), "socket: '" + config_.socket() + "' is longer than 107 bytes");
}

TEST_F(Complete, ThereIsAPortAndNotTooMany) {
  config_.clear_ports();
  EXPECT_EQ(complain(), "ports: at least one is needed");
  for (int i = 0; i < 65; ++i) config_.add_ports();
  EXPECT_EQ(complain(), "ports: 65 are more than 64");
}

TEST_F(Complete, CpusExistAndAreGivenOnce) {
  config_.add_lcores()->set_id(4096);
  EXPECT_TRUE(complain().starts_with("lcores[0].id: CPU 4096 does not exist (this machine has "))
      << complain();
  config_.mutable_lcores(0)->set_id(0);
  config_.add_lcores()->set_id(0);
  EXPECT_EQ(complain(), "lcores[1].id: CPU 0 is given twice");
}

TEST_F(Complete, ASleepIsAtMostASecond) {
  config_.add_lcores()->set_max_sleep_us(1000001);
  EXPECT_EQ(complain(), "lcores[0].max_sleep_us: 1000001 is above 1000000 (one second)");
}

TEST_F(Complete, PortNamesAreNamesAndGivenOnce) {
  for (const char* bad : {"", "9lives", "with space", "a/b"}) {
    port().set_name(bad);
    EXPECT_TRUE(
        complain().starts_with(std::string("ports[0].name: '") + bad + "' is not a letter followed by"))
        << complain();
  }
  port().set_name("left");
  auto* second = config_.add_ports();
  second->set_name("left");
  second->set_devargs("net_null1");
  EXPECT_EQ(complain(), "ports[1].name: 'left' is given twice");
}

TEST_F(Complete, DevicesAreGivenAndGivenOnce) {
  port().clear_devargs();
  EXPECT_EQ(complain(), "ports[0].devargs: is missing (e.g. net_af_packet0,iface=eth1)");
  port().set_devargs("net_null0,size=64");
  auto* second = config_.add_ports();
  second->set_name("right");
  second->set_devargs("net_null0,size=128");
  EXPECT_EQ(complain(), "ports[1].devargs: device 'net_null0' is given twice");
}

TEST_F(Complete, MtuIsWithinBounds) {
  for (const uint32_t bad : {575u, 9601u}) {
    port().set_mtu(bad);
    EXPECT_EQ(complain(), "ports[0].mtu: " + std::to_string(bad) + " is not between 576 and 9600");
  }
  for (const uint32_t good : {576u, 9600u}) {
    port().set_mtu(good);
    EXPECT_EQ(complain(), "");
  }
}

TEST_F(Complete, BridgesAndAddressesGoWithTheirModes) {
  port().set_bridge(1);
  EXPECT_EQ(complain(), "ports[0].bridge: is only for mode BRIDGED");
  port().set_mode(BRIDGED);
  EXPECT_EQ(complain(), "");
  port().add_addresses("10.0.0.1/24");
  EXPECT_EQ(complain(), "ports[0].addresses: are only for mode ROUTED");
  port().clear_addresses();
  for (const uint32_t bad : {0u, 65536u}) {
    port().set_bridge(bad);
    EXPECT_EQ(complain(), "ports[0].bridge: " + std::to_string(bad) + " is not between 1 and 65535");
  }
}

TEST_F(Complete, AddressesHaveAPrefix) {
  for (const char* bad : {"10.0.0.1", "10.0.0.1/", "10.0.0.1/0", "10.0.0.1/33", "10.0.0/24", "fd00::1/129",
                          "x/8", "10.0.0.1/24x"}) {
    port().clear_addresses();
    port().add_addresses(bad);
    EXPECT_EQ(complain(), "ports[0].addresses[0]: '" + std::string(bad) +
                              "' is not an address with prefix like 10.0.1.1/24 or fd00:1::1/64");
  }
  port().clear_addresses();
  port().add_addresses("10.0.0.1/32");
  port().add_addresses("fd00::1/128");
  EXPECT_EQ(complain(), "");
}

TEST(InterfaceAddressText, KnowsItsFamilyAndNetwork) {
  const auto v4 = parse_interface_address("10.0.1.7/24"), v6 = parse_interface_address("fd00:1::7/64");
  ASSERT_TRUE(v4.ok() && v6.ok());
  EXPECT_TRUE(v4->is_ipv4);
  EXPECT_EQ(v4->network(), tables::Value{0x0a000100});
  EXPECT_FALSE(v6->is_ipv4);
  EXPECT_EQ(tables::value_text(v6->network(), tables::Format::ipv6), "fd00:1::");
}

TEST(Device, IsTheNameBeforeTheFirstCommaAndPciByItsForm) {
  Port port;
  port.set_devargs("net_af_packet0,iface=eth1");
  EXPECT_EQ(device_name(port), "net_af_packet0");
  EXPECT_FALSE(is_pci(port));
  for (const char* pci : {"0000:3b:00.0", "3b:00.1,arg=1"}) {
    port.set_devargs(pci);
    EXPECT_TRUE(is_pci(port)) << pci;
  }
}

}  // namespace
}  // namespace sluice::config
