// What everything starts with: who answers, and on which ports.
#include <fmt/format.h>

#include <cstdio>

#include "controlplane/cli/commands.h"
#include "controlplane/cli/quantity.h"
#include "controlplane/cli/text_table.h"

namespace sluice::cli {
namespace {

std::string joined(const Json& texts) {
  std::string result;
  for (const auto& text : texts) result += (result.empty() ? "" : " ") + text.get<std::string>();
  return result.empty() ? "-" : result;
}

std::string mode_text(const Json& port) {
  const auto mode = port.at("mode").get<std::string>();
  return port.at("bridge").is_null() ? mode : fmt::format("{} {}", mode, port.at("bridge").get<unsigned>());
}

std::string settings_of(const Json& ports, bool colour) {
  TextTable table({{"#", Align::right},
                   {"port"},
                   {"link"},
                   {"mode"},
                   {"MAC"},
                   {"MTU", Align::right},
                   {"queues", Align::right},
                   {"driver"},
                   {"addresses"}});
  for (const auto& port : ports) {
    const auto link = port.at("link").get<std::string>();
    table.add({fmt::format("{}", port.at("id").get<unsigned>()),
               port.at("name").get<std::string>(),
               {link, link == "up" ? Paint::good : Paint::bad},
               mode_text(port),
               port.at("mac").get<std::string>(),
               fmt::format("{}", port.at("mtu").get<unsigned>()),
               fmt::format("{}", port.at("rx_queues").get<unsigned>()),
               port.at("driver").get<std::string>(),
               joined(port.at("addresses"))});
  }
  return table.text(colour);
}

std::string traffic_of(const Json& ports, bool colour) {
  constexpr auto right = Align::right;
  TextTable table({{"port"},
                   {"rx packets", right},
                   {"rx bytes", right},
                   {"missed", right},
                   {"no buffer", right},
                   {"rx errors", right},
                   {"tx packets", right},
                   {"tx bytes", right},
                   {"tx errors", right}});
  for (const auto& port : ports) {
    const auto number = [&port](const char* name) { return port.at(name).get<uint64_t>(); };
    const auto fault = [&](const char* name) {
      return Cell(with_separators(number(name)), number(name) ? Paint::bad : Paint::plain);
    };
    table.add({port.at("name").get<std::string>(), with_separators(number("rx_packets")),
               bytes_text(number("rx_bytes")), fault("rx_missed"), fault("rx_no_buffer"), fault("rx_errors"),
               with_separators(number("tx_packets")), bytes_text(number("tx_bytes")), fault("tx_errors")});
  }
  return table.text(colour);
}

}  // namespace

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print(const Json& document) { print(document.dump() + "\n"); }

void show_status(const Session& session) {
  const auto status = session.client.ask({{"command", "status"}});
  if (session.json) return print(status);
  print(fmt::format("sluiced {}, engine {}, process {}\nup {}, {}, {}\nsocket {}\n",
                    status.at("version").get<std::string>(), status.at("engine").get<std::string>(),
                    status.at("pid").get<int>(), duration_text(status.at("uptime_s").get<double>()),
                    plural(status.at("ports").get<uint64_t>(), "port"),
                    plural(status.at("lcores").get<uint64_t>(), "lcore"), session.client.socket()));
}

void show_ports(const Session& session) {
  const auto ports = session.client.ask({{"command", "ports"}});
  if (session.json) return print(ports);
  print(settings_of(ports, session.colour) + "\n" + traffic_of(ports, session.colour));
}

}  // namespace sluice::cli
