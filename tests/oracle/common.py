"""The oracle harness: our codecs against scapy and tshark, field by field, both ways.

Way 1: scapy builds frames; wire_fields (our parsers), scapy's dissection and tshark's must agree.
Way 2: wire_generate (our emit) builds frames and says what it put in; scapy, tshark and wire_fields
must find just that.

A family of formats is one file beside this one. It makes a Format for each and ends with
`main([Format(...), ...])`. Field names are ours (tests/oracle/describe.h). A field that one side has and
another lacks is a disagreement, and a field that never occurred is an error: nothing is compared in vain.
"""

import argparse
import json
import logging
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
from pathlib import Path

SKIP = 77
COUNT = 10_000
SCAPY_BUILDS = 2_500  # the others are variants of these: building one takes scapy a millisecond
SHOWN = 5


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


try:
    logging.getLogger("scapy").setLevel(logging.CRITICAL)
    from scapy.config import conf
    conf.ipv6_enabled = True
    from scapy.layers.l2 import Ether
except ImportError:
    skip("scapy is not installed for /usr/bin/python3: apt-get install python3-scapy")


class Format:
    """One wire format as the oracles see it.

    build(rng)          one frame, as bytes, built by scapy
    scapy(frame, out)   writes scapy's reading of a frame (an Ether object) into the dict `out`
    tshark              {our name: (tshark field, reader)}; a reader takes the field's texts, one an
                        occurrence, and gives the value; (tuple of fields, reader) gives it their lists
    vary(rng, frame)    offsets of bytes that may take any value in a variant of `frame`
    protocols           tshark's dissectors to enable; all others are off, so that no guess at a random
                        payload gets in the way
    malformed           tshark's fields by which it says that a frame does not parse, for a build() that
                        makes such frames; of those only the verdict is compared, and only with tshark,
                        because scapy gives none
    scapy_lacks         of our fields, those that scapy does not have
    tshark_lacks        of our fields, those that tshark does not show
    also(fmt, tools, work, report)  what else there is to compare, a capture that nobody generated
    """

    def __init__(self, name, build, scapy, tshark, vary=None, protocols=(), malformed=(), scapy_lacks=(),
                 tshark_lacks=(), also=None):
        self.name, self.build, self.scapy, self.tshark = name, build, scapy, tshark
        self.vary = vary or (lambda rng, frame: range(0, 12))  # the MAC addresses
        self.protocols, self.malformed = ("eth", *protocols), tuple(malformed)
        self.scapy_lacks, self.tshark_lacks = frozenset(scapy_lacks), frozenset(tshark_lacks)
        self.also = also

    def names(self, lacks=()):
        """The fields to compare with an oracle that lacks some."""
        return [name for name in dict.fromkeys([*self.tshark, *self.tshark_lacks]) if name not in lacks]


# Readers of tshark's fields. Each gets the list of texts, never an empty one.


def number(texts):
    return int(texts[0], 0)


def numbers(texts):
    return [int(text, 0) for text in texts]


def text(texts):
    return texts[0]


def mac_text(texts):
    return texts[0].lower()


def hex_text(texts):
    return texts[0].replace(":", "").lower()


def ipv6_text(texts):
    return canonical_ipv6(texts[0])


def good(texts):
    """A checksum's status: 1 is good, 0 bad. Others say that tshark did not look."""
    return {"1": True, "0": False}.get(texts[0], f"status {texts[0]}")


def second(reader):
    """For the packet that an ICMP error quotes: the field's second occurrence, None where there is one only."""
    return lambda texts: reader(texts[1:]) if len(texts) > 1 else None


def canonical_ipv6(address):
    return socket.inet_ntop(socket.AF_INET6, socket.inet_pton(socket.AF_INET6, address))


# Captures.


def write_pcap(path, frames):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for frame in frames:
            file.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)


def read_pcap(path):
    data, frames, at = Path(path).read_bytes(), [], 24
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 8)[0]
        frames.append(data[at + 16:at + 16 + size])
        at += 16 + size
    return frames


