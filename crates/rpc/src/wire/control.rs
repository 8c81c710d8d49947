//! Controls: set-up, ends of streams, errors.

use core::fmt;

use super::container::{Content, Header};

/// Numbers of the controls, which are on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ControlCode {
    /// Time that the other end may take.
    Timeout = 1,
    /// The client's stream is over.
    StreamEndToServer = 2,
    /// The server's stream is over.
    StreamEndToClient = 3,
    /// Abilities of the other end.
    Capabilities = 4,
    /// The server cannot do what it was asked.
    Error = 5,
    /// A step of the key exchange.
    KeyExchange = 6,
}

/// The payload of a control container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control<'a> {
    /// The client asks how long it is to wait for a next frame.
    TimeoutRequest,
    /// The server says so.
    Timeout {
        /// Time in milliseconds.
        timeout_ms: u16,
    },
    /// The client's stream is over.
    StreamEndToServer,
    /// The server's stream is over.
    StreamEndToClient,
    /// The client asks what the server can do, or the server says so. None for the request without a body that the published
    /// client for firmware makes.
    Capabilities(Option<Capabilities>),
    /// The server cannot do what it was asked.
    Error(PeerError),
    /// A step of the key exchange: its number and what belongs to it. [`crypto`](crate::crypto) reads it.
    KeyExchange(&'a [u8]),
}

/// Abilities of an end. A client asks with all fields zero, but for flags it wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Longest request in octets, command header included.
    pub max_request: u16,
    /// Longest response in octets, command header included.
    pub max_response: u16,
    /// [`ENCRYPTION`](Self::ENCRYPTION), [`EXTENDED`](Self::EXTENDED), and bits that are not defined.
    pub flags: u16,
}

/// Error of a server that could not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PeerError {
    /// The response is longer than it can send.
    ResponseTooLarge,
    /// It has no place for another request.
    Busy,
    /// A number that is not defined.
    Other(u8),
}

/// Reason that a control makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControlError {
    /// Its number is 0 or 7..=15: not defined, to be dropped.
    Unknown {
        /// The number.
        code: u8,
    },
    /// Its payload is too short.
    Length {
        /// The control.
        code: ControlCode,
        /// Octets of payload it has.
        octets: usize,
    },
}

impl Capabilities {
    /// Octets of the body.
    pub const OCTETS: usize = 6;
    /// Flag: the server seals, and refuses open calls.
    pub const ENCRYPTION: u16 = 1;
    /// Flag: extended mode. A client that wants it sets it in its request; a server that has it answers so to such a client only.
    pub const EXTENDED: u16 = 0x8000;

    /// True if the server seals.
    pub const fn is_encrypted(&self) -> bool {
        self.flags & Self::ENCRYPTION != 0
    }

    /// True if the end has extended mode.
    pub const fn is_extended(&self) -> bool {
        self.flags & Self::EXTENDED != 0
    }
}

impl<'a> Control<'a> {
    /// Reads the payload of the control `code`. What follows the fields that are defined is ignored.
    ///
    /// # Errors
    /// When the number is not defined or the payload too short.
    pub fn parse(code: u8, payload: &'a [u8]) -> Result<Self, ControlError> {
        let code = ControlCode::of(code).ok_or(ControlError::Unknown { code })?;
        let too_short = ControlError::Length { code, octets: payload.len() };
        Ok(match code {
            ControlCode::Timeout => match payload {
                [] => Self::TimeoutRequest,
                &[low, high, ..] => Self::Timeout { timeout_ms: u16::from_le_bytes([low, high]) },
                _ => return Err(too_short),
            },
            ControlCode::StreamEndToServer => Self::StreamEndToServer,
            ControlCode::StreamEndToClient => Self::StreamEndToClient,
            ControlCode::Capabilities => Self::Capabilities(match payload {
                [] => None,
                &[a, b, c, d, e, f, ..] => Some(Capabilities {
                    max_request: u16::from_le_bytes([a, b]),
                    max_response: u16::from_le_bytes([c, d]),
                    flags: u16::from_le_bytes([e, f]),
                }),
                _ => return Err(too_short),
            }),
            ControlCode::Error => Self::Error(PeerError::of(*payload.first().ok_or(too_short)?)),
            ControlCode::KeyExchange if payload.is_empty() => return Err(too_short),
            ControlCode::KeyExchange => Self::KeyExchange(payload),
        })
    }

    /// Code of the control.
    pub const fn code(&self) -> ControlCode {
        match self {
            Self::TimeoutRequest | Self::Timeout { .. } => ControlCode::Timeout,
            Self::StreamEndToServer => ControlCode::StreamEndToServer,
            Self::StreamEndToClient => ControlCode::StreamEndToClient,
            Self::Capabilities(_) => ControlCode::Capabilities,
            Self::Error(_) => ControlCode::Error,
            Self::KeyExchange(_) => ControlCode::KeyExchange,
        }
    }

    /// Octets of its payload.
    pub const fn octets(&self) -> usize {
        match self {
            Self::TimeoutRequest | Self::StreamEndToServer | Self::StreamEndToClient | Self::Capabilities(None) => 0,
            Self::Error(_) => 1,
            Self::Timeout { .. } => 2,
            Self::Capabilities(Some(_)) => Capabilities::OCTETS,
            Self::KeyExchange(step) => step.len(),
        }
    }

    /// Writes the whole container to the beginning of `into` and says how long it is.
    ///
    /// # Panics
    /// When `into` is too short, or a step of the key exchange longer than 255 octets.
    pub fn emit(&self, transaction: u8, into: &mut [u8]) -> usize {
        let header = Header::control(transaction, self.code());
        let payload = header.emit(self.octets(), into);
        match *self {
            Self::TimeoutRequest | Self::StreamEndToServer | Self::StreamEndToClient | Self::Capabilities(None) => {}
            Self::Timeout { timeout_ms } => payload.copy_from_slice(&timeout_ms.to_le_bytes()),
            Self::Capabilities(Some(Capabilities { max_request, max_response, flags })) => {
                payload[..2].copy_from_slice(&max_request.to_le_bytes());
                payload[2..4].copy_from_slice(&max_response.to_le_bytes());
                payload[4..].copy_from_slice(&flags.to_le_bytes());
            }
            Self::Error(error) => payload[0] = error.code(),
            Self::KeyExchange(step) => payload.copy_from_slice(step),
        }
        header.octets() + self.octets()
    }
}

impl<'a> Content<'a> {
    /// The control that this is, if it is one.
    pub fn control(&self) -> Option<Result<Control<'a>, ControlError>> {
        let Self::Control { code, payload } = *self else { return None };
        Some(Control::parse(code, payload))
    }
}

impl ControlCode {
    /// The control of this number.
    pub const fn of(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Timeout,
            2 => Self::StreamEndToServer,
            3 => Self::StreamEndToClient,
            4 => Self::Capabilities,
            5 => Self::Error,
            6 => Self::KeyExchange,
            _ => return None,
        })
    }
}

impl PeerError {
    const fn of(code: u8) -> Self {
        match code {
            1 => Self::ResponseTooLarge,
            2 => Self::Busy,
            other => Self::Other(other),
        }
    }

    /// Code of the error.
    pub const fn code(self) -> u8 {
        match self {
            Self::ResponseTooLarge => 1,
            Self::Busy => 2,
            Self::Other(code) => code,
        }
    }
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { code } => write!(f, "control {code} is not defined; 1 to 6 are"),
            Self::Length { code, octets } => write!(f, "{octets} octets are too few for control {}", *code as u8),
        }
    }
}

impl core::error::Error for ControlError {}
