"""Peers come as sources in Debian's dpdk-doc. They are copied under the build folder, fitted there and built.

Fitting is a list of (file, what stands there, what shall stand there). A fitting that changes nothing means that
Debian's source is not what we think, and stops the benchmark: a peer must not be slow by accident.
"""

import pathlib
import re
import shlex
import shutil
import subprocess

EXAMPLES = pathlib.Path("/usr/share/dpdk/examples")


class PeerError(RuntimeError):
    pass


def pkg_config(what):
    return shlex.split(subprocess.check_output(["pkg-config", what, "libdpdk"], text=True))


def fit(folder, fittings):
    for file, pattern, replacement in fittings:
        path = folder / file
        text, changes = re.subn(pattern, lambda _: replacement, path.read_text())
        if changes == 0:
            raise PeerError(f"{EXAMPLES / folder.name / file} has no {pattern!r}: this benchmark knows dpdk-doc 22.11")
        path.write_text(text)


def build(example, folder, fittings, files, march):
    """Returns the program. `files` (name to text) are laid beside the sources."""
    if not (EXAMPLES / example).is_dir():
        raise PeerError(f"{EXAMPLES / example} is missing: install the package dpdk-doc")
    target = folder / example
    for name in (example, "common"):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(EXAMPLES / name, folder / name)
    fit(target, fittings)
    for name, text in files.items():
        (target / name).write_text(text)
    makefile = (target / "Makefile").read_text()
    sources = re.findall(r"\b[a-z0-9_]+\.c\b", " ".join(re.findall(r"^SRCS-y.*=(.*)$", makefile, re.M)))
    program = target / example
    # The flags of its Makefile, then ours for the processor: both sides get the same instructions.
    flags = ["-O3", *pkg_config("--cflags"), f"-march={march}", "-DALLOW_EXPERIMENTAL_API", "-I../common", "-w"]
    done = subprocess.run(
        ["gcc", *flags, *sources, "-o", program, *pkg_config("--libs")], cwd=target, text=True, capture_output=True
    )
    if done.returncode != 0:
        raise PeerError(f"{example} does not build:\n{done.stderr[-2000:]}")
    return program
