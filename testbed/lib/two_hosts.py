"""The smallest network with a router in it: two hosts, sluiced between them, and what is sent across."""

import json
import os
import subprocess
import sys

LEFT4, LEFT6 = "10.0.1.2", "fd00:1::2"
RIGHT4, RIGHT6 = "10.0.2.2", "fd00:2::2"
RIGHT_MTU = 1400

CONFIG = f"""
eal {{ hugepages: false memory_mb: 512 }}
lcores {{ id: 0 idle: SLEEP }}
ports {{ name: "left" devargs: "net_af_packet0,iface=left" mode: ROUTED
        addresses: "10.0.1.1/24" addresses: "fd00:1::1/64" mtu: 1500 }}
ports {{ name: "right" devargs: "net_af_packet1,iface=right" mode: ROUTED
        addresses: "10.0.2.1/24" addresses: "fd00:2::1/64" mtu: {RIGHT_MTU} }}
"""

PICTURE = f"""
   left host                          sluiced                          right host
   10.0.1.2/24   eth0 ---- left [ IPv4, IPv6 routing ] right ---- eth0  10.0.2.2/24
   fd00:1::2/64            10.0.1.1            10.0.2.1                 fd00:2::2/64
                           fd00:1::1          fd00:2::1
                           MTU 1500            MTU {RIGHT_MTU}"""


class TwoHosts:
    def __init__(self, lab):
        self.router = lab.machine("router")
        self.left = lab.host("left", self.router, "left", addresses=[f"{LEFT4}/24", f"{LEFT6}/64"],
                             gateways=["10.0.1.1", "fd00:1::1"])
        self.right = lab.host("right", self.router, "right", addresses=[f"{RIGHT4}/24", f"{RIGHT6}/64"],
                              gateways=["10.0.2.1", "fd00:2::1"], mtu=RIGHT_MTU)

    def send_bad_packets(self):
        """From the left host; gives bad_packets.py's list of what was sent and what came back."""
        done = self.left.run([
            sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bad_packets.py"),
            "--source", self.left.mac("eth0"), "--gateway", self.router.mac("left"),
            "--here4", LEFT4, "--there4", RIGHT4, "--here6", LEFT6, "--there6", RIGHT6])
        return json.loads(done.stdout)


def ping(host, target, count=10):
    """(all came back, ping's own words). A first packet resolves the neighbours and is not counted."""
    host.run(["ping", "-c", "1", "-W", "5", target], check=False)
    done = host.run(["ping", "-c", str(count), "-i", "0.05", "-W", "5", target], check=False)
    words = next((line for line in done.stdout.splitlines() if "packets transmitted" in line), done.stderr.strip())
    return done.returncode == 0 and " 0% packet loss" in words, words


def iperf(client, server, target, seconds=2, patience=10):
    """(data arrived, rate and size). `patience` bounds the wait for the connection, in seconds."""
    listener = server.start(["iperf3", "-s", "-1", "-B", target], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        listening = "for i in $(seq 200); do ss -Hltn 'sport = :5201' | grep -q . && exit 0; sleep 0.05; done; exit 1"
        server.run(["sh", "-c", listening])
        done = client.run(["iperf3", "-c", target, "-t", str(seconds), "--connect-timeout", str(patience * 1000), "-J"],
                          check=False, timeout=seconds + patience + 60)
    finally:
        listener.kill()
        listener.wait()
    answer = json.loads(done.stdout or "{}")
    received = answer.get("end", {}).get("sum_received", {})
    size = received.get("bytes", 0)
    if not size:
        return False, answer.get("error", "nothing arrived")
    return True, f"{received['bits_per_second'] / 1e6:,.0f} Mbit/s, {size / 1e6:,.1f} MB"
