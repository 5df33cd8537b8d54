"""sluiced as a user runs it: a configuration file, counters and drop reasons on, one lcore that never sleeps."""

from benchlib import traffic
from benchlib.contestant import CORE, Contestant

SERVICE_MB = 1024  # tables and everything that is not a packet buffer


def mac_text(mac):
    return mac.hex(":")


def entry(table, match, action, params, priority=0):
    fields = " ".join(f'match {{ field: "{k}" value: "{v}" }}' for k, v in match.items())
    values = " ".join(f'params {{ name: "{k}" value: "{v}" }}' for k, v in params.items())
    order = f"priority: {priority}" if priority else ""
    return f'entries {{ table: "{table}" {fields} {order} action: "{action}" {values} }}\n'


class Sluiced(Contestant):
    name = "sluiced"

    def __init__(self, setup, program, routes):
        super().__init__(setup)
        self._program = program
        self._config = setup.work / f"{self.name}-{len(routes)}.textproto"
        with open(self._config, "w", encoding="ascii") as out:
            out.write(self._head(len(routes)))
            out.writelines(self._ports(*setup.devargs()))
            out.writelines(self._neighbours())
            out.writelines(self._route(route) for route in routes)

    def _head(self, routes):
        eal = f"memory_mb: {SERVICE_MB + self.setup.memory_mb()} buffers: {self.setup.mbufs()}"
        return (
            f'socket: "{self.setup.work}/{self.name}.sock"\n'
            f"eal {{ hugepages: {str(self.setup.hugepages).lower()} {eal}"
            f' telemetry: true file_prefix: "{self.prefix}" }}\n'
            f"lcores {{ id: {CORE} idle: POLL }}\n"
            f"tables {{ ipv4_routes: {routes + 64} }}\n"
        )

    def _ports(self, source, sink):
        yield f'ports {{ name: "source" devargs: "{source}" queues: 1 addresses: "10.255.0.1/24" }}\n'
        yield f'ports {{ name: "sink" devargs: "{sink}" queues: 1 addresses: "10.255.1.1/24" }}\n'

    @staticmethod
    def _neighbours():
        for hop in range(traffic.NEXT_HOPS):
            match = {"port": "sink", "next_hop": traffic.next_hop_address(hop)}
            macs = {"src_mac": mac_text(traffic.ROUTER_OUT_MAC), "dst_mac": mac_text(traffic.next_hop_mac(hop))}
            yield entry("ipv4_neighbour", match, "rewrite", {**macs, "mtu": "1500"})

    @staticmethod
    def _route(route):
        hop = {"port": "sink", "next_hop": traffic.next_hop_address(route.next_hop)}
        return entry("ipv4_lpm", {"dst": str(route)}, "via", hop)

    def command(self):
        return [self._program, "--config", self._config]

    @staticmethod
    def expected_mac(next_hop):
        return traffic.next_hop_mac(next_hop)


class OnEngine(Sluiced):
    """Without an agent, which only one engine has: all entries stand in the configuration, the same for each."""

    engine = "?"

    def _ports(self, source, sink):
        yield f"engine: {self.engine}\nagent {{ off: true }}\n"
        yield f'ports {{ name: "source" devargs: "{source}" queues: 1 }}\n'
        yield f'ports {{ name: "sink" devargs: "{sink}" queues: 1 }}\n'
        station = {"port": "source", "dst_mac": mac_text(traffic.ROUTER_IN_MAC)}
        yield entry("my_station", station, "route", {}, priority=1)


class Native(OnEngine):
    name, engine = "native", "NATIVE"


class Swx(OnEngine):
    name, engine = "swx", "SWX"
