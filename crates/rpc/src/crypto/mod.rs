//! Key exchange, sealed messages and pinned keys: X25519, Ed25519, HKDF-SHA256 and AES-128-GCM of the published protocol.
//!
//! A [`ClientExchange`] and a [`ServerExchange`] exchange four [`Step`]s; each then has a [`Session`], which seals what goes and
//! opens what comes. Sealing is incremental ([`Seal`]), so that a message need never be whole in memory.

mod error;
mod exchange;
mod gcm;
mod keys;
mod session;
mod store;

pub use error::{ExchangeError, OpenError, Spent};
pub use exchange::{ClientExchange, Progress, ServerExchange, Step};
pub use gcm::{SEAL_OCTETS, Seal};
pub use keys::identity;
pub use session::{Opened, Session};
pub use store::KeyStore;

/// Secrets of a client for a key exchange. Whoever runs it has the randomness.
#[derive(Clone, Copy, Debug)]
pub struct ClientSecrets {
    /// Ephemeral X25519 secret: never used twice.
    pub ephemeral: [u8; 32],
    /// Nonce of the confirmation.
    pub nonce: [u8; 12],
}

/// Secrets of a server for a key exchange.
#[derive(Clone, Copy, Debug)]
pub struct ServerSecrets {
    /// Seed of its Ed25519 identity, which clients pin.
    pub identity: [u8; 32],
    /// Ephemeral X25519 secret: never used twice.
    pub ephemeral: [u8; 32],
    /// Nonce of the confirmation.
    pub nonce: [u8; 12],
}

/// Pin of a client: the identity of a server that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// Known identity: this one only.
    Known([u8; 32]),
    /// Any; the caller may remember the one it met ([`Terms::identity`](crate::client::Terms::identity)).
    FirstUse,
}

impl Pin {
    /// Tells if it takes `identity`.
    pub fn takes(&self, identity: &[u8; 32]) -> bool {
        match self {
            Self::Known(known) => known == identity,
            Self::FirstUse => true,
        }
    }
}
