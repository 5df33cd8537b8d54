"""Whole Ethernet frames through network interfaces, as they are on the wire, by AF_PACKET."""

import selectors
import socket
import struct

_SOL_PACKET, _PACKET_AUXDATA, _PACKET_IGNORE_OUTGOING, _ETH_P_ALL = 263, 8, 23, 3
_VLAN_VALID, _TPID_VALID = 0x10, 0x40  # TP_STATUS_VLAN_VALID, TP_STATUS_VLAN_TPID_VALID
_AUXDATA = struct.Struct("IIIHHHH")  # struct tpacket_auxdata
_MACS = 12


def _with_tag(frame, ancillary):
    """The kernel takes a frame's outer VLAN tag off before it shows it, and tells the tag beside it."""
    for level, kind, data in ancillary:
        if (level, kind) == (_SOL_PACKET, _PACKET_AUXDATA):
            status, _, _, _, _, tci, tpid = _AUXDATA.unpack(data[:_AUXDATA.size])
            if status & _VLAN_VALID:
                ether_type = tpid if status & _TPID_VALID else 0x8100
                return frame[:_MACS] + struct.pack("!HH", ether_type, tci) + frame[_MACS:]
    return frame


class FramePorts:
    """Port N is the Nth interface. Use as a context manager."""

    def __init__(self, interfaces):
        self._selector = selectors.DefaultSelector()
        self._sockets = []
        for port, interface in enumerate(interfaces):
            one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            one.setsockopt(_SOL_PACKET, _PACKET_AUXDATA, 1)
            one.setsockopt(_SOL_PACKET, _PACKET_IGNORE_OUTGOING, 1)
            one.bind((interface, _ETH_P_ALL))
            self._sockets.append(one)
            self._selector.register(one, selectors.EVENT_READ, port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._selector.close()
        for one in self._sockets:
            one.close()

    def send(self, port, frame):
        self._sockets[port].send(frame)

    def receive(self, timeout):
        """(port, frame) of one frame from each interface that has any; empty when time is up."""
        received = []
        for key, _ in self._selector.select(timeout):
            frame, ancillary, _, _ = key.fileobj.recvmsg(65536, socket.CMSG_SPACE(_AUXDATA.size))
            received.append((key.data, _with_tag(frame, ancillary)))
        return received
