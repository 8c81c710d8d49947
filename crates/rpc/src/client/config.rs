//! Configuration of a client.

use airtime_core::Duration;

use crate::crypto::Pin;

/// Protocol that a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Mode {
    /// The published one.
    Compatible,
    /// The extension, if the server has it; else the published one.
    Extended,
}

/// Encryption as a client wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// No, even where the server offers it.
    Off,
    /// Yes, or no connection.
    Required(Pin),
}

/// Configuration of a client.
#[derive(Clone, Copy, Debug)]
pub struct ClientConfig {
    /// The mode it asks for.
    pub mode: Mode,
    /// Encryption of its calls.
    pub encryption: Encryption,
    /// Longest wait for the next frame of an answer in compatible mode, and the deadline of a call in extended mode; the
    /// published clients wait as long as the server advertises, 100 ms, and at least 2 s for the first frame.
    pub patience: Duration,
    /// Octets of responses that a call may have under way in extended mode.
    pub window: u32,
}
