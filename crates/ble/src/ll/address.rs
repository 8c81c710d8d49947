//! Device addresses: public and random. Core 6.0, Vol 6, Part B, 1.3.

use crate::words::Address;

/// Kind of a device address, public or random: TxAdd and RxAdd on the air, address types at HCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressKind {
    /// Assigned.
    Public = 0,
    /// Chosen by the device: static or private.
    Random = 1,
}

/// An address with its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceAddress {
    /// Public or random.
    pub kind: AddressKind,
    /// The octets as they are on the air, least significant first.
    pub octets: Address,
}

impl DeviceAddress {
    /// A public address.
    pub const fn public(octets: Address) -> Self {
        Self { kind: AddressKind::Public, octets }
    }

    /// A random address.
    pub const fn random(octets: Address) -> Self {
        Self { kind: AddressKind::Random, octets }
    }

    /// The address that TxAdd or RxAdd says is `random`.
    pub const fn of(random: bool, octets: Address) -> Self {
        if random { Self::random(octets) } else { Self::public(octets) }
    }

    /// From the address type of a command: 0 and 2 are public, 1 and 3 random (identities have the upper bit).
    pub const fn from_hci(kind: u8, octets: Address) -> Option<Self> {
        match kind {
            0..=3 => Some(Self::of(kind & 1 == 1, octets)),
            _ => None,
        }
    }

    /// True for a random address.
    pub const fn is_random(self) -> bool {
        matches!(self.kind, AddressKind::Random)
    }

    /// True for a resolvable private address. Core 6.0, Vol 6, Part B, 1.3.2.2.
    pub const fn is_resolvable(self) -> bool {
        self.is_random() && self.octets[5] >> 6 == 0b01
    }
}

/// Address that a device shows, as Own_Address_Type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnAddress {
    /// The public one.
    Public,
    /// The random one that the host has set.
    Random,
    /// One made with the local key of the peer's entry in the resolving list, else the public one.
    ResolvableOrPublic,
    /// Resolvable private address, else the random one.
    ResolvableOrRandom,
}

impl OwnAddress {
    /// From the parameter of a command.
    pub const fn from_hci(value: u8) -> Option<Self> {
        Some(match value {
            0 => Self::Public,
            1 => Self::Random,
            2 => Self::ResolvableOrPublic,
            3 => Self::ResolvableOrRandom,
            _ => return None,
        })
    }

    /// True if a resolvable address is wanted.
    pub const fn is_resolvable(self) -> bool {
        matches!(self, Self::ResolvableOrPublic | Self::ResolvableOrRandom)
    }

    /// True if the host must have set a random address for it.
    pub const fn falls_back_to_random(self) -> bool {
        matches!(self, Self::Random | Self::ResolvableOrRandom)
    }
}
