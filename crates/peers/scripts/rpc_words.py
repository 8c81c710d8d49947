"""What the RPC scripts share: the published UUIDs, and the few kinds of protobuf fields that the published messages have."""

SERVICE = "12340001-0000-1000-8000-00805f9b34fb"
CHARACTERISTIC = "12340002-0000-1000-8000-00805f9b34fb"
MTU = 247
FLASH_OCTETS = 65_536


def flash(address, length):
    """Octets of the flash of the Python peripheral: no two neighbouring pages are alike."""
    return bytes((a * 7 + (a >> 8) * 13) & 0xFF for a in range(address, address + length))


def varint(value):
    value &= (1 << 64) - 1
    octets = bytearray()
    while True:
        octets.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(octets)


def message(*fields):
    """Octets of a message with these fields, 1 and up: integers as varints, the rest length-delimited; zero is left out."""
    octets = bytearray()
    for number, value in enumerate(fields, 1):
        if isinstance(value, int):
            octets += varint(number << 3) + varint(value) if value else b""
        elif value:
            octets += varint(number << 3 | 2) + varint(len(value)) + bytes(value)
    return bytes(octets)


def fields(octets):
    """Fields of a message by number."""
    found, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            octet = octets[at]
            at += 1
            value |= (octet & 0x7F) << shift
            shift += 7
            if octet < 0x80:
                return value

    while at < len(octets):
        tag = number()
        if tag & 7 == 0:
            found[tag >> 3] = number()
        elif tag & 7 == 2:
            length = number()
            found[tag >> 3] = octets[at : at + length]
            at += length
        else:
            raise ValueError(f"field of type {tag & 7}")
    return found


def signed(value):
    """An int32 field, which protobuf extends to 64 bits."""
    return value - (1 << 64) if value >> 63 else value
