"""GTP-U, its extension headers, the PDU session container and signalling messages against the oracles.

Where the oracles themselves are wrong or silent (scapy 2.5, tshark 4.0):
- scapy reads one extension header and no second; behind a container it takes the next type from before the
  padding, where TS 29.281, 5.2.1 has it as the last octet. Chains are tshark's alone (gtpu_chain).
- scapy gives the extension header type list a length of two octets (TS 29.281, 8.5: one) and the private
  extension an identifier of one (8.6: two). Both are tshark's alone.
- tshark shows of a container its type, PPP, RQI, QFI and PPI; time stamps, delays and sequence numbers are
  scapy's alone.
"""

import common
from common import Format, hex_text, ipv6_text, main, number, numbers, text
from link import any_ether, any_ipv4

from scapy.contrib.gtp import (GTP_PDCP_PDU_ExtensionHeader, GTP_U_Header, GTP_UDPPort_ExtensionHeader,
                               GTPEchoRequest, GTPEchoResponse, GTPErrorIndication, GTPHeader,
                               GTPPDUSessionContainer, IE_GSNAddress, IE_NotImplementedTLV, IE_Recovery, IE_TEIDI)
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Raw

PORT = 2152
NONE, UDP_PORT, CONTAINER, PDCP = 0, 0x40, 0x85, 0xC0
ECHO_REQUEST, ECHO_RESPONSE, ERROR_INDICATION, SUPPORTED_EXTENSIONS, END_MARKER, G_PDU = 1, 2, 26, 31, 254, 255

# A user's packet is random bytes here: nobody may guess at it.
common.TSHARK_SETTINGS += ("gtp.dissect_tpdu_as:None",)


def any_ipv6(rng):
    return ":".join(f"{rng.getrandbits(16):x}" for _ in range(8))


def below_gtpu(rng):
    """Ethernet, IP without options, UDP."""
    if rng.random() < 0.5:
        ip = IP(src=any_ipv4(rng), dst=any_ipv4(rng), id=rng.getrandbits(16), ttl=rng.randint(1, 255))
    else:
        ip = IPv6(src=any_ipv6(rng), dst=any_ipv6(rng), hlim=rng.randint(1, 255))
    return any_ether(rng) / ip / UDP(sport=PORT, dport=PORT)


def start_of_gtpu(frame):
    return 42 if frame[12:14] == b"\x08\x00" else 62


def vary(rng, frame):
    """The tunnel, and the optional fields that no extension header depends on."""
    start = start_of_gtpu(frame)
    optional = range(start + 8, start + 11) if frame[start] & 7 else ()
    return [*range(start + 4, start + 8), *optional]


# Way 1: what scapy builds.


def container(rng):
    flip = lambda: rng.getrandbits(1)
    if flip():
        return GTPPDUSessionContainer(
            type=0, QMP=flip(), SNP=flip(), PPP=flip(), RQI=flip(), QFI=rng.getrandbits(6), PPI=rng.getrandbits(3),
            dlSendTime=rng.getrandbits(64), dlQFISeqNum=rng.getrandbits(24))
    return GTPPDUSessionContainer(
        type=1, QMP=flip(), SNP=flip(), dlDelayInd=flip(), ulDelayInd=flip(), N3N9DelayInd=flip(),
        QFI=rng.getrandbits(6), dlSendTimeRpt=rng.getrandbits(64), dlRecvTime=rng.getrandbits(64),
        ulSendTime=rng.getrandbits(64), dlDelayRslt=rng.getrandbits(32), ulDelayRslt=rng.getrandbits(32),
        UlQFISeqNum=rng.getrandbits(24), N3N9DelayRslt=rng.getrandbits(32))


def numbered(rng):
    if rng.getrandbits(1):
        return UDP_PORT, GTP_UDPPort_ExtensionHeader(udp_port=rng.getrandbits(16))
    return PDCP, GTP_PDCP_PDU_ExtensionHeader(pdcp_pdu=rng.getrandbits(15))


