"""A P4Runtime controller of the plainest kind: Debian's grpcio, and messages that protoc made from p4/proto.

Whoever imports it has the folder of these messages (CMake's target p4_proto_python) on sys.path.
"""

import os
import queue
import threading

# Its users start programs while streams are open; gRPC would otherwise stand still around each fork.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
import grpc  # noqa: E402
from google.protobuf import text_format  # noqa: E402
from google.rpc import code_pb2, status_pb2  # noqa: E402
from p4.config.v1 import p4info_pb2  # noqa: E402
from p4.v1 import p4runtime_pb2 as p4  # noqa: E402
from p4.v1 import p4runtime_pb2_grpc  # noqa: E402

COMPILED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "p4", "compiled")
DEVICE = 1
WAIT = 30  # seconds; a busy machine of two cores may take long


def forwarding_p4info():
    with open(os.path.join(COMPILED, "forwarding.p4info.txtpb"), encoding="utf-8") as file:
        return text_format.Parse(file.read(), p4info_pb2.P4Info())


def canonical(value):
    """The shortest big-endian bytes of an integer."""
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


class Program:
    """Names of a p4info to its ids."""

    def __init__(self, p4info):
        self.p4info = p4info
        self.tables = {table.preamble.name: table for table in p4info.tables}
        self.actions = {action.preamble.name: action for action in p4info.actions}
        self.counters = {counter.preamble.name: counter for counter in p4info.counters}

    @staticmethod
    def kind(field):
        return p4info_pb2.MatchField.MatchType.Name(field.match_type).lower()

    def entry(self, table, match, action=None, params=(), **fields):
        """match: field to int (exact), (int, length) for lpm, (int, mask) for ternary."""
        described = self.tables[table]
        entry = p4.TableEntry(table_id=described.preamble.id, **fields)
        for field in described.match_fields:
            if field.name not in match:
                continue
            value = match[field.name]
            one = entry.match.add(field_id=field.id)
            if field.match_type == p4info_pb2.MatchField.EXACT:
                one.exact.value = canonical(value)
            elif field.match_type == p4info_pb2.MatchField.LPM:
                one.lpm.value, one.lpm.prefix_len = canonical(value[0]), value[1]
            else:
                one.ternary.value, one.ternary.mask = canonical(value[0]), canonical(value[1])
        if action:
            chosen = self.actions[f"{table}.{action}"]
            entry.action.action.action_id = chosen.preamble.id
            for param, value in zip(chosen.params, params):
                entry.action.action.params.add(param_id=param.id, value=canonical(value))
        return p4.Entity(table_entry=entry)

    def packet_in(self, packet):
        header = next(h for h in self.p4info.controller_packet_metadata if h.preamble.name == "packet_in")
        names = {field.id: field.name for field in header.metadata}
        return {names[item.metadata_id]: int.from_bytes(item.value, "big") for item in packet.metadata}


class Controller:
    """One session. Use as a context manager; leaving closes the stream."""

    def __init__(self, address, election_id, role="", device=DEVICE, credentials=None):
        self.election_id, self.role, self.device = election_id, role, device
        self.channel = grpc.secure_channel(address, credentials) if credentials else grpc.insecure_channel(address)
        self.stub = p4runtime_pb2_grpc.P4RuntimeStub(self.channel)
        self.program = Program(forwarding_p4info())
        self._requests, self.responses = queue.Queue(), queue.Queue()
        self.ended = None  # the status that ended the stream
        self._stream = self.stub.StreamChannel(iter(self._requests.get, None))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()
        self.channel.close()

    def leave(self):
        self._requests.put(None)
        self._reader.join(WAIT)

    def _read(self):
        try:
            for response in self._stream:
                self.responses.put(response)
        except grpc.RpcError as error:
            self.ended = error
        self.responses.put(None)

    def send(self, **update):
        self._requests.put(p4.StreamMessageRequest(**update))

    def arbitrate(self, election_id=None):
        if election_id is not None:
            self.election_id = election_id
        role = p4.Role(name=self.role) if self.role else None
        self.send(arbitration=p4.MasterArbitrationUpdate(device_id=self.device, role=role, election_id=self.id_message()))

    def id_message(self):
        return p4.Uint128(high=self.election_id >> 64, low=self.election_id & (2**64 - 1))

    def expect(self, kind, timeout=WAIT):
        """The next response of a kind; others are passed over. None where the stream ended or time is up."""
        try:
            while (response := self.responses.get(timeout=timeout)) is not None:
                if response.WhichOneof("update") == kind:
                    return getattr(response, kind)
        except queue.Empty:
            pass
        return None

    def become(self, election_id=None):
        """The status code that arbitration ends with."""
        self.arbitrate(election_id)
        answer = self.expect("arbitration")
        return None if answer is None else answer.status.code

    def push(self, device_config, action=p4.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT, p4info=None, cookie=7):
        """device_config: bytes in the device's own format."""
        config = p4.ForwardingPipelineConfig(p4info=p4info or self.program.p4info, p4_device_config=device_config,
                                             cookie=p4.ForwardingPipelineConfig.Cookie(cookie=cookie))
        return self.stub.SetForwardingPipelineConfig(p4.SetForwardingPipelineConfigRequest(
            device_id=self.device, role=self.role, election_id=self.id_message(), action=action,
            config=None if action == p4.SetForwardingPipelineConfigRequest.COMMIT else config))

    def write(self, *entities, kind=p4.Update.INSERT, **fields):
        return self.stub.Write(p4.WriteRequest(device_id=self.device, role=self.role, election_id=self.id_message(),
                                               updates=[p4.Update(type=kind, entity=entity) for entity in entities], **fields))

    def read(self, *entities):
        request = p4.ReadRequest(device_id=self.device, entities=entities)
        return [entity for response in self.stub.Read(request) for entity in response.entities]


def update_details(error):
    """The p4.v1.Error of each update of a failed batch; empty where the whole request was refused."""
    details = []
    for key, value in error.trailing_metadata():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                one = p4.Error()
                assert detail.Unpack(one)
                details.append(one)
    return details


def update_errors(error):
    """The canonical codes of a failed batch, one an update."""
    return [detail.canonical_code for detail in update_details(error)]


def error_text(error):
    """One line for people: of a failed batch, its first failed update."""
    for detail in update_details(error):
        if detail.canonical_code != code_pb2.OK:
            return f"{code_pb2.Code.Name(detail.canonical_code)}: {detail.message}"
    return f"{error.code().name}: {error.details()}"
