//! Commands to the co-processor.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;

use super::filter::Filter;
use super::id;

/// Interface that sends a frame. `wifi_interface_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Interface {
    /// Interface of the station.
    Station = 0,
    /// The access point.
    AccessPoint = 1,
}

/// Place of the secondary channel of 20 MHz. `wifi_second_chan_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Second {
    /// There is none.
    None = 0,
    /// Secondary channel above the primary one.
    Above = 1,
    /// Secondary channel below the primary one.
    Below = 2,
}

/// Command of the host about raw frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Listen to everything, or not.
    SetPromiscuous(bool),
    /// Go to a channel.
    SetChannel {
        /// Number of the primary channel.
        primary: u8,
        /// Place of the secondary channel.
        second: Second,
    },
    /// Set the filter of the frames to hand over.
    SetFilter(Filter),
    /// Send a frame.
    Transmit {
        /// Interface that sends it.
        interface: Interface,
        /// Set if the driver puts its own sequence number in; it has to while the station is connected.
        system_sequence: bool,
        /// The frame without FCS.
        frame: &'a [u8],
    },
}

/// Reason that octets are no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// There is no such command.
    #[error("no command {0:#06x}")]
    Unknown(u32),
    /// More or fewer octets than its structure has.
    #[error("command {id:#06x} with {len} octets")]
    Length {
        /// Number of the command.
        id: u32,
        /// Octets that came.
        len: usize,
    },
    /// A value that its field does not have.
    #[error("command {id:#06x} with the value {value}")]
    Value {
        /// Number of the command.
        id: u32,
        /// Value that the octet had.
        value: u8,
    },
}

impl<'a> Command<'a> {
    /// Number of the command.
    pub const fn id(&self) -> u32 {
        match self {
            Self::SetPromiscuous(_) => id::SET_PROMISCUOUS,
            Self::SetChannel { .. } => id::SET_CHANNEL,
            Self::SetFilter(_) => id::SET_FILTER,
            Self::Transmit { .. } => id::TRANSMIT,
        }
    }

    /// Appends its structure to `out`.
    ///
    /// # Panics
    /// When a frame has more than 65,535 octets.
    pub fn emit(&self, out: &mut Vec<u8>) {
        match *self {
            Self::SetPromiscuous(enable) => out.push(enable.into()),
            Self::SetChannel { primary, second } => out.extend_from_slice(&[primary, second as u8]),
            Self::SetFilter(filter) => out.extend_from_slice(&filter.0.to_le_bytes()),
            Self::Transmit { interface, system_sequence, frame } => {
                let len = u16::try_from(frame.len()).expect("a frame fits its length field");
                out.extend_from_slice(&[interface as u8, system_sequence.into()]);
                out.extend_from_slice(&len.to_le_bytes());
                out.extend_from_slice(frame);
            }
        }
    }

    /// Reads the structure of command `id`.
    ///
    /// # Errors
    /// When there is no such command, or its octets are not its structure.
    pub fn parse(id: u32, data: &'a [u8]) -> Result<Self, CommandError> {
        let length = CommandError::Length { id, len: data.len() };
        let value = |value| CommandError::Value { id, value };
        let mut reader = Reader::new(data);
        let mut octet = || reader.u8().ok_or(length);
        let command = match id {
            id::SET_PROMISCUOUS => Self::SetPromiscuous(octet()? != 0),
            id::SET_CHANNEL => {
                let primary = octet()?;
                let second = match octet()? {
                    0 => Second::None,
                    1 => Second::Above,
                    2 => Second::Below,
                    other => return Err(value(other)),
                };
                Self::SetChannel { primary, second }
            }
            id::SET_FILTER => Self::SetFilter(Filter(reader.u32().ok_or(length)?)),
            id::TRANSMIT => {
                let interface = match octet()? {
                    0 => Interface::Station,
                    1 => Interface::AccessPoint,
                    other => return Err(value(other)),
                };
                let system_sequence = octet()? != 0;
                let len = reader.u16().ok_or(length)?;
                let frame = reader.take(len.into()).ok_or(length)?;
                Self::Transmit { interface, system_sequence, frame }
            }
            _ => return Err(CommandError::Unknown(id)),
        };
        if reader.is_empty() { Ok(command) } else { Err(length) }
    }
}
