"""Says what blerpc-protocol makes of octets: one question a line, one answer a line, both JSON. Octets are hexadecimal."""

import json
import sys
from types import SimpleNamespace

from blerpc_protocol import (
    BlerpcCrypto,
    BlerpcCryptoSession,
    CentralKeyExchange,
    CommandPacket,
    CommandType,
    Container,
    ContainerAssembler,
    ContainerSplitter,
    ContainerType,
    PeripheralKeyExchange,
    container,
    crypto,
)

sessions = {}
exchanges = {}


def split(mtu, transaction, payload):
    containers = ContainerSplitter(mtu=mtu).split(bytes.fromhex(payload), transaction_id=transaction)
    return [one.serialize().hex() for one in containers]


def assemble(frames):
    """The payload, and how many frames it took; none when they do not make one."""
    assembler = ContainerAssembler()
    for count, frame in enumerate(frames, 1):
        payload = assembler.feed(Container.deserialize(bytes.fromhex(frame)))
        if payload is not None:
            return {"payload": payload.hex(), "frames": count}
    return None


def parse(frame):
    one = Container.deserialize(bytes.fromhex(frame))
    return {
        "transaction": one.transaction_id,
        "sequence": one.sequence_number,
        "type": int(one.container_type),
        "control": int(one.control_cmd),
        "total": one.total_length if one.container_type == ContainerType.FIRST else None,
        "payload": one.payload.hex(),
    }


def command(response, name, data):
    return CommandPacket(CommandType(response), name, bytes.fromhex(data)).serialize().hex()


def parse_command(packet):
    one = CommandPacket.deserialize(bytes.fromhex(packet))
    return {"response": int(one.cmd_type), "name": one.cmd_name, "data": one.data.hex()}


def control(make, *arguments):
    arguments = [bytes.fromhex(one) if isinstance(one, str) else one for one in arguments]
    return getattr(container, "make_" + make)(*arguments).serialize().hex()


def with_secrets(ephemeral, nonce):
    """Randomness is what it is told to be; all else of the library is as it comes."""
    private = BlerpcCrypto.x25519_private_from_bytes(bytes.fromhex(ephemeral))
    pair = (private, private.public_key().public_bytes_raw())
    BlerpcCrypto.generate_x25519_keypair = staticmethod(lambda: pair)
    crypto.os = SimpleNamespace(urandom=lambda count: bytes.fromhex(nonce)[:count])


def central(ephemeral, nonce):
    with_secrets(ephemeral, nonce)
    exchanges["central"] = CentralKeyExchange()
    return exchanges["central"].start().hex()


def central_step(step):
    return exchanges["central"].process_step2(bytes.fromhex(step)).hex()


def central_finish(step):
    sessions["central"] = exchanges["central"].finish(bytes.fromhex(step))


def peripheral(identity, ephemeral, nonce):
    with_secrets(ephemeral, nonce)
    identity = BlerpcCrypto.ed25519_private_from_bytes(bytes.fromhex(identity))
    exchanges["peripheral"] = PeripheralKeyExchange(identity)


def peripheral_step(step):
    answer, session = exchanges["peripheral"].handle_step(bytes.fromhex(step))
    if session is not None:
        sessions["peripheral"] = session
    return answer.hex()


def session(role, key):
    sessions[role] = BlerpcCryptoSession(bytes.fromhex(key), is_central=role == "central")


def encrypt(role, message):
    return sessions[role].encrypt(bytes.fromhex(message)).hex()


def decrypt(role, sealed):
    return sessions[role].decrypt(bytes.fromhex(sealed)).hex()


QUESTIONS = [
    split,
    assemble,
    parse,
    command,
    parse_command,
    control,
    central,
    central_step,
    central_finish,
    peripheral,
    peripheral_step,
    session,
    encrypt,
    decrypt,
]
ANSWERED = {question.__name__: question for question in QUESTIONS}

for line in sys.stdin:
    question, *arguments = json.loads(line)
    try:
        answer = {"answer": ANSWERED[question](*arguments)}
    except Exception as error:  # whatever it raises is the answer
        answer = {"error": type(error).__name__}
    print(json.dumps(answer), flush=True)
