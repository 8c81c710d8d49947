"""Decodes a trace with Perfetto's own definitions and checks what its user interface relies on. Prints JSON."""

import json
import sys
from collections import defaultdict

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

trace = Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())

described, names, processes = set(), set(), set()
begun = defaultdict(list)
slices = orphans = backwards = 0
# Events may stand out of order in the file; the user interface sorts them.
for packet in sorted(trace.packet, key=lambda packet: packet.timestamp):
    if packet.HasField("track_descriptor"):
        descriptor = packet.track_descriptor
        described.add(descriptor.uuid)
        if descriptor.HasField("process"):
            processes.add(descriptor.process.process_name or descriptor.name)
        else:
            names.add(descriptor.name)
    elif packet.HasField("track_event"):
        event = packet.track_event
        orphans += event.track_uuid not in described
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            begun[event.track_uuid].append(packet.timestamp)
        elif event.type == TrackEvent.TYPE_SLICE_END:
            slices += 1
            backwards += not begun[event.track_uuid] or begun[event.track_uuid].pop() > packet.timestamp
print(
    json.dumps(
        {
            "processes": sorted(processes),
            "tracks": sorted(names),
            "slices": slices,
            "open": sum(map(len, begun.values())),
            "backwards": backwards,
            "orphans": orphans,
        }
    )
)
