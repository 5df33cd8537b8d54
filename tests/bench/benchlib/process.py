"""Starts what is measured with all the share of the CPU that the kernel gives away."""

import contextlib
import os
import pathlib
import subprocess


def start(command, **options):
    process = subprocess.Popen(command, start_new_session=True, preexec_fn=lambda: os.nice(-20), **options)
    # Where the kernel shares the CPU by session first (autogroup), a process's own niceness says nothing.
    with contextlib.suppress(OSError):
        pathlib.Path(f"/proc/{process.pid}/autogroup").write_text("-20")
    return process
