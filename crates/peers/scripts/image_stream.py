"""One unmodified Bumble central that looks for our firmware by its name, reads the PSM it publishes, opens its channel there, and takes or
sends so many octets. While they come and go it reads the name of the device, over and over.

SDUs are the application's: their number in eight octets, little endian, then the low octet of each position. Prints one line of JSON, and
hangs up when standard input ends: only the other end knows when all that was sent has arrived.
"""

import argparse
import asyncio
import json
import sys

from bumble import gatt, hci
from bumble.core import UUID
from bumble.device import ConnectionParametersPreferences, Device, Peer
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.transport import open_transport

NAME = "nRF54L15_Test"
SERVICE, PSM = (UUID(f"8d5f000{number}-4c5e-4a7b-9f3a-61697274696d") for number in (1, 2))
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


async def psm(peer):
    (service,) = await peer.discover_service(SERVICE)
    (value,) = await peer.read_characteristics_by_uuid(PSM, service)
    return int.from_bytes(value, "little")


async def read_names(peer, names, work):
    while not work.done():
        names += await peer.read_characteristics_by_uuid(gatt.GATT_DEVICE_NAME_CHARACTERISTIC)


async def opened(device, connection, spec, sink):
    """Opens a channel with its sink. Bumble drops K-frames that come before there is one, and hangs up over the next SDU."""
    opening = asyncio.create_task(connection.create_l2cap_channel(spec=spec))
    # The channel is there once its request is on the way.
    await asyncio.sleep(0)
    (channel,) = device.l2cap_channel_manager.channels[connection.handle].values()
    channel.sink = sink
    return await opening


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
        peer, names = Peer(connection), []
        spec = LeCreditBasedChannelSpec(psm=await psm(peer), mtu=SDU, mps=MPS, max_credits=CREDITS)
        channel = await opened(device, connection, spec, order.take)
        work = asyncio.create_task(send(channel, args.octets) if args.way == "send" else receive(channel, order))
        reading = asyncio.create_task(read_names(peer, names, work))
        await asyncio.wait([reading, lost], return_when=asyncio.FIRST_COMPLETED)
        await (reading if reading.done() else lost)
        said = await work | {"names": len(names), "other_names": sum(name != NAME.encode() for name in names)}
        print(json.dumps(said), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        lost.cancel()
        await connection.disconnect()


asyncio.run(main())
