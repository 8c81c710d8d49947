//! Containers: what one frame carries.

use core::fmt;

use super::ControlCode;

/// Octets before the payload of a first container: transaction, sequence, flags, total length, payload length.
pub const FIRST_HEADER: usize = 6;

/// Octets before the payload of any other container: transaction, sequence, flags, payload length.
pub const HEADER: usize = 4;

const TYPE_SHIFT: u8 = 6;
const FIRST: u8 = 0b00;
const SUBSEQUENT: u8 = 0b01;
const CONTROL: u8 = 0b11;
const CODE_SHIFT: u8 = 2;
const CODE_MASK: u8 = 0b1111;

/// A container that came: its lengths are proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container<'a> {
    /// The transaction it belongs to, as its sender counts them.
    pub transaction: u8,
    /// Its place in the transaction, from 0.
    pub sequence: u8,
    /// Content of the container.
    pub content: Content<'a>,
}

/// Content of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// The beginning of a message.
    First {
        /// Octets of the whole message.
        total: u16,
        /// The first of them.
        payload: &'a [u8],
    },
    /// More of a message.
    Subsequent {
        /// Octets that follow those of the container before.
        payload: &'a [u8],
    },
    /// A control, never cut and never sealed.
    Control {
        /// Code of the control, 0..=15; [`Control::parse`](super::Control::parse) says whether it is known.
        code: u8,
        /// Payload of the control.
        payload: &'a [u8],
    },
}

/// Reason that a frame is no container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContainerError {
    /// It ends within its header.
    Header,
    /// Its type is 0b10, which is not defined.
    Type,
    /// Its payload length says more than is there.
    Payload {
        /// Octets that it announces.
        announced: u8,
        /// Octets that there are.
        present: usize,
    },
}

impl<'a> Container<'a> {
    /// Reads a frame. Reserved bits are ignored, and so is what follows the payload: the published ends ignore both.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(frame: &'a [u8]) -> Result<Self, ContainerError> {
        let &[transaction, sequence, flags, ref rest @ ..] = frame else { return Err(ContainerError::Header) };
        let content = match flags >> TYPE_SHIFT {
            FIRST => {
                let &[low, high, ref rest @ ..] = rest else { return Err(ContainerError::Header) };
                Content::First { total: u16::from_le_bytes([low, high]), payload: payload(rest)? }
            }
            SUBSEQUENT => Content::Subsequent { payload: payload(rest)? },
            CONTROL => Content::Control { code: flags >> CODE_SHIFT & CODE_MASK, payload: payload(rest)? },
            _ => return Err(ContainerError::Type),
        };
        Ok(Self { transaction, sequence, content })
    }

    /// Writes it to the beginning of `into` and says how long it is.
    ///
    /// # Panics
    /// When `into` is too short, or the payload longer than 255 octets.
    pub fn emit(&self, into: &mut [u8]) -> usize {
        let (kind, payload) = match self.content {
            Content::First { total, payload } => (HeaderKind::First { total }, payload),
            Content::Subsequent { payload } => (HeaderKind::Subsequent, payload),
            Content::Control { code, payload } => (HeaderKind::Control { code }, payload),
        };
        let header = Header { transaction: self.transaction, sequence: self.sequence, kind };
        header.emit(payload.len(), into).copy_from_slice(payload);
        header.octets() + payload.len()
    }
}

fn payload(rest: &[u8]) -> Result<&[u8], ContainerError> {
    let (&announced, rest) = rest.split_first().ok_or(ContainerError::Header)?;
    rest.get(..announced.into()).ok_or(ContainerError::Payload { announced, present: rest.len() })
}

/// A container without its payload, for those who write the payload in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// See [`Container::transaction`].
    pub transaction: u8,
    /// See [`Container::sequence`].
    pub sequence: u8,
    /// Type of the container.
    pub kind: HeaderKind,
}

/// The type of a container that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderKind {
    /// The beginning of a message.
    First {
        /// Octets of the whole message.
        total: u16,
    },
    /// More of it.
    Subsequent,
    /// A control.
    Control {
        /// Code of the control, 0..=15.
        code: u8,
    },
}

impl Header {
    /// The header of a control; published ends give controls sequence number 0.
    pub const fn control(transaction: u8, code: ControlCode) -> Self {
        Self { transaction, sequence: 0, kind: HeaderKind::Control { code: code as u8 } }
    }

    /// Length of the header in octets.
    pub const fn octets(&self) -> usize {
        match self.kind {
            HeaderKind::First { .. } => FIRST_HEADER,
            HeaderKind::Subsequent | HeaderKind::Control { .. } => HEADER,
        }
    }

    /// Writes it to the beginning of `into` and gives the place for `payload` octets behind it.
    ///
    /// # Panics
    /// When `into` is too short, or `payload` is more than 255.
    pub fn emit<'a>(&self, payload: usize, into: &'a mut [u8]) -> &'a mut [u8] {
        let payload_len = u8::try_from(payload).expect("a payload fits its length field");
        into[0] = self.transaction;
        into[1] = self.sequence;
        into[2] = match self.kind {
            HeaderKind::First { .. } => FIRST << TYPE_SHIFT,
            HeaderKind::Subsequent => SUBSEQUENT << TYPE_SHIFT,
            HeaderKind::Control { code } => CONTROL << TYPE_SHIFT | (code & CODE_MASK) << CODE_SHIFT,
        };
        if let HeaderKind::First { total } = self.kind {
            into[3..5].copy_from_slice(&total.to_le_bytes());
        }
        let header = self.octets();
        into[header - 1] = payload_len;
        &mut into[header..header + payload]
    }
}

impl fmt::Display for ContainerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("the frame ends within the header of its container"),
            Self::Type => f.write_str("the container is of type 0b10, which is not defined"),
            Self::Payload { announced, present } => {
                write!(f, "the container announces {announced} octets of payload and has {present}")
            }
        }
    }
}

impl core::error::Error for ContainerError {}
