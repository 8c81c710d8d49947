//! Command packets: one request or one response, with the name of its method.

use core::fmt;

use crate::NAME_MAX;

/// The first octet's highest bit; the others are reserved and ignored.
const RESPONSE: u8 = 0x80;

/// Direction of a command packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From client to server.
    Request,
    /// From server to client.
    Response,
}

/// A command packet: its lengths are proven, its name has 1..=[`NAME_MAX`] ASCII characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// Direction of the packet.
    pub direction: Direction,
    /// Name of the method.
    pub name: &'a str,
    /// The encoded message.
    pub data: &'a [u8],
}

/// Header before the message, for those who write the message in place or in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandHeader<'a> {
    /// Direction of the packet.
    pub direction: Direction,
    /// Name of the method.
    pub name: &'a str,
    /// Octets of the message.
    pub data_len: u16,
}

/// Reason that octets are no command packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandError {
    /// They end within the header.
    Header,
    /// The name is empty, longer than [`NAME_MAX`] or not ASCII.
    Name,
    /// The data length is not what is there.
    Data {
        /// Octets that it announces.
        announced: u16,
        /// Octets that there are.
        present: usize,
    },
}

impl<'a> Command<'a> {
    /// Reads a whole packet.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(octets: &'a [u8]) -> Result<Self, CommandError> {
        let &[kind, name_len, ref rest @ ..] = octets else { return Err(CommandError::Header) };
        let (name, rest) = rest.split_at_checked(name_len.into()).ok_or(CommandError::Header)?;
        let name = core::str::from_utf8(name).map_err(|_| CommandError::Name)?;
        if !CommandHeader::is_name(name) {
            return Err(CommandError::Name);
        }
        let &[low, high, ref data @ ..] = rest else { return Err(CommandError::Header) };
        let announced = u16::from_le_bytes([low, high]);
        if usize::from(announced) != data.len() {
            return Err(CommandError::Data { announced, present: data.len() });
        }
        let direction = if kind & RESPONSE == 0 { Direction::Request } else { Direction::Response };
        Ok(Self { direction, name, data })
    }

    /// Writes it to the beginning of `into` and says how long it is.
    ///
    /// # Panics
    /// When `into` is too short, the message longer than 65,535 octets, or the name not one that [`parse`](Self::parse) takes.
    pub fn emit(&self, into: &mut [u8]) -> usize {
        let data_len = self.data.len().try_into().expect("a message fits its length field");
        let header = CommandHeader { direction: self.direction, name: self.name, data_len };
        let at = header.emit(into);
        let end = at + self.data.len();
        into[at..end].copy_from_slice(self.data);
        end
    }
}

impl CommandHeader<'_> {
    /// Octets of the longest one.
    pub const OCTETS_MAX: usize = 4 + NAME_MAX;

    /// Tells if a method may be called so: 1..=[`NAME_MAX`] ASCII characters.
    pub const fn is_name(name: &str) -> bool {
        !name.is_empty() && name.len() <= NAME_MAX && name.is_ascii()
    }

    /// Length of the header in octets.
    pub const fn octets(&self) -> usize {
        4 + self.name.len()
    }

    /// Octets of the whole packet.
    pub const fn packet_octets(&self) -> usize {
        self.octets() + self.data_len as usize
    }

    /// Writes it to the beginning of `into` and says how long it is.
    ///
    /// # Panics
    /// When `into` is too short, or the name [not one](Self::is_name).
    pub fn emit(&self, into: &mut [u8]) -> usize {
        assert!(Self::is_name(self.name), "a method's name has 1 to {NAME_MAX} ASCII characters: {:?}", self.name);
        into[0] = match self.direction {
            Direction::Request => 0,
            Direction::Response => RESPONSE,
        };
        into[1] = self.name.len() as u8;
        let name_end = 2 + self.name.len();
        into[2..name_end].copy_from_slice(self.name.as_bytes());
        into[name_end..name_end + 2].copy_from_slice(&self.data_len.to_le_bytes());
        self.octets()
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("the command packet ends within its header"),
            Self::Name => write!(f, "a method's name has 1 to {NAME_MAX} ASCII characters"),
            Self::Data { announced, present } => {
                write!(f, "the command packet announces {announced} octets of data and has {present}")
            }
        }
    }
}

impl core::error::Error for CommandError {}
