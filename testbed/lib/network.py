"""Network namespaces joined by veth pairs, removed on every way out.

Names carry the pid of the process that made them, so that several labs live side by side, and a lab
whose process was killed outright is cleared away by the next one.
"""

import json
import os
import re
import signal
import subprocess
import time

PREFIX = "sluice"


class TestbedError(Exception):
    """Something the user can act on; its text is one line."""

    __test__ = False


def exit_on_signals():
    """SIGTERM and SIGHUP leave through the same clean-up as Ctrl-C."""

    def leave(number, _frame):
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, leave)


def run(command, timeout=60, check=True):
    """Runs a command to its end; stdout and stderr are kept as text."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
    except FileNotFoundError as error:
        raise TestbedError(f"{error.filename} is not installed (testbed/setup/install testbed)") from error
    except subprocess.TimeoutExpired as error:
        raise TestbedError(f"no end after {timeout} s: {' '.join(command)}") from error
    if check and done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise TestbedError(f"{' '.join(command)}: {words}")
    return done


class Namespace:
    """One machine of the lab."""

    def __init__(self, name):
        self.name = name
        self.label = name.rpartition("-")[2]
        run(["ip", "netns", "add", name])
        self.run(["ip", "link", "set", "lo", "up"])

    def inside(self, command):
        return ["ip", "netns", "exec", self.name, *command]

    def run(self, command, **options):
        return run(self.inside(command), **options)

    def start(self, command, **options):
        """Starts a command in this namespace; `ip netns exec` becomes the command, so pid is the command's."""
        return subprocess.Popen(self.inside(command), stdin=subprocess.DEVNULL, text=True, **options)

    def sysctl(self, **settings):
        """Double underscores stand for dots: net__ipv4__ip_forward=0."""
        self.run(["sysctl", "-qw", *(f"{key.replace('__', '.')}={value}" for key, value in settings.items())])

    def mac(self, device):
        return json.loads(self.run(["ip", "-j", "link", "show", device]).stdout)[0]["address"]

    def address(self, device, *prefixes):
        for prefix in prefixes:
            nodad = ["nodad"] if ":" in prefix else []
            self.run(["ip", "address", "add", prefix, "dev", device, *nodad])

    def route(self, destination, via):
        self.run(["ip", "route", "replace", destination, "via", via])

    def offload_problem(self, device):
        """One line when this host leaves checksums to a NIC that is not there; None when all is well.

        A veth hands a packet over with its TCP or UDP checksum unfinished and says so in metadata that
        only the kernel reads. Through a user space switch it arrives broken: ping works, TCP hangs.
        """
        features = self.run(["ethtool", "-k", device]).stdout
        if not re.search(r"^tx-checksumming: on", features, re.MULTILINE):
            return None
        return (f"{device} of host {self.label} has transmit checksum offload on: ping would pass and TCP would hang, because "
                f"the checksums it sends are unfinished; switch it off with: ethtool -K {device} tx off")

    def remove(self):
        pids = run(["ip", "netns", "pids", self.name], check=False).stdout.split()
        for pid in map(int, pids):
            _end(pid)
        run(["ip", "netns", "delete", self.name], check=False)


def _end(pid):
    """SIGTERM, two seconds of patience, SIGKILL."""
    for number, patience in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 1.0)):
        try:
            os.kill(pid, number)
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
                    if stat.read().rpartition(")")[2].split()[0] == "Z":
                        return
                time.sleep(0.02)
        except (ProcessLookupError, FileNotFoundError):
            return


class Lab:
    """The namespaces of one run. Use as a context manager."""

    def __init__(self):
        self.namespaces = []

    def __enter__(self):
        reason = missing_privilege()
        if reason:
            raise TestbedError(reason)
        _remove_abandoned()
        return self

    def __exit__(self, *_):
        # A second Ctrl-C must not leave half of the clean-up undone.
        before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        for namespace in reversed(self.namespaces):
            namespace.remove()
        self.namespaces.clear()
        for number, handler in before.items():
            signal.signal(number, handler)

    def machine(self, label):
        namespace = Namespace(f"{PREFIX}-{os.getpid()}-{label}")
        self.namespaces.append(namespace)
        # Little more than what a scenario sends should cross its wires: no duplicate address detection,
        # no router solicitations. (Multicast listener reports cannot be switched off.)
        namespace.sysctl(
            net__ipv4__ip_forward=0,
            net__ipv6__conf__all__accept_dad=0, net__ipv6__conf__default__accept_dad=0,
            net__ipv6__conf__all__accept_ra=0, net__ipv6__conf__default__accept_ra=0,
            net__ipv6__conf__default__router_solicitations=0)
        return namespace

    def host(self, label, router, port, *, addresses, gateways, mtu=1500):
        """A machine whose eth0 is wired to device `port` of `router`; offload off, routes by the gateways."""
        host = self.machine(label)
        run(["ip", "link", "add", "eth0", "netns", host.name, "type", "veth", "peer", "name", port, "netns", router.name])
        router.sysctl(**{f"net__ipv6__conf__{port}__disable_ipv6": 1})
        for namespace, device in ((host, "eth0"), (router, port)):
            namespace.run(["ethtool", "-K", device, "tx", "off"])
            namespace.run(["ip", "link", "set", device, "mtu", str(mtu), "up"])
        host.address("eth0", *addresses)
        for gateway in gateways:
            host.route("::/0" if ":" in gateway else "0.0.0.0/0", gateway)
        return host


def missing_privilege():
    """Why no namespace can be made here, in one line; None when they can."""
    if os.geteuid() != 0:
        return "network namespaces need root: run this as root"
    probe = f"{PREFIX}-{os.getpid()}-probe"
    done = run(["ip", "netns", "add", probe], check=False)
    if done.returncode != 0:
        return f"this machine allows no network namespaces: {done.stderr.strip().splitlines()[-1]}"
    run(["ip", "netns", "delete", probe], check=False)
    return None


def _remove_abandoned():
    for line in run(["ip", "netns", "list"]).stdout.splitlines():
        match = re.match(rf"({PREFIX}-(\d+)-\S+)", line)
        if match and not os.path.exists(f"/proc/{match[2]}"):
            namespace = Namespace.__new__(Namespace)
            namespace.name = match[1]
            namespace.remove()