# The three readings of a capture, each a list of {our name: value}.

TSHARK_SETTINGS = (
    "ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE", "ip.defragment:FALSE",
    "ipv6.defragment:FALSE", "ip.tso_support:FALSE", "tcp.desegment_tcp_streams:FALSE",
    "tcp.relative_sequence_numbers:FALSE", "tcp.analyze_sequence_numbers:FALSE", "ip.decode_tos_as_diffserv:TRUE")
SEPARATOR, AGGREGATOR = "\t", "|"


def tshark_profile(folder, protocols):
    """A configuration folder in which only these protocols are enabled; the user's own has no say."""
    listed = subprocess.run(["tshark", "-G", "protocols"], text=True, check=True, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    known = [line.split("\t")[2] for line in listed.stdout.splitlines()]
    for protocol in protocols:
        if protocol not in known:
            sys.exit(f"tshark has no protocol {protocol}")
    folder.mkdir(parents=True, exist_ok=True)
    kept = {"frame", "data", *protocols}
    (folder / "disabled_protos").write_text("".join(f"{name}\n" for name in known if name not in kept))
    return folder


def read_by_tshark(path, fmt):
    fields = [(ours, (theirs,) if isinstance(theirs, str) else theirs, isinstance(theirs, str), reader)
              for ours, (theirs, reader) in fmt.tshark.items()]
    names = sorted({name for _, theirs, _, _ in fields for name in theirs} | set(fmt.malformed))
    command = ["tshark", "-n", "-r", str(path), "-T", "fields", "-E", f"separator={SEPARATOR}", "-E",
               f"aggregator={AGGREGATOR}", "-E", "occurrence=a"]
    for setting in TSHARK_SETTINGS:
        command += ["-o", setting]
    for name in names:
        command += ["-e", name]
    profile = tshark_profile(path.with_suffix(".tshark"), fmt.protocols)
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=os.environ | {"WIRESHARK_CONFIG_DIR": str(profile)})
    if done.returncode:
        sys.exit(f"tshark failed: {done.stderr}")
    readings = []
    for line in done.stdout.splitlines():
        texts = {name: column.split(AGGREGATOR) if column else []
                 for name, column in zip(names, line.split(SEPARATOR))}
        reading = {"dropped": any(texts[name] for name in fmt.malformed)}
        for ours, theirs, single, reader in fields:
            if any(texts[name] for name in theirs):
                reading[ours] = reader(texts[theirs[0]]) if single else reader(*(texts[name] for name in theirs))
        readings.append(reading)
    return readings


def read_by_scapy(frames, scapy, dropped=None):
    """Of a frame that is malformed scapy makes what it likes, so it is not asked."""
    readings = []
    for index, frame in enumerate(frames):
        reading = {}
        if not (dropped and dropped[index]):
            scapy(Ether(frame), reading)
        readings.append(reading)
    return readings


