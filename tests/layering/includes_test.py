#!/usr/bin/python3
"""Dependencies point one way: no file includes a header of a folder that its row does not name."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Folder -> folders of ours that it may include, besides itself (DESIGN's tree, refined for dataplane/).
ALLOWED = {
    "dataplane/wire": [],
    "dataplane/tables": ["dataplane/wire"],
    "dataplane/graph": ["dataplane/wire", "dataplane/tables"],
    "dataplane/io": ["dataplane/wire", "dataplane/graph"],
    "dataplane/forwarding": ["dataplane/wire", "dataplane/tables", "dataplane/graph"],
    "dataplane/config": ["dataplane/wire", "dataplane/tables", "dataplane/graph"],
    "dataplane/agent": ["dataplane/wire", "dataplane/tables", "dataplane/graph", "dataplane/forwarding",
                        "dataplane/config"],
    "dataplane/engine": ["dataplane/wire", "dataplane/tables", "dataplane/graph", "dataplane/io",
                         "dataplane/forwarding", "dataplane/config", "dataplane/agent"],
    "dataplane/p4/spec": [],
    "dataplane/p4": ["dataplane/wire", "dataplane/tables", "dataplane/graph", "dataplane/io", "dataplane/config",
                     "dataplane/engine", "dataplane/p4/spec"],
    "dataplane/control": ["dataplane/wire", "dataplane/tables", "dataplane/graph", "dataplane/engine"],
    "dataplane/p4runtime": ["dataplane/wire", "dataplane/tables", "dataplane/graph", "dataplane/engine", "p4",
                            "google/rpc", "sluice"],
    "dataplane/sluiced": ["dataplane/tables", "dataplane/config", "dataplane/control", "dataplane/engine",
                          "dataplane/io", "dataplane/p4", "dataplane/p4runtime"],
    "controlplane/cli": ["dataplane/wire"],
    # Generated from p4/proto.
    "p4": [],
    "google/rpc": [],
    "sluice": [],
}


def folder_of(path):
    """The longest row that the path lies under, or None."""
    rows = [row for row in ALLOWED if path.startswith(row + "/")]
    return max(rows, key=len, default=None)


def main():
    faults, files = [], 0
    for file in sorted([*ROOT.glob("dataplane/**/*"), *ROOT.glob("controlplane/**/*")]):
        if file.suffix not in (".h", ".cpp"):
            continue
        files += 1
        name = file.relative_to(ROOT).as_posix()
        row = folder_of(name)
        if row is None:
            faults.append(f"{name}: its folder has no row in ALLOWED")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            include = re.match(r'#include "([^"]+)"', line)
            if not include:
                continue
            target = folder_of(include[1])
            if target is None or (target != row and target not in ALLOWED[row]):
                faults.append(f"{name}:{number}: {row} may not include {include[1]}")
    print(*faults, sep="\n")
    print(f"{files} files read, {len(faults)} faults")
    return 1 if faults or files < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
