//! Addresses, and how many octets a header has for them.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

/// Broadcast as a short address, and as a PAN identifier. 7.2.
pub const BROADCAST: u16 = 0xFFFF;

/// Addressing mode of a device in a header. 7.2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Addressing {
    /// Not at all: neither an address nor a PAN identifier.
    None,
    /// Address of 16 bits.
    #[default]
    Short,
    /// Address of 64 bits.
    Extended,
}

impl Addressing {
    /// Every mode, the shortest first.
    pub const ALL: [Self; 3] = [Self::None, Self::Short, Self::Extended];

    /// Octets of the address.
    pub const fn octets(self) -> usize {
        match self {
            Self::None => 0,
            Self::Short => 2,
            Self::Extended => 8,
        }
    }

    /// As plans write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Short => "short",
            Self::Extended => "extended",
        }
    }

    /// The two bits of the frame control field.
    pub(super) const fn bits(self) -> u16 {
        match self {
            Self::None => 0b00,
            Self::Short => 0b10,
            Self::Extended => 0b11,
        }
    }

    /// The mode of two bits; 0b01 is reserved.
    pub(super) const fn from_bits(bits: u16) -> Option<Self> {
        match bits & 0b11 {
            0b00 => Some(Self::None),
            0b10 => Some(Self::Short),
            0b11 => Some(Self::Extended),
            _ => None,
        }
    }
}

/// Address of a device within its PAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Address {
    /// None: a header without it.
    #[default]
    None,
    /// 16 bits, given out by the coordinator.
    Short(u16),
    /// 64 bits, given out by the maker.
    Extended(u64),
}

impl Address {
    /// The mode of this address.
    pub const fn addressing(self) -> Addressing {
        match self {
            Self::None => Addressing::None,
            Self::Short(_) => Addressing::Short,
            Self::Extended(_) => Addressing::Extended,
        }
    }

    pub(super) fn put(self, out: &mut Packet) {
        match self {
            Self::None => {}
            Self::Short(address) => out.put_u16(address),
            Self::Extended(address) => out.put_u64(address),
        }
    }

    pub(super) fn read(addressing: Addressing, reader: &mut Reader<'_>) -> Option<Self> {
        Some(match addressing {
            Addressing::None => Self::None,
            Addressing::Short => Self::Short(reader.u16()?),
            Addressing::Extended => Self::Extended(reader.u64()?),
        })
    }
}
