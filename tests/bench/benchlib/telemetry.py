"""A client of DPDK's telemetry socket: how any DPDK process is asked for its port statistics, unpatched."""

import json
import os
import socket
import time


class Telemetry:
    def __init__(self, file_prefix, timeout=60.0, alive=lambda: True):
        path = f"/var/run/dpdk/{file_prefix}/dpdk_telemetry.v2"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        deadline = time.monotonic() + timeout
        while True:
            try:
                self._socket.connect(path)
                break
            except OSError:
                if time.monotonic() > deadline or not alive():
                    raise TimeoutError(f"no telemetry at {path}") from None
                time.sleep(0.05)
        greeting = json.loads(self._socket.recv(1 << 16))
        self._longest = greeting["max_output_len"]
        self.pid = greeting["pid"]

    def ask(self, command):
        self._socket.send(command.encode())
        return json.loads(self._socket.recv(self._longest))[command.split(",")[0]]

    def sent(self, port):
        answer = self.ask(f"/ethdev/stats,{port}")
        return answer["opackets"] if answer else 0  # the socket is there before the ports are

    def close(self):
        self._socket.close()


def remove_socket(file_prefix):
    """A process that was killed leaves its socket behind, and a new one would connect to nobody."""
    path = f"/var/run/dpdk/{file_prefix}/dpdk_telemetry.v2"
    if os.path.exists(path):
        os.unlink(path)
