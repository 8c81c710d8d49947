"""bleak as the central, blerpc-protocol on top, as the published client is written: calls every method of the published test service.

Prints one line of JSON: the result of each check, and what the server said of itself.
"""

import argparse
import asyncio
import json

from bleak import BleakClient, BleakScanner
from rpc_calls import Client, Keys, checks
from rpc_words import CHARACTERISTIC, MTU

# Octets of a write command in front of the value.
HEADER = 3


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="blerpc")
    parser.add_argument("--encrypted", action="store_true")
    args = parser.parse_args()
    device = await BleakScanner.find_device_by_name(args.name, timeout=30.0)
    assert device is not None, f"nobody advertises as {args.name}"
    async with BleakClient(device, timeout=60.0) as connection:
        characteristic = connection.services.get_characteristic(CHARACTERISTIC)
        mtu = characteristic.max_write_without_response_size + HEADER

        async def write(frame):
            await connection.write_gatt_char(characteristic, frame, response=False)

        client = Client(write, min(mtu, MTU))
        await connection.start_notify(characteristic, lambda _, frame: client.frames.put_nowait(bytes(frame)))
        server = await client.set_up(args.encrypted, Keys(None))
        print(json.dumps({"mtu": mtu, "server": server, "checks": await checks(client)}), flush=True)


asyncio.run(main())
