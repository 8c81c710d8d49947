//! States of a client, and the ways into them.

use core::fmt;

use super::Mode;

/// Terms that both ends agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The mode in use.
    pub mode: Mode,
    /// The server's identity, when calls are sealed.
    pub identity: Option<[u8; 32]>,
    /// Set if the server seals calls; it need not answer those that are not.
    pub seals: bool,
    /// Longest request in octets, command header included.
    pub max_request: u32,
    /// Longest response in octets, command header included.
    pub max_response: u32,
    /// Calls that may be under way.
    pub outstanding: u8,
    /// Longest frame.
    pub frame: u16,
}

/// Reason that a connection could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// A step was not answered in time.
    Timeout,
    /// The server does not seal, and the client wants it.
    NotOffered,
    /// The server is not the one that was pinned.
    WrongIdentity,
    /// A signature or a confirmation is not genuine.
    NotGenuine,
    /// An answer makes no sense.
    Malformed,
    /// A frame is too short for the key exchange: 133 octets.
    FrameTooShort,
}

/// State of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No connection.
    Idle,
    /// Being set up.
    SettingUp,
    /// Calls can begin.
    Ready(Terms),
    /// The set-up failed; the connection is of no more use.
    Failed(SetupError),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timeout => "the server did not answer the set-up in time",
            Self::NotOffered => "the server does not seal its calls",
            Self::WrongIdentity => "the server is not the one that was pinned",
            Self::NotGenuine => "a signature or a confirmation of the server's is not genuine",
            Self::Malformed => "an answer of the server's to the set-up makes no sense",
            Self::FrameTooShort => "a frame is too short for the key exchange, which takes 133 octets",
        })
    }
}

impl core::error::Error for SetupError {}
