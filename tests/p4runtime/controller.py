"""The P4Runtime controller of testbed/lib, and the bundle that it pushes to sluiced."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "system"))
import support  # noqa: E402  (adds testbed/lib to the path)

sys.path.insert(0, os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(support.ROOT, "build", "dev", "python"))
try:
    import p4runtime_client
    from p4runtime_client import WAIT, code_pb2, forwarding_p4info, p4, update_errors  # noqa: F401  (for the tests)
    from sluice import bundle_pb2
except ImportError as missing:
    support.skip_all(f"{missing}: install python3-grpcio and python3-protobuf")


def forwarding_bundle():
    """As a user makes it."""
    done = subprocess.run([os.path.join(support.ROOT, "p4", "bundle"), "forwarding"], stdout=subprocess.PIPE, check=True)
    return bundle_pb2.Bundle.FromString(done.stdout)


class Controller(p4runtime_client.Controller):
    def push(self, *arguments, bundle=None, **options):
        return super().push((bundle or forwarding_bundle()).SerializeToString(), *arguments, **options)
