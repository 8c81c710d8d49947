"""An unmodified Bumble host as the central, blerpc-protocol on top: calls every method of the published test service.

Prints one line of JSON: the result of each check, and what the server said of itself.
"""

import argparse
import asyncio
import json

from bumble import hci
from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.transport import open_transport
from rpc_calls import PATIENCE, Client, Keys, checks
from rpc_words import CHARACTERISTIC, MTU, SERVICE


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("transport")
    parser.add_argument("--name", default="blerpc")
    parser.add_argument("--encrypted", action="store_true")
    parser.add_argument("--pin", help="the peripheral's key in hexadecimal, instead of trust on first use")
    args = parser.parse_args()
    async with await open_transport(args.transport) as (source, sink):
        device = Device.with_hci("rpc central", hci.Address("C0:00:00:00:00:01"), source, sink)
        await device.power_on()
        connection = await asyncio.wait_for(device.connect(args.name), PATIENCE)
        peer = Peer(connection)
        mtu = await peer.request_mtu(MTU)
        (service,) = await peer.discover_service(UUID(SERVICE))
        (characteristic,) = await service.discover_characteristics([UUID(CHARACTERISTIC)])

        async def write(frame):
            await characteristic.write_value(frame, with_response=False)

        client = Client(write, min(mtu, MTU))
        await characteristic.subscribe(client.frames.put_nowait)
        keys = Keys(args.pin)
        server = await client.set_up(args.encrypted, keys)
        result = {"mtu": mtu, "server": server, "key": keys.get("it")}
        try:
            result["checks"] = await checks(client)
        except Exception as error:  # which check it was is in the trace
            result["failed"] = repr(error)
            raise
        finally:
            print(json.dumps(result), flush=True)
        await connection.disconnect()


asyncio.run(main())