def user_message(rng, extensions):
    """`extensions` is a list of (type, scapy layer)."""
    header = GTP_U_Header(gtp_type=END_MARKER if rng.random() < 0.1 else G_PDU, S=rng.getrandbits(1),
                          PN=rng.getrandbits(1), seq=rng.getrandbits(16), npdu=rng.getrandbits(8),
                          E=1 if extensions else 0, teid=rng.getrandbits(32))
    # Without the flag E the next type is not looked at, whatever it is.
    header.next_ex = extensions[0][0] if extensions else rng.choice((0, UDP_PORT, CONTAINER))
    frame = below_gtpu(rng) / header
    for index, (_, layer) in enumerate(extensions):
        following = extensions[index + 1][0] if index + 1 < len(extensions) else NONE
        layer.setfieldval("NextExtHdr" if isinstance(layer, GTPPDUSessionContainer) else "next_ex", following)
        frame /= layer
    if header.gtp_type == G_PDU:
        frame /= Raw(rng.randbytes(rng.randint(1, 100)))
    return bytes(frame)


def build_gtpu(rng):
    kind = rng.randrange(4)
    return user_message(rng, [] if kind == 0 else [numbered(rng)] if kind == 1 else [(CONTAINER, container(rng))])


def build_chain(rng):
    extensions = [numbered(rng) for _ in range(rng.randint(1, 7))]
    # Last, because scapy would build a padded one before another wrongly.
    return user_message(rng, [*extensions, (CONTAINER, container(rng))])


def private_extension(rng):
    data = rng.randbytes(rng.randint(3, 40))
    return IE_NotImplementedTLV(ietype=255, length=len(data), data=data)


def error_elements(rng):
    peer = (IE_GSNAddress(length=4, ipv4_address=any_ipv4(rng)) if rng.getrandbits(1)
            else IE_GSNAddress(length=16, ipv6_address=any_ipv6(rng)))
    return [IE_TEIDI(TEIDI=rng.getrandbits(32)), peer]


def build_signalling(rng):
    more = [private_extension(rng)] if rng.getrandbits(1) else []
    common_fields = dict(S=1, seq=rng.getrandbits(16), teid=rng.getrandbits(32))
    message = rng.choice((ECHO_REQUEST, ECHO_RESPONSE, ERROR_INDICATION, SUPPORTED_EXTENSIONS))
    if message == ECHO_REQUEST:
        body = GTPHeader(gtp_type=message, **common_fields) / GTPEchoRequest()
        for element in more:
            body /= Raw(bytes(element))
    elif message == ECHO_RESPONSE:
        recovery = IE_Recovery(restart_counter=rng.getrandbits(8))
        body = GTPHeader(gtp_type=message, **common_fields) / GTPEchoResponse(IE_list=[recovery, *more])
    elif message == ERROR_INDICATION:
        body = (GTP_U_Header(gtp_type=message, **common_fields)
                / GTPErrorIndication(IE_list=[*error_elements(rng), *more]))
    else:
        types = rng.randbytes(rng.randint(1, 6))
        body = GTPHeader(gtp_type=message, **common_fields) / Raw(bytes([141, len(types)]) + types)
    return bytes(below_gtpu(rng) / body)


# How scapy reads.


def header_fields(frame, out):
    gtpu = frame[UDP].payload
    out["gtpu.flags"] = (gtpu.version << 5 | gtpu.PT << 4 | gtpu.reserved << 3 | gtpu.E << 2 | gtpu.S << 1
                         | gtpu.PN)
    out["gtpu.message"], out["gtpu.length"], out["gtpu.teid"] = gtpu.gtp_type, gtpu.length, gtpu.teid
    if gtpu.S:
        out["gtpu.sequence"] = gtpu.seq
    if gtpu.PN:
        out["gtpu.n_pdu"] = gtpu.npdu
    return gtpu


DOWNLINK = {"RQI": "rqi", "PPP": "ppp", "PPI": "ppi", "dlSendTime": "dl_sending_time", "dlQFISeqNum": "dl_sequence"}
UPLINK = {"dlSendTimeRpt": "dl_sending_repeated", "dlRecvTime": "dl_received", "ulSendTime": "ul_sending",
          "dlDelayRslt": "dl_delay", "ulDelayRslt": "ul_delay", "UlQFISeqNum": "ul_sequence",
          "N3N9DelayRslt": "n3_n9_delay"}


def container_fields(layer, out):
    out["pdu_session.type"], out["pdu_session.qfi"] = layer.type, [layer.QFI]
    for theirs, ours in (DOWNLINK if layer.type == 0 else UPLINK).items():
        value = layer.fields.get(theirs)  # None where its condition does not hold
        if value is not None:
            out[f"pdu_session.{ours}"] = value


