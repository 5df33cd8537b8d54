"""Codecs and ICRC beside zlib's CRC: ns a packet and GB/s (wire_bench.cpp)."""

import json
import subprocess

TARGETS = ["wire_bench"]


def run(context):
    done = subprocess.run([context.binary("wire_bench"), "--rounds", str(context.rounds)], text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise RuntimeError(f"wire_bench ended with code {done.returncode}")
    *text, last = done.stdout.rstrip("\n").split("\n")
    return json.loads(last)["figures"], "\n".join(text), {}
