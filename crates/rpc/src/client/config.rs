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

/// Configuration of a client. The default is what every server answers: open calls of the published protocol.
#[derive(Clone, Copy, Debug)]
pub struct ClientConfig {
    /// The mode it asks for; default [`Mode::Compatible`].
    pub mode: Mode,
    /// Encryption of its calls; default [`Encryption::Off`].
    pub encryption: Encryption,
    /// Longest wait for the next frame of an answer in compatible mode, and the deadline of a call in extended mode; the
    /// published clients wait as long as the server advertises, 100 ms, and at least 2 s for the first frame. Default 2 s.
    pub patience: Duration,
    /// Octets of responses that a call may have under way in extended mode; default 16,384.
    pub window: u32,
}

impl Default for ClientConfig {
    fn default() -> Self {
        Self { mode: Mode::Compatible, encryption: Encryption::Off, patience: Duration::from_secs(2), window: 16_384 }
    }
}
