//! Errors of a key exchange, and of sealed octets.

use core::fmt;

/// Reason that a step of the key exchange was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExchangeError {
    /// Its length or number is not that of a step that this end takes.
    Malformed,
    /// It is a step, but not the one that is due.
    OutOfTurn,
    /// The exchange is over, well or not: there is one for each connection.
    Over,
    /// The other end's key is of low order: anybody could know what would come of it.
    WeakKey,
    /// A signature or a confirmation is not genuine.
    NotGenuine,
    /// The server is not the one that was pinned.
    WrongIdentity,
}

/// Reason that sealed octets were not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// They are too short to be sealed: a counter and a tag take 20.
    Length,
    /// The tag is not that of these octets under this key.
    NotGenuine,
    /// They are genuine, but their counter is not above the last one.
    Replayed {
        /// Counter of the sealed octets.
        counter: u32,
    },
}

/// Every counter of this direction has been used: the session is at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "no step of the key exchange that this end takes",
            Self::OutOfTurn => "a step of the key exchange that is not due",
            Self::Over => "the key exchange of this connection is over",
            Self::WeakKey => "the key of the other end is of low order",
            Self::NotGenuine => "a signature or a confirmation of the key exchange is not genuine",
            Self::WrongIdentity => "the server is not the one that was pinned",
        })
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("too short to be sealed: a counter and a tag take 20 octets"),
            Self::NotGenuine => f.write_str("not genuine: the tag is another"),
            Self::Replayed { counter } => write!(f, "replayed: counter {counter} is not above the last one"),
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("every counter of the session has been used; connect again")
    }
}

impl core::error::Error for ExchangeError {}
impl core::error::Error for OpenError {}
impl core::error::Error for Spent {}
