//! Where keys come from.

use airtime_rpc::crypto::{ClientSecrets, ServerSecrets};

use crate::Address;

/// The randomness of whoever runs a machine. Asked once per connection.
pub trait Secrets {
    /// What a client brings to a connection with `peer`.
    fn client(&mut self, peer: Address) -> ClientSecrets;

    /// What a server brings to a connection with `peer`.
    fn server(&mut self, peer: Address) -> ServerSecrets;
}
