"""One unmodified Bumble central that looks for our firmware by its name, opens its channel, and takes or sends so many octets.

SDUs are the application's: their number in eight octets, little endian, then the low octet of each position. Prints one line of JSON, and
hangs up when standard input ends: only the other end knows when all that was sent has arrived.
"""

import argparse
import asyncio
import json
import sys

from bumble import hci
from bumble.device import ConnectionParametersPreferences, Device
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.transport import open_transport

NAME, PSM = "nRF54L15_Test", 0x80
SDU, MPS, CREDITS, INTERVAL_MS = 492, 247, 20, 15.0
DATA_OCTETS, DATA_TIME_US = 251, 17040


def sdu(number):
    return number.to_bytes(8, "little") + bytes(position & 0xFF for position in range(8, SDU))


class Order:
    """Octets that came, and the first SDU that was another one than expected."""

    def __init__(self, octets):
        self.wanted, self.octets, self.sdus, self.wrong = octets, 0, 0, None
        self.done = asyncio.Event()

    def take(self, data):
        if self.wrong is None and bytes(data) != sdu(self.sdus):
            self.wrong = self.sdus
        self.sdus += 1
        self.octets += len(data)
        if self.octets >= self.wanted:
            self.done.set()


async def send(channel, octets):
    number = 0
    while number * SDU < octets:
        channel.write(sdu(number))
        await channel.drain()
        number += 1
    return {"octets": number * SDU, "sdus": number, "wrong": None}


async def receive(channel, order):
    await order.done.wait()
    return {"octets": order.octets, "sdus": order.sdus, "wrong": order.wrong}


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=["take", "send"])
    parser.add_argument("transport")
    parser.add_argument("octets", type=int)
    args = parser.parse_args()
    async with await open_transport(args.transport) as (source, sink):
        device = Device.with_hci("airtime peer", hci.Address("C0:00:00:00:00:01"), source, sink)
        await device.power_on()
        preferences = ConnectionParametersPreferences(
            connection_interval_min=INTERVAL_MS, connection_interval_max=INTERVAL_MS, supervision_timeout=4000
        )
        connection = await device.connect(NAME, connection_parameters_preferences={hci.Phy.LE_1M: preferences})
        lost = asyncio.get_running_loop().create_future()
        connection.on("disconnection", lambda reason: lost.done() or lost.set_exception(RuntimeError(f"lost: {reason}")))
        await connection.set_data_length(DATA_OCTETS, DATA_TIME_US)
        await connection.set_phy(tx_phys=[hci.Phy.LE_2M], rx_phys=[hci.Phy.LE_2M])
        order = Order(args.octets)
        spec = LeCreditBasedChannelSpec(psm=PSM, mtu=SDU, mps=MPS, max_credits=CREDITS)
        channel = await connection.create_l2cap_channel(spec=spec)
        channel.sink = order.take
        work = asyncio.create_task(send(channel, args.octets) if args.way == "send" else receive(channel, order))
        await asyncio.wait([work, lost], return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            await lost
        print(json.dumps(await work), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        lost.cancel()
        await connection.disconnect()


asyncio.run(main())
