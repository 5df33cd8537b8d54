"""Seeds of the fuzz targets gtpu, pdu_session and roce: tunnels by scapy and by hand, RoCEv2 as the kernel
sent it. make_corpus.py writes them."""

from pathlib import Path

from scapy.contrib.gtp import (GTP_U_Header, GTPEchoResponse, GTPErrorIndication, GTPPDUSessionContainer,
                               IE_GSNAddress, IE_Recovery, IE_TEIDI)
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw
from scapy.utils import rdpcap

CAPTURE = Path(__file__).resolve().parents[1] / "data" / "rxe-exchange.pcap"
USER = IP(src="192.0.2.1", dst="198.51.100.2") / UDP(sport=1, dport=2) / Raw(b"sluice seed data")

CONTAINERS = {
    "dl": "0009",
    "dl_all": "0f bf a3 0102030405060708 0a0b0c 000000",
    "ul": "1005",
    "ul_all": "1f 85 0000000000000001 0000000000000002 0000000000000003 00000004 00000005 000006 00000007 00",
    "unknown_type": "2000",
    "short": "08 00 01",
}

# Chains that scapy cannot build: each extension header is length, content, next type.
CHAINS = {
    "chain": "34 ff 0016 00000001 0000 00 40  01 0868 c0  02 000102030405 85  01 0009 00  4500",
    "extension_of_length_zero": "34 ff 0008 00000001 0000 00 85  00 000000",
    "chain_cut": "34 ff 0008 00000001 0000 00 85  01 0000 85",
    "extension_types": "32 1f 000b 00000000 0007 00 00  8d 02 85c0  ff 00",
    "private": "32 01 000b 00000000 0007 00 00  ff 0004 1234 aabb",
    "end_marker": "30 fe 0000 00000009",
    "gtp_prime": "20 ff 0000 00000009",
}

# By their numbers in the capture: one of each shape.
CAPTURED = {"read": 1, "read_response": 2, "write": 10, "ack": 11, "padded_write": 16, "fetch_add": 24,
            "atomic_ack": 25, "compare_swap": 28, "nak": 41}


def gtpu():
    sealed = GTPPDUSessionContainer(type=0, PPP=1, PPI=3, QFI=9)
    yield "user", GTP_U_Header(teid=1, gtp_type=255) / USER
    yield "user_n3", GTP_U_Header(teid=1, gtp_type=255, E=1, next_ex=0x85) / sealed / USER
    yield "sequence", GTP_U_Header(teid=1, gtp_type=255, S=1, seq=7) / USER
    yield "echo_response", GTP_U_Header(gtp_type=2, S=1, seq=7) / GTPEchoResponse(IE_list=[IE_Recovery()])
    peer = IE_GSNAddress(length=4, ipv4_address="192.0.2.1")
    yield "error_indication", (GTP_U_Header(gtp_type=26, S=1)
                               / GTPErrorIndication(IE_list=[IE_TEIDI(TEIDI=5), peer]))


def seeds():
    chains = {name: bytes.fromhex(text) for name, text in CHAINS.items()}
    yield "gtpu", {name: bytes(packet) for name, packet in gtpu()} | chains
    yield "pdu_session", {name: bytes.fromhex(text) for name, text in CONTAINERS.items()}
    frames = [bytes(frame) for frame in rdpcap(str(CAPTURE))]
    payloads = {name: frames[number - 1][42:] for name, number in CAPTURED.items()}
    packets = {f"{name}_ip": frames[number - 1][14:] for name, number in CAPTURED.items()}
    ipv6 = bytes.fromhex("6000000000281140") + bytes(range(32)) + frames[0][34:]
    notification = bytes.fromhex("8100ffff400000110000000000000000000000000000000000000000 01020304")
    yield "roce", payloads | packets | {"read_ip6": ipv6, "notification": notification}
