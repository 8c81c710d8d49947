"""An unmodified Bumble host as the peripheral, blerpc-protocol on top: the published test service, as the published firmware
serves it. Knows nothing of the extension. Prints a line of JSON when it advertises, and one for each connection that is over.
"""

import argparse
import asyncio
import json
from collections import Counter

from blerpc_protocol import (
    CAPABILITY_FLAG_ENCRYPTION_SUPPORTED,
    BlerpcCrypto,
    CommandPacket,
    CommandType,
    Container,
    ContainerAssembler,
    ContainerSplitter,
    ContainerType,
    ControlCmd,
    PeripheralKeyExchange,
    make_capabilities_response,
    make_key_exchange,
    make_stream_end_p2c,
    make_timeout_response,
)
from bumble import hci
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.transport import open_transport
from rpc_words import CHARACTERISTIC, FLASH_OCTETS, MTU, SERVICE, fields, flash, message

MAX_REQUEST, MAX_RESPONSE, TIMEOUT_MS = 12_288, 65_535, 100


class Server:
    """One connection's worth of the published peripheral. Frames are handled one after the other."""

    def __init__(self, device, characteristic, identity):
        self.device, self.characteristic, self.identity = device, characteristic, identity
        self.frames = asyncio.Queue()
        self.calls = Counter()
        self.reset()

    def reset(self):
        self.assembler, self.splitter = ContainerAssembler(), ContainerSplitter(MTU)
        self.exchange = PeripheralKeyExchange(self.identity) if self.identity else None
        self.session, self.uploaded, self.flags = None, 0, None

    async def serve(self):
        while True:
            connection, frame = await self.frames.get()
            try:
                container = Container.deserialize(frame)
                if container.container_type == ContainerType.CONTROL:
                    await self.control(connection, container)
                elif (packet := self.assembler.feed(container)) is not None:
                    await self.command(connection, container.transaction_id, packet)
            except Exception as error:  # the published peripheral says nothing either
                self.calls["refused: " + type(error).__name__] += 1

    async def send(self, connection, container):
        await self.device.notify_subscriber(connection, self.characteristic, container.serialize())

    async def control(self, connection, container):
        tid = container.transaction_id
        if container.control_cmd == ControlCmd.TIMEOUT:
            await self.send(connection, make_timeout_response(tid, TIMEOUT_MS))
        elif container.control_cmd == ControlCmd.CAPABILITIES:
            self.flags = int.from_bytes(container.payload[4:6], "little")
            flags = CAPABILITY_FLAG_ENCRYPTION_SUPPORTED if self.identity else 0
            await self.send(connection, make_capabilities_response(tid, MAX_REQUEST, MAX_RESPONSE, flags))
        elif container.control_cmd == ControlCmd.KEY_EXCHANGE and self.exchange:
            answer, session = self.exchange.handle_step(bytes(container.payload))
            self.session = session or self.session
            await self.send(connection, make_key_exchange(tid, answer))
        elif container.control_cmd == ControlCmd.STREAM_END_C2P:
            count, self.uploaded = self.uploaded, 0
            await self.respond(connection, None, "counter_upload", message(count))

    async def respond(self, connection, tid, name, data):
        packet = CommandPacket(CommandType.RESPONSE, name, data).serialize()
        if self.session:
            packet = self.session.encrypt(packet)
        for container in self.splitter.split(packet, tid):
            await self.send(connection, container)

    async def command(self, connection, tid, packet):
        if self.identity:
            # Without a handshake there is no session, and an open command is refused.
            packet = self.session.decrypt(packet)
        request = CommandPacket.deserialize(packet)
        name, asked = request.cmd_name, fields(request.data)
        self.calls[name] += 1
        if name == "echo":
            await self.respond(connection, tid, name, message(asked.get(1, b"")))
        elif name == "flash_read":
            address, length = asked.get(1, 0), asked.get(2, 0)
            assert length <= 8192 and address + length <= FLASH_OCTETS
            await self.respond(connection, tid, name, message(address, flash(address, length)))
        elif name == "data_write":
            await self.respond(connection, tid, name, message(len(asked.get(1, b""))))
        elif name == "counter_stream":
            for seq in range(min(asked.get(1, 0), 10_000)):
                await self.respond(connection, None, name, message(seq, seq * 10))
            await self.send(connection, make_stream_end_p2c(self.splitter.next_transaction_id()))
        elif name == "counter_upload":
            self.uploaded += 1


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("transport")
    parser.add_argument("--name", default="blerpc")
    parser.add_argument("--encrypted", action="store_true")
    parser.add_argument("--seed", default="40" * 32, help="seed of the identity, in hexadecimal")
    args = parser.parse_args()
    identity = BlerpcCrypto.ed25519_private_from_bytes(bytes.fromhex(args.seed)) if args.encrypted else None
    async with await open_transport(args.transport) as (source, sink):
        device = Device.with_hci(args.name, hci.Address("C0:00:00:00:00:02"), source, sink)
        properties = Characteristic.Properties.WRITE_WITHOUT_RESPONSE | Characteristic.Properties.NOTIFY
        written = CharacteristicValue(write=lambda connection, value: server.frames.put_nowait((connection, bytes(value))))
        characteristic = Characteristic(UUID(CHARACTERISTIC), properties, Characteristic.Permissions.WRITEABLE, written)
        device.add_service(Service(UUID(SERVICE), [characteristic]))
        server = Server(device, characteristic, identity)
        over = asyncio.Queue()

        def connected(connection):
            server.reset()
            connection.on("disconnection", over.put_nowait)

        device.on("connection", connected)
        await device.power_on()
        serving = asyncio.create_task(server.serve())
        advertised = [(AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.COMPLETE_LOCAL_NAME, args.name.encode())]
        services = [(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, UUID(SERVICE).to_bytes(force_128=True))]
        await device.start_advertising(
            auto_restart=True,
            # Names go where ours and the published ones are looked for: the shorter packet has both.
            advertising_data=bytes(AdvertisingData(advertised)),
            scan_response_data=bytes(AdvertisingData(services)),
            advertising_interval_min=30,
            advertising_interval_max=30,
        )
        key = BlerpcCrypto.ed25519_public_bytes(identity).hex() if identity else None
        print(json.dumps({"advertising": args.name, "key": key}), flush=True)
        while not serving.done():
            reason = await over.get()
            print(json.dumps({"disconnected": int(reason), "flags": server.flags, "calls": server.calls}), flush=True)
            server.calls.clear()


asyncio.run(main())
