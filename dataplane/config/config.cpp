#include "dataplane/config/config.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "dataplane/graph/ids.h"

namespace sluice::config {
namespace {

using absl::InvalidArgumentError;

constexpr const char* kNativeProgram = "forwarding";

// Keeps the first complaint of protobuf's parser with its place in the file.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = fmt::format("{}:{}: {}", line + 1, column + 1, message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

absl::Status parse_textproto(const std::string& path, const std::string& text, Config& config) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (!parser.ParseFromString(text, &config)) return InvalidArgumentError(fmt::format("{}:{}", path, error.text()));
  return absl::OkStatus();
}

absl::Status parse_json(const std::string& path, const std::string& text, Config& config) {
  const auto status = google::protobuf::util::JsonStringToMessage(text, &config);
  if (!status.ok()) return InvalidArgumentError(fmt::format("{}: {}", path, status.message().ToString()));
  return absl::OkStatus();
}

absl::Status complain(const std::string& field, const std::string& what) {
  return InvalidArgumentError(fmt::format("{}: {}", field, what));
}

template <class Message, class Value>
void set_default(Message& message, Value (Message::*get)() const, void (Message::*set)(Value), Value value) {
  if ((message.*get)() == 0) (message.*set)(value);
}

void fill_defaults(Config& config) {
  if (config.socket().empty()) config.set_socket("/run/sluice/sluiced.sock");
  if (config.program().empty()) config.set_program(kNativeProgram);
  if (config.p4_folder().empty()) config.set_p4_folder(SLUICE_P4_FOLDER);
  if (config.lcores().empty()) config.add_lcores();
  for (auto& lcore : *config.mutable_lcores()) set_default(lcore, &Lcore::max_sleep_us, &Lcore::set_max_sleep_us, 200u);
  for (auto& port : *config.mutable_ports()) {
    set_default(port, &Port::mtu, &Port::set_mtu, 1500u);
    set_default(port, &Port::queues, &Port::set_queues, static_cast<uint32_t>(config.lcores_size()));
  }
  auto& eal = *config.mutable_eal();
  set_default(eal, &Eal::memory_mb, &Eal::set_memory_mb, 768u);
  set_default(eal, &Eal::buffer_bytes, &Eal::set_buffer_bytes, 2048u);
  if (eal.file_prefix().empty()) eal.set_file_prefix(fmt::format("sluiced{}", getpid()));
  // For each queue a descriptor ring of either direction, for each lcore its cache and a burst.
  set_default(eal, &Eal::buffers, &Eal::set_buffers,
              8192u * static_cast<uint32_t>(std::max(1, config.ports_size())) + 2048u * static_cast<uint32_t>(config.lcores_size()));
  auto& tables = *config.mutable_tables();
  set_default(tables, &TableSizes::ipv4_routes, &TableSizes::set_ipv4_routes, 65536u);
  set_default(tables, &TableSizes::ipv6_routes, &TableSizes::set_ipv6_routes, 16384u);
  set_default(tables, &TableSizes::neighbours, &TableSizes::set_neighbours, 16384u);
  set_default(tables, &TableSizes::fdb, &TableSizes::set_fdb, 16384u);
  auto& agent = *config.mutable_agent();
  set_default(agent, &Agent::icmp_errors_per_second, &Agent::set_icmp_errors_per_second, 1000u);
  set_default(agent, &Agent::fdb_ageing_s, &Agent::set_fdb_ageing_s, 300u);
  set_default(agent, &Agent::neighbour_refresh_s, &Agent::set_neighbour_refresh_s, 30u);
  set_default(*config.mutable_p4runtime(), &P4Runtime::device_id, &P4Runtime::set_device_id, uint64_t{1});
}

absl::Status check_p4runtime(const P4Runtime& p4runtime) {
  static const std::regex address("(\\[[0-9A-Fa-f:.]+\\]|[^:\\s]+):([0-9]{1,5})");
  std::smatch parts;
  const auto& listen = p4runtime.listen();
  const bool is_unix = listen.starts_with("unix:/");
  if (!listen.empty() && !is_unix && !(std::regex_match(listen, parts, address) && std::stoul(parts[2]) <= 65535))
    return complain("p4runtime.listen", fmt::format("'{}' is not like 127.0.0.1:9559, [::1]:9559 or unix:/run/sluice/p4runtime.sock", listen));
  if (p4runtime.certificate().empty() != p4runtime.private_key().empty())
    return complain(p4runtime.certificate().empty() ? "p4runtime.certificate" : "p4runtime.private_key", "is missing: TLS needs both");
  if (!p4runtime.client_ca().empty() && p4runtime.certificate().empty())
    return complain("p4runtime.client_ca", "needs a certificate of the server's own");
  return absl::OkStatus();
}

absl::Status check_engine(const Config& config) {
  // Part of a file's name.
  static const std::regex program_form("[A-Za-z_][A-Za-z0-9_-]*");
  if (!std::regex_match(config.program(), program_form))
    return complain("program", fmt::format("'{}' is not a letter followed by letters, digits, '_' or '-'", config.program()));
  if (config.engine() == NATIVE) {
    if (config.program() == kNativeProgram) return absl::OkStatus();
    return complain("program", fmt::format("engine NATIVE runs '{}' alone, not '{}'", kNativeProgram, config.program()));
  }
  if (config.engine() != SWX)
    return complain("engine", fmt::format("{} is neither NATIVE nor SWX", static_cast<int>(config.engine())));
  if (config.lcores_size() > 1)
    return complain("lcores", fmt::format("engine SWX runs on one lcore, but {} are given", config.lcores_size()));
  for (int i = 0; i < config.ports_size(); ++i)
    if (config.ports(i).addresses_size() > 0)
      return complain(fmt::format("ports[{}].addresses", i), "need the agent, which engine SWX does not have");
  return absl::OkStatus();
}

absl::Status check_lcores(const Config& config) {
  std::set<uint32_t> seen;
  const auto cpus = std::thread::hardware_concurrency();
  for (int i = 0; i < config.lcores_size(); ++i) {
    const auto id = config.lcores(i).id();
    const auto field = fmt::format("lcores[{}].id", i);
    if (id >= cpus) return complain(field, fmt::format("CPU {} does not exist (this machine has {})", id, cpus));
    if (!seen.insert(id).second) return complain(field, fmt::format("CPU {} is given twice", id));
    if (config.lcores(i).max_sleep_us() > 1000000)
      return complain(fmt::format("lcores[{}].max_sleep_us", i),
                      fmt::format("{} is above 1000000 (one second)", config.lcores(i).max_sleep_us()));
  }
  return absl::OkStatus();
}

absl::Status check_port(const Config& config, int i, std::set<std::string>& names, std::set<std::string>& devices) {
  const Port& port = config.ports(i);
  const auto field = [i](const char* name) { return fmt::format("ports[{}].{}", i, name); };
  static const std::regex name_form("[A-Za-z_][A-Za-z0-9_.-]{0,31}");
  if (!std::regex_match(port.name(), name_form))
    return complain(field("name"), fmt::format("'{}' is not a letter followed by up to 31 letters, digits, '_', '.' or '-'", port.name()));
  if (!names.insert(port.name()).second) return complain(field("name"), fmt::format("'{}' is given twice", port.name()));
  if (port.devargs().empty()) return complain(field("devargs"), "is missing (e.g. net_af_packet0,iface=eth1)");
  if (!devices.insert(device_name(port)).second)
    return complain(field("devargs"), fmt::format("device '{}' is given twice", device_name(port)));
  if (port.mtu() < 576 || port.mtu() > 9600)
    return complain(field("mtu"), fmt::format("{} is not between 576 and 9600", port.mtu()));
  if (port.mode() == ROUTED && port.bridge() != 0) return complain(field("bridge"), "is only for mode BRIDGED");
  if (port.mode() == BRIDGED && (port.bridge() == 0 || port.bridge() > 65535))
    return complain(field("bridge"), fmt::format("{} is not between 1 and 65535", port.bridge()));
  if (port.mode() == BRIDGED && port.addresses_size() > 0) return complain(field("addresses"), "are only for mode ROUTED");
  for (int a = 0; a < port.addresses_size(); ++a)
    if (const auto address = parse_interface_address(port.addresses(a)); !address.ok())
      return complain(fmt::format("ports[{}].addresses[{}]", i, a), std::string(address.status().message()));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Config> load(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(fmt::format("{}: cannot be read", path));
  std::stringstream text;
  text << file.rdbuf();
  Config config;
  const auto status = path.ends_with(".json") ? parse_json(path, text.str(), config) : parse_textproto(path, text.str(), config);
  if (!status.ok()) return status;
  return config;
}

absl::Status complete(Config& config) {
  fill_defaults(config);
  // A Unix socket's path ends up in sockaddr_un.
  if (config.socket().size() > 107) return complain("socket", fmt::format("'{}' is longer than 107 bytes", config.socket()));
  if (config.ports().empty()) return complain("ports", "at least one is needed");
  if (config.ports_size() > kMaxPorts) return complain("ports", fmt::format("{} are more than {}", config.ports_size(), kMaxPorts));
  if (auto status = check_lcores(config); !status.ok()) return status;
  std::set<std::string> names, devices;
  for (int i = 0; i < config.ports_size(); ++i)
    if (auto status = check_port(config, i, names, devices); !status.ok()) return status;
  if (auto status = check_engine(config); !status.ok()) return status;
  return check_p4runtime(config.p4runtime());
}

absl::StatusOr<InterfaceAddress> parse_interface_address(const std::string& text) {
  const auto slash = text.find('/');
  const auto address = text.substr(0, slash);
  const auto v4 = wire::ipv4_from_text(address);
  const auto v6 = wire::ipv6_from_text(address);
  const auto bad = [&] { return InvalidArgumentError(fmt::format("'{}' is not an address with prefix like 10.0.1.1/24 or fd00:1::1/64", text)); };
  if (slash == text.npos || (!v4 && !v6)) return bad();
  InterfaceAddress result{v4.has_value(), v4 ? tables::value_of(*v4) : tables::value_of(*v6), 0};
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + slash + 1, end, result.prefix_length);
  if (parsed.ec != std::errc{} || parsed.ptr != end || result.prefix_length == 0 || result.prefix_length > result.bits()) return bad();
  return result;
}

tables::EntryText to_entry_text(const Entry& entry) {
  tables::EntryText text;
  text.table = entry.table();
  for (const auto& match : entry.match()) text.match.push_back({match.field(), match.value()});
  text.priority = entry.priority();
  text.action = entry.action();
  for (const auto& param : entry.params()) text.params.push_back({param.name(), param.value()});
  return text;
}

std::string device_name(const Port& port) { return port.devargs().substr(0, port.devargs().find(',')); }

bool is_pci(const Port& port) {
  static const std::regex pci("([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
  return std::regex_match(device_name(port), pci);
}

}  // namespace sluice::config
