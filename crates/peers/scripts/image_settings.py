"""One unmodified Bumble central that looks for our firmware by its name, and writes each line to its characteristic of settings.

Prints one line of JSON, the errors of ATT, 0 where there was none, and hangs up when standard input ends.
"""

import argparse
import asyncio
import json
import sys

from bumble import hci
from bumble.att import ATT_Error
from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.transport import open_transport

NAME = "nRF54L15_Test"
SERVICE, SETTINGS = (UUID(f"8d5f000{number}-4c5e-4a7b-9f3a-61697274696d") for number in (1, 4))


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("transport")
    parser.add_argument("lines", nargs="+")
    args = parser.parse_args()
    async with await open_transport(args.transport) as (source, sink):
        device = Device.with_hci("airtime peer", hci.Address("C0:00:00:00:00:01"), source, sink)
        await device.power_on()
        connection = await device.connect(NAME)
        peer = Peer(connection)
        await peer.request_mtu(247)
        (service,) = await peer.discover_service(SERVICE)
        (settings,) = await peer.discover_characteristics([SETTINGS], service)
        errors = []
        for line in args.lines:
            try:
                await settings.write_value(line.encode(), with_response=True)
                errors.append(0)
            except ATT_Error as error:
                errors.append(error.error_code)
        print(json.dumps({"errors": errors}), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        await connection.disconnect()


asyncio.run(main())
