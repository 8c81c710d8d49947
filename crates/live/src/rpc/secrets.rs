//! The secrets of connections: from the system's randomness, or in virtual time from a seed.

use std::io;

use airtime_app::rpc::Secrets;
use airtime_ble::host::Address;
use airtime_ble_link::station::SeededSecrets;
use airtime_rpc::crypto::{ClientSecrets, ServerSecrets};
use airtime_system::random::random;

use super::work::Peer;

/// Fresh secrets for each connection; whoever shares [`Peer`] hears whom it is with.
#[derive(Clone, Debug)]
pub struct Noted {
    source: Source,
    peer: Peer,
}

/// Source of secrets.
#[derive(Clone, Debug)]
enum Source {
    /// The system, and the identity of a server.
    System([u8; 32]),
    /// A run's seed.
    Seeded(SeededSecrets),
}

impl Noted {
    /// Secrets that nobody can guess, and for a server the seed of its identity.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn from_system(identity: Option<[u8; 32]>, peer: Peer) -> io::Result<Self> {
        random::<1>()?;
        Ok(Self { source: Source::System(identity.unwrap_or_default()), peer })
    }

    /// Secrets of the device `name` in the virtual run with `seed`: the same in every run of it.
    pub fn from_seed(seed: u64, name: &str, peer: Peer) -> Self {
        Self { source: Source::Seeded(SeededSecrets::new(seed, name)), peer }
    }
}

/// Fresh octets.
fn fresh<const N: usize>() -> [u8; N] {
    // Once the system's source has answered it does not fail any more (getrandom(2)), and it has when these were made.
    random().expect("the system's randomness has been there before")
}

impl Secrets for Noted {
    fn client(&mut self, peer: Address) -> ClientSecrets {
        self.peer.meet(peer);
        match &mut self.source {
            Source::System(_) => ClientSecrets { ephemeral: fresh(), nonce: fresh() },
            Source::Seeded(seeded) => seeded.client(peer),
        }
    }

    fn server(&mut self, peer: Address) -> ServerSecrets {
        self.peer.meet(peer);
        match &mut self.source {
            Source::System(identity) => ServerSecrets { identity: *identity, ephemeral: fresh(), nonce: fresh() },
            Source::Seeded(seeded) => seeded.server(peer),
        }
    }
}