def gtpu_fields(frame, out):
    layer = header_fields(frame, out)
    if layer.E:
        kind, layer = layer.next_ex, layer.payload
        out["gtpu.extensions"] = [kind]
        if isinstance(layer, GTPPDUSessionContainer):
            out["gtpu.extension_units"] = [layer.ExtHdrLen]
            container_fields(layer, out)
        else:
            out["gtpu.extension_units"] = [layer.length]
            if kind == UDP_PORT:
                out["gtpu.udp_ports"] = [layer.udp_port]
            else:
                out["gtpu.pdcp_numbers"] = [layer.pdcp_pdu]
    if layer.payload:
        out["gtpu.payload"] = layer.payload.original.hex()


def signalling_fields(frame, out):
    gtpu = header_fields(frame, out)
    for element in gtpu.payload.fields.get("IE_list", ()):
        if isinstance(element, IE_Recovery):
            out["gtpu.restart_counter"] = element.restart_counter
        elif isinstance(element, IE_TEIDI):
            out["gtpu.error_teid"] = element.TEIDI
        elif isinstance(element, IE_GSNAddress) and element.length == 4:
            out["gtpu.error_peer4"] = element.ipv4_address
        elif isinstance(element, IE_GSNAddress):
            out["gtpu.error_peer6"] = common.canonical_ipv6(element.ipv6_address)


# How tshark reads.


def types_of_chain(texts):
    """The type named in the header, then the one at the end of each extension header, the last of which is 0."""
    kinds = numbers(texts)
    return kinds[:-1] if kinds[-1] == NONE else f"chain does not end: {kinds}"


HEADER_TSHARK = {
    "gtpu.flags": ("gtp.flags", number),
    "gtpu.message": ("gtp.message", number),
    "gtpu.length": ("gtp.length", number),
    "gtpu.teid": ("gtp.teid", number),
    "gtpu.sequence": ("gtp.seq_number", number),
}
USER_TSHARK = HEADER_TSHARK | {
    "gtpu.n_pdu": ("gtp.npdu_number", number),
    "gtpu.extensions": ("gtp.ext_hdr.next", types_of_chain),
    "gtpu.extension_units": ("gtp.ext_hdr.length", numbers),
    "gtpu.udp_ports": ("gtp.ext_hdr.udp_port", numbers),
    "gtpu.pdcp_numbers": ("gtp.ext_hdr.pdcp_sn", numbers),
    "gtpu.payload": ("gtp.tpdu_data", hex_text),
    "pdu_session.type": ("gtp.ext_hdr.pdu_ses_con.pdu_type", number),
    "pdu_session.qfi": ("gtp.ext_hdr.pdu_ses_con.qos_flow_id", numbers),
    "pdu_session.rqi": ("gtp.ext_hdr.pdu_ses_cont.rqi", number),
    "pdu_session.ppp": ("gtp.ext_hdr.pdu_ses_cont.ppp", number),
    "pdu_session.ppi": ("gtp.ext_hdr.pdu_ses_cont.ppi", number),
}
MEASUREMENTS = [f"pdu_session.{name}" for name in ("dl_sending_time", "dl_sequence", *UPLINK.values())]
PROTOCOLS = ("ip", "ipv6", "udp", "gtp")

gtpu = Format("gtpu", build=build_gtpu, scapy=gtpu_fields, tshark=USER_TSHARK, vary=vary, protocols=PROTOCOLS,
              tshark_lacks=MEASUREMENTS)

gtpu_chain = Format("gtpu_chain", build=build_chain, scapy=lambda frame, out: None, tshark=USER_TSHARK, vary=vary,
                    protocols=PROTOCOLS, scapy_lacks=USER_TSHARK)

TSHARK_ALONE = {
    "gtpu.extension_types": ("gtp.ext_hdr_type", numbers),
    "gtpu.private_identifier": ("gtp.ext_id", number),
    "gtpu.private_value": ("gtp.ext_val", hex_text),
}
gtpu_signalling = Format(
    "gtpu_signalling", build=build_signalling, scapy=signalling_fields, vary=vary, protocols=PROTOCOLS,
    tshark=HEADER_TSHARK | TSHARK_ALONE | {
        "gtpu.restart_counter": ("gtp.recovery", number),
        "gtpu.error_teid": ("gtp.teid_data", number),
        "gtpu.error_peer4": ("gtp.gsn_ipv4", text),
        "gtpu.error_peer6": ("gtp.gsn_ipv6", ipv6_text),
    },
    scapy_lacks=TSHARK_ALONE)

if __name__ == "__main__":
    main([gtpu, gtpu_chain, gtpu_signalling])
