"""One unmodified Bumble host that opens, or takes, an L2CAP channel and streams over it.

The central opens the channel and receives; the peripheral takes it and sends. The receiver sets its sink and then says
"go": Bumble drops K-frames that come before a sink is set, without giving their credits back. Prints one line of JSON.
"""

import argparse
import asyncio
import json
import time

from bumble import hci
from bumble.core import AdvertisingData
from bumble.device import ConnectionParametersPreferences, Device
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

PSM = 0x81
GO = b"go"
NAME = "airtime peer"
DATA_OCTETS, DATA_TIME_US = 251, 17040


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["central", "peripheral"])
    parser.add_argument("transport")
    parser.add_argument("--interval", type=float, default=15.0, help="ms")
    parser.add_argument("--sdu", type=int, default=492)
    parser.add_argument("--mtu", type=int, default=2048)
    parser.add_argument("--mps", type=int, default=247)
    parser.add_argument("--credits", type=int, default=64)
    parser.add_argument("--warmup", type=float, default=1.0, help="s")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--pair", action="store_true")
    return parser.parse_args()


def channel_spec(args):
    return LeCreditBasedChannelSpec(psm=PSM, mtu=args.mtu, mps=args.mps, max_credits=args.credits)


class Meter:
    """Counts what arrives between the end of the warm-up and the end of the measurement."""

    def __init__(self, args):
        self.begins = time.monotonic() + args.warmup
        self.ends = self.begins + args.seconds
        self.first = self.last = None
        self.octets = self.sdus = 0
        self.done = asyncio.Event()

    def take(self, sdu):
        now = time.monotonic()
        if now < self.begins:
            return
        if now > self.ends:
            self.done.set()
        elif self.first is None:
            self.first = self.last = now
        else:
            self.last = now
            self.octets += len(sdu)
            self.sdus += 1

    def result(self):
        seconds = (self.last or 0) - (self.first or 0)
        kbps = self.octets * 8 / seconds / 1e3 if seconds > 0 else 0.0
        return {"octets": self.octets, "sdus": self.sdus, "seconds": seconds, "kbps": kbps}


async def central(args, device):
    await device.power_on()
    preferences = ConnectionParametersPreferences(
        connection_interval_min=args.interval, connection_interval_max=args.interval, supervision_timeout=2000
    )
    connection = await device.connect(NAME, connection_parameters_preferences={hci.Phy.LE_1M: preferences})
    lost = asyncio.get_running_loop().create_future()
    connection.on("disconnection", lambda reason: lost.done() or lost.set_result(reason))
    if args.pair:
        await connection.pair()
    await connection.set_data_length(DATA_OCTETS, DATA_TIME_US)
    await connection.set_phy(tx_phys=[hci.Phy.LE_2M], rx_phys=[hci.Phy.LE_2M])
    channel = await connection.create_l2cap_channel(spec=channel_spec(args))
    meter = Meter(args)
    channel.sink = meter.take
    channel.write(GO)
    # A stream that has stopped delivers nothing that could say so.
    patience = asyncio.create_task(asyncio.sleep(args.warmup + args.seconds + 2.0))
    waits = [asyncio.create_task(meter.done.wait()), patience]
    await asyncio.wait(waits + [lost], return_when=asyncio.FIRST_COMPLETED)
    phy = await connection.get_phy()
    result = meter.result() | {
        "interval_ms": connection.parameters.connection_interval,
        "phy": [phy.tx_phy, phy.rx_phy],
        "encrypted": bool(connection.is_encrypted),
        "rssi": await connection.get_rssi(),
        "peer_mps": channel.peer_mps,
    }
    print(json.dumps(result), flush=True)
    await connection.disconnect()


async def peripheral(args, device):
    over = asyncio.get_running_loop().create_future()

    def take_channel(channel):
        def take(sdu):
            if bytes(sdu) == GO:
                asyncio.create_task(send(channel))

        channel.sink = take

    async def send(channel):
        sdu = bytes(i & 0xFF for i in range(args.sdu))
        try:
            while not over.done():
                channel.write(sdu)
                await channel.drain()
        except Exception as error:  # the central has gone
            if not over.done():
                over.set_exception(error)

    def connected(connection):
        connection.on("disconnection", lambda reason: over.done() or over.set_result(reason))

    device.on("connection", connected)
    device.create_l2cap_server(spec=channel_spec(args), handler=take_channel)
    await device.power_on()
    await device.start_advertising(
        advertising_data=bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, NAME.encode())])),
        advertising_interval_min=30,
        advertising_interval_max=30,
    )
    print(json.dumps({"advertising": True}), flush=True)
    reason = await over
    print(json.dumps({"disconnected": int(reason)}), flush=True)


async def main():
    args = arguments()
    async with await open_transport(args.transport) as (source, sink):
        address = "C0:00:00:00:00:01" if args.role == "central" else "C0:00:00:00:00:02"
        device = Device.with_hci(NAME, hci.Address(address), source, sink)
        device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=False, bonding=False, delegate=PairingDelegate(PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT)
        )
        await (central if args.role == "central" else peripheral)(args, device)


asyncio.run(main())
