"""The published calls over one characteristic, by blerpc-protocol, whoever carries the frames; and the checks of the test service."""

import asyncio
import hashlib

from blerpc_protocol import (
    CAPABILITY_FLAG_ENCRYPTION_SUPPORTED,
    CommandPacket,
    CommandType,
    Container,
    ContainerAssembler,
    ContainerSplitter,
    ContainerType,
    ControlCmd,
    central_perform_key_exchange,
    make_capabilities_request,
    make_key_exchange,
    make_stream_end_c2p,
    make_timeout_request,
)
from rpc_words import fields, message, signed

# Bounds a hang, measures nothing.
PATIENCE = 20.0


class Keys:
    """Keys of peripherals by their address, for this process only."""

    def __init__(self, pinned):
        self.keys = {} if pinned is None else {"it": pinned}

    def get(self, device):
        return self.keys.get(device)

    def put(self, device, key):
        self.keys[device] = key


class Client:
    """The published calls, one at a time: `write` takes a frame, and those that come are put into `frames`."""

    def __init__(self, write, mtu):
        self.write = write
        self.splitter = ContainerSplitter(mtu)
        self.assembler = ContainerAssembler()
        self.frames = asyncio.Queue()
        self.session = None

    async def next_frame(self):
        frame = await asyncio.wait_for(self.frames.get(), PATIENCE)
        return Container.deserialize(bytes(frame))

    async def send(self, container):
        await self.write(container.serialize())

    async def control(self, container):
        await self.send(container)
        answer = await self.next_frame()
        assert answer.container_type == ContainerType.CONTROL, answer
        assert answer.control_cmd == container.control_cmd, answer
        return bytes(answer.payload)

    async def set_up(self, encrypted, keys):
        tid = self.splitter.next_transaction_id
        timeout = int.from_bytes(await self.control(make_timeout_request(tid())), "little")
        answer = await self.control(make_capabilities_request(tid()))
        limits = [int.from_bytes(answer[at : at + 2], "little") for at in (0, 2, 4)]
        offers = bool(limits[2] & CAPABILITY_FLAG_ENCRYPTION_SUPPORTED)
        if encrypted:

            async def send(payload):
                await self.send(make_key_exchange(tid(), payload))

            async def receive():
                answer = await self.next_frame()
                assert answer.control_cmd == ControlCmd.KEY_EXCHANGE, answer
                return bytes(answer.payload)

            self.session = await central_perform_key_exchange(send, receive, keys, "it")
        return {"timeout_ms": timeout, "max_request": limits[0], "max_response": limits[1], "flags": limits[2], "offers": offers}

    async def request(self, name, data):
        packet = CommandPacket(CommandType.REQUEST, name, data).serialize()
        if self.session:
            packet = self.session.encrypt(packet)
        containers = self.splitter.split(packet)
        for container in containers:
            await self.send(container)
        return containers[0].transaction_id

    async def answer(self, name):
        """The next response of `name` with its transaction, or nothing when the stream has ended."""
        while True:
            container = await self.next_frame()
            if container.container_type == ContainerType.CONTROL:
                assert container.control_cmd == ControlCmd.STREAM_END_P2C, container
                return None, None
            packet = self.assembler.feed(container)
            if packet is None:
                continue
            if self.session:
                packet = self.session.decrypt(packet)
            response = CommandPacket.deserialize(packet)
            assert response.cmd_type == CommandType.RESPONSE and response.cmd_name == name, response
            return fields(response.data), container.transaction_id

    async def unary(self, name, data):
        sent = await self.request(name, data)
        response, transaction = await self.answer(name)
        assert transaction == sent, (transaction, sent)
        return response

    async def echo(self, text):
        return (await self.unary("echo", message(text.encode()))).get(1, b"").decode()

    async def flash_read(self, address, length):
        response = await self.unary("flash_read", message(address, length))
        assert response.get(1, 0) == address, response
        return response.get(2, b"")

    async def counter_stream(self, count):
        await self.request("counter_stream", message(count))
        items = []
        while (item := (await self.answer("counter_stream"))[0]) is not None:
            items.append((item.get(1, 0), signed(item.get(2, 0))))
        return items

    async def counter_upload(self, count):
        for seq in range(count):
            await self.request("counter_upload", message(seq, seq * 10))
        await self.send(make_stream_end_c2p(self.splitter.next_transaction_id()))
        return (await self.answer("counter_upload"))[0].get(1, 0)


async def checks(client):
    whole = await client.flash_read(0, 8192)
    part = await client.flash_read(4096, 64)
    written = await client.unary("data_write", message(bytes(i * 3 & 0xFF for i in range(8192))))
    return {
        "echo": await client.echo("hello") == "hello",
        "echo_empty": await client.echo("") == "",
        "echo_256": await client.echo("x" * 256) == "x" * 256,
        "flash_read_8kb": len(whole) == 8192 and whole[4096:4160] == part,
        "data_write_8kb": written.get(1) == 8192,
        "counter_stream": await client.counter_stream(20) == [(seq, seq * 10) for seq in range(20)],
        "counter_upload": await client.counter_upload(20) == 20,
        "sha256": hashlib.sha256(whole).hexdigest(),
    }
