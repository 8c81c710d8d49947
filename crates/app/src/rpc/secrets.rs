//! Secrets: the source of keys.

use airtime_rpc::crypto::{ClientSecrets, ServerSecrets};

use crate::Address;

/// The randomness of whoever runs a machine. Asked once per connection.
pub trait Secrets {
    /// Secrets of a client for a connection with `peer`.
    fn client(&mut self, peer: Address) -> ClientSecrets;

    /// Secrets of a server for a connection with `peer`.
    fn server(&mut self, peer: Address) -> ServerSecrets;
}
