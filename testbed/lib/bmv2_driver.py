"""Programs bmv2 by P4Runtime and sends packets through it; runs inside its network namespace.

python3 bmv2_driver.py ADDRESS FOLDER_OF_MESSAGES INTERFACE...

Reads scenarios {entries, packets} from stdin, one JSON object a line, and answers each with a line: what was sent,
punted and dropped, or {"error": text}. A first answer, {}, says that the pipeline is in place.
"""

import json
import os
import sys
import time

sys.path.insert(0, sys.argv[2])
import entry_text  # noqa: E402
from frame_ports import FramePorts  # noqa: E402
from p4runtime_client import COMPILED, WAIT, Controller, canonical, code_pb2, error_text, grpc, p4  # noqa: E402

# What the program expects of the switch (p4/arch/v1model.p4) and of the network (tests/differential/scenario.h).
CPU_PORT = 510
LEARN_SESSION = 1
BRIDGES = {1: (0, 1, 2), 2: (3,)}

# bmv2 drops what does not fit an egress queue, which has 64 places: so many packets, then a fence.
BURST = 60
GROUP_SOURCE = entry_text.DROP_REASONS.index("source_mac_group")
FENCE_ON_THE_WIRE = bytes.fromhex("ffffffffffff 01f0f0f0f0f0 88b5")
FENCE_OF_THE_CONTROLLER = b"\xfe" * 60


def is_from_group(frame):
    return bool(frame[6] & 1)


class Switch:
    """bmv2 with the program `forwarding` and a frame port behind each of its ports."""

    def __init__(self, controller, wires, port_count):
        self.controller, self.wires, self.port_count = controller, wires, port_count
        self.program = controller.program
        self.entities = []

    def prepare(self):
        """The pipeline, the bridge domains, and the session for copies to the controller."""
        if self.controller.become() != code_pb2.OK:
            raise RuntimeError("bmv2 does not let us be its primary controller")
        with open(os.path.join(COMPILED, "forwarding.json"), "rb") as program:
            self.controller.push(program.read())
        entries = [p4.PacketReplicationEngineEntry(multicast_group_entry=p4.MulticastGroupEntry(
            multicast_group_id=bridge + 1, replicas=[p4.Replica(egress_port=port) for port in members]))
            for bridge, members in BRIDGES.items()]
        entries.append(p4.PacketReplicationEngineEntry(clone_session_entry=p4.CloneSessionEntry(
            session_id=LEARN_SESSION, replicas=[p4.Replica(egress_port=CPU_PORT)])))
        self.controller.write(*(p4.Entity(packet_replication_engine_entry=entry) for entry in entries))

    def set_entries(self, entries):
        if self.entities:
            self.controller.write(*self.entities, kind=p4.Update.DELETE)
        self.entities = [entry_text.entity(self.program, entry) for entry in entries]
        if self.entities:
            self.controller.write(*self.entities)

    def run(self, scenario):
        self.set_entries(scenario["entries"])
        packets = [(packet["port"], bytes.fromhex(packet["frame"])) for packet in scenario["packets"]]
        before = self.drops()
        sent, punted, fences = [], [], 0
        for first in range(0, len(packets), BURST):
            burst = packets[first:first + BURST]
            for port, frame in burst:
                self.wires.send(port, frame)
            from_groups = sum(is_from_group(frame) for _, frame in packets[:first + BURST])
            self.wait_for_ingress(before[GROUP_SOURCE] + fences + from_groups)
            fences += self.port_count
            self.ask_for_fences()
            sent += self.sent_before_fence()
            punted += self.punted_before_fence()
        before[GROUP_SOURCE] += fences
        drops = {entry_text.DROP_REASONS[index]: count - before[index]
                 for index, count in self.drops().items() if count != before[index]}
        return {"sent": sent, "punted": punted, "drops": drops}

    def wait_for_ingress(self, counted):
        """Returns when everything that was sent so far has left ingress.

        A frame from a group address is dropped and counted whatever the tables hold. One follows the packets on each
        wire, and ingress is a single queue: when they are counted, all before them has been decided on.
        """
        for port in range(self.port_count):
            self.wires.send(port, FENCE_ON_THE_WIRE)
        deadline = time.monotonic() + WAIT
        while (now := self.count(GROUP_SOURCE) - counted) < self.port_count:
            if time.monotonic() > deadline:
                raise RuntimeError(f"bmv2 counted {now} of {self.port_count} fences in {WAIT} s")

    def ask_for_fences(self):
        """A packet-out to each port and back to us: it comes out behind everything that ingress sent there before."""
        for port in (*range(self.port_count), CPU_PORT):
            packet = p4.PacketOut(payload=FENCE_OF_THE_CONTROLLER)
            packet.metadata.add(metadata_id=1, value=canonical(port))
            self.controller.send(packet=packet)

    def sent_before_fence(self):
        sent, open_ports = [], set(range(self.port_count))
        while open_ports:
            received = self.wires.receive(WAIT)
            if not received:
                raise RuntimeError(f"no fence came out of ports {sorted(open_ports)} in {WAIT} s")
            for port, frame in received:
                if frame == FENCE_OF_THE_CONTROLLER:
                    open_ports.discard(port)
                else:
                    sent.append({"port": port, "frame": frame.hex()})
        return sent

    def punted_before_fence(self):
        punted = []
        while True:
            packet = self.controller.expect("packet")
            if packet is None:
                raise RuntimeError(f"no fence came to the controller in {WAIT} s")
            # A fence has no header packet_in: its first bytes are taken for one.
            if set(packet.payload) == set(FENCE_OF_THE_CONTROLLER):
                return punted
            header = self.program.packet_in(packet)
            header["cause"] = entry_text.CAUSES[header["cause"]]
            punted.append({**header, "frame": packet.payload.hex()})

    def drops(self):
        return {index: self.count(index) for index in range(len(entry_text.DROP_REASONS))}

    def count(self, index):
        entry = p4.CounterEntry(counter_id=self.program.counters["drops"].preamble.id, index=p4.Index(index=index))
        return self.controller.read(p4.Entity(counter_entry=entry))[0].counter_entry.data.packet_count


def answer(value):
    print(json.dumps(value), flush=True)


def main():
    address, _, *interfaces = sys.argv[1:]
    with FramePorts(interfaces) as wires, Controller(address, election_id=1) as controller:
        switch = Switch(controller, wires, len(interfaces))
        try:
            switch.prepare()
            answer({})
            for line in sys.stdin:
                answer(switch.run(json.loads(line)))
        except grpc.RpcError as error:
            answer({"error": f"P4Runtime: {error_text(error)}"})
        except (RuntimeError, OSError) as error:
            answer({"error": str(error)})


if __name__ == "__main__":
    main()
