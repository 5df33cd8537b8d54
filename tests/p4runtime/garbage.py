"""What no client sends: random bytes instead of HTTP/2, instead of messages, and in the fields of good messages."""

import random
import socket
import time

import grpc

METHODS = ("Write", "Read", "SetForwardingPipelineConfig", "GetForwardingPipelineConfig", "Capabilities", "StreamChannel", "Nonsense")


def connect(address):
    kind = socket.AF_UNIX if address.startswith("unix:") else socket.AF_INET
    wire = socket.socket(kind, socket.SOCK_STREAM)
    wire.settimeout(5)
    host, _, port = address.removeprefix("unix:").rpartition(":")
    wire.connect(address.removeprefix("unix:") if kind == socket.AF_UNIX else (host, int(port)))
    return wire


def raw_bytes(address, dice):
    with connect(address) as wire:
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" if dice.random() < 0.5 else b""
        wire.send(preface + dice.randbytes(dice.randrange(1, 400)))


def spoil(message, dice):
    """A good message with some bytes changed, cut off or repeated."""
    data = bytearray(message)
    for _ in range(dice.randrange(1, 6)):
        if data:
            data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data[:dice.randrange(len(data) + 1)] if dice.random() < 0.3 else data)


def one_call(channel, message, dice):
    method = dice.choice(METHODS)
    path = f"/p4.v1.P4Runtime/{method}"
    same = lambda data: data  # noqa: E731  (bytes go out and come in as they are)
    try:
        if method == "StreamChannel":
            list(channel.stream_stream(path, same, same)(iter([message]), timeout=5))
        elif method == "Read":
            list(channel.unary_stream(path, same, same)(message, timeout=5))
        else:
            channel.unary_unary(path, same, same)(message, timeout=5)
    except grpc.RpcError:
        pass


def flood(address, seeds, seconds, number=1):
    """Sends garbage for some seconds; returns how many requests that were."""
    dice = random.Random(number)
    sent, end = 0, time.monotonic() + seconds
    with grpc.insecure_channel(address) as channel:
        while time.monotonic() < end:
            message = dice.randbytes(dice.randrange(200)) if dice.random() < 0.3 else spoil(dice.choice(seeds), dice)
            one_call(channel, message, dice)
            if sent % 8 == 0:
                raw_bytes(address, dice)
            sent += 1
    return sent
