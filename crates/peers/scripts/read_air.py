"""Reads a pcapng of linktype 256 with scapy, packet by packet, and writes each again. Prints one line of JSON."""

import json
import sys

from scapy.layers.bluetooth4LE import BTLE, BTLE_CONNECT_REQ, BTLE_RF
from scapy.utils import RawPcapNgReader

LINK_TYPE = 256

foreign = changed = connect_ind = data = 0
phys, channels = set(), set()
for octets, metadata in RawPcapNgReader(sys.argv[1]):
    packet = BTLE_RF(octets)
    if metadata.linktype != LINK_TYPE or BTLE not in packet:
        foreign += 1
        continue
    phys.add(packet.phy)
    channels.add(packet.rf_channel)
    connect_ind += BTLE_CONNECT_REQ in packet
    data += packet.type in (2, 3)
    # Fields that were parsed are written afresh, save the CRC: scapy knows only that of advertising.
    changed += bytes(BTLE_RF(bytes(packet))) != octets
print(
    json.dumps(
        {
            "foreign": foreign,
            "changed": changed,
            "connect_ind": connect_ind,
            "data": data,
            "phys": sorted(phys),
            "channels": len(channels),
        }
    )
)