def json_lines(command):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{command[0]} failed with code {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def read_by_sluice(path, tools):
    readings = json_lines([tools / "wire_fields", path])
    for reading in readings:
        reading["dropped"] = "drop" in reading
    return readings


# Comparison.


class Report:
    def __init__(self, format_name):
        self.name, self.failures = format_name, 0

    def fail(self, message):
        self.failures += 1
        if self.failures <= SHOWN:
            print(f"oracle.{self.name}: {message}")

    def compare(self, what, frames, ours, theirs, names, verdict=False):
        """Every name of `names` in every frame that we parse, and each must occur somewhere. A missing field
        and an empty one are the same. With `verdict`, also whether a frame parses at all."""
        if not len(frames) == len(ours) == len(theirs):
            return self.fail(f"{what}: {len(frames)} frames, but {len(ours)} and {len(theirs)} readings")
        seen, dropped = set(), 0
        for index, (frame, one, other) in enumerate(zip(frames, ours, theirs)):
            where = f"{what}, frame {index + 1}"
            if verdict and bool(one.get("dropped")) != bool(other.get("dropped")):
                self.fail(f"{where}: ours says {one.get('drop', 'good')!r}, theirs "
                          f"{'malformed' if other.get('dropped') else 'good'}\n    {frame.hex()}")
            if one.get("dropped"):
                dropped += 1
                continue
            for name in names:
                mine, yours = one.get(name), other.get(name)
                if mine not in (None, "", []):
                    seen.add(name)
                elif yours in (None, "", []):
                    continue
                if mine != yours:
                    self.fail(f"{where}, {name}: {mine!r} and {yours!r}\n    {frame.hex()}")
        for name in names:
            if name not in seen:
                self.fail(f"{what}: no frame has {name}, so it was not compared")
        if verdict and not dropped:
            self.fail(f"{what}: no frame is malformed, so the verdict was not compared")
        print(f"{what:<30} {len(frames):>7,} frames  {len(seen):>3} fields" +
              (f"  {dropped:>6,} malformed" if verdict else ""))


def frames_by_scapy(fmt, rng, count):
    frames = []
    while len(frames) < count:
        frame = fmt.build(rng)
        frames.append(frame)
        for _ in range(min(COUNT // SCAPY_BUILDS - 1, count - len(frames))):
            variant = bytearray(frame)
            for offset in fmt.vary(rng, frame):
                if offset < len(variant):
                    variant[offset] = rng.getrandbits(8)
            frames.append(bytes(variant))
    return frames


def way_1(fmt, tools, work, seed, count, report):
    frames = frames_by_scapy(fmt, random.Random(seed), count)
    path = work / f"{fmt.name}-by-scapy.pcap"
    write_pcap(path, frames)
    ours = read_by_sluice(path, tools)
    dropped = [reading["dropped"] for reading in ours]
    report.compare("scapy builds, scapy reads", frames, ours, read_by_scapy(frames, fmt.scapy, dropped),
                   fmt.names(fmt.scapy_lacks))
    report.compare("scapy builds, tshark reads", frames, ours, read_by_tshark(path, fmt),
                   fmt.names(fmt.tshark_lacks), verdict=bool(fmt.malformed))
    if not fmt.malformed and any(dropped):
        report.fail("scapy builds: we drop a frame of a format that has no malformed ones")


def way_2(fmt, tools, work, seed, count, report):
    path = work / f"{fmt.name}-by-sluice.pcap"
    intended = json_lines([tools / "wire_generate", fmt.name, seed, count, path])
    frames = read_pcap(path)
    report.compare("sluice builds, sluice reads", frames, intended, read_by_sluice(path, tools), fmt.names())
    report.compare("sluice builds, scapy reads", frames, intended, read_by_scapy(frames, fmt.scapy),
                   fmt.names(fmt.scapy_lacks))
    report.compare("sluice builds, tshark reads", frames, intended, read_by_tshark(path, fmt),
                   fmt.names(fmt.tshark_lacks))


def main(formats):
    by_name = {fmt.name: fmt for fmt in formats}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=by_name)
    parser.add_argument("--tools", type=Path, required=True, help="folder of wire_fields and wire_generate")
    parser.add_argument("--work", type=Path, required=True, help="folder for the captures")
    parser.add_argument("--count", type=int, default=COUNT, help=f"frames each way (default {COUNT})")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not shutil.which("tshark"):
        skip("tshark is not installed: apt-get install tshark")
    args.work.mkdir(parents=True, exist_ok=True)
    report, fmt = Report(args.format), by_name[args.format]
    way_1(fmt, args.tools, args.work, args.seed, args.count, report)
    way_2(fmt, args.tools, args.work, args.seed, args.count, report)
    if fmt.also:
        fmt.also(fmt, args.tools, args.work, report)
    if report.failures:
        sys.exit(f"oracle.{args.format}: {report.failures} disagreements; the captures are in {args.work}")
