//! Identities that a client remembers.

use super::Pin;

/// Remembers the identity of each server, by whatever names the device: its address, as a rule.
///
/// A signature proves that the server has the identity, not whose that is: without a store, anybody in the middle is taken.
pub trait KeyStore {
    /// Error of a store that could not remember.
    type Error;

    /// The identity of this device, if it is known.
    fn known(&self, device: &[u8]) -> Option<[u8; 32]>;

    /// Remembers it, in place of one before.
    ///
    /// # Errors
    /// When it could not.
    fn remember(&mut self, device: &[u8], identity: [u8; 32]) -> Result<(), Self::Error>;

    /// Pin for this device: the identity that is known, or any, the first time.
    fn pin(&self, device: &[u8]) -> Pin {
        self.known(device).map_or(Pin::FirstUse, Pin::Known)
    }
}
