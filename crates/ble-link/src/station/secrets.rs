//! The randomness of the ends of remote calls in the laboratory.

use airtime_app::Address;
use airtime_app::rpc::Secrets;
use airtime_core::random::{Stream, stream};
use airtime_rpc::crypto::{ClientSecrets, ServerSecrets};

/// Secrets out of a named stream of a run's seed: another run has others, the same run the same.
#[derive(Clone, Debug)]
pub struct SeededSecrets {
    stream: Stream,
    identity: [u8; 32],
}

impl SeededSecrets {
    /// Secrets of the device `name` in the run with `seed`.
    pub fn new(seed: u64, name: &str) -> Self {
        let mut stream = stream(seed, &format!("rpc/secrets/{name}"));
        let identity = octets(&mut stream);
        Self { stream, identity }
    }
}

impl Secrets for SeededSecrets {
    fn client(&mut self, _peer: Address) -> ClientSecrets {
        ClientSecrets { ephemeral: octets(&mut self.stream), nonce: octets(&mut self.stream) }
    }

    fn server(&mut self, _peer: Address) -> ServerSecrets {
        let (ephemeral, nonce) = (octets(&mut self.stream), octets(&mut self.stream));
        ServerSecrets { identity: self.identity, ephemeral, nonce }
    }
}

fn octets<const N: usize>(stream: &mut Stream) -> [u8; N] {
    let mut octets = [0; N];
    for chunk in octets.chunks_mut(8) {
        chunk.copy_from_slice(&stream.bits().to_le_bytes()[..chunk.len()]);
    }
    octets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_connection_has_its_own_and_the_identity_stays() {
        let mut secrets = SeededSecrets::new(1, "peripheral");
        let (first, second) = (secrets.server([0; 6]), secrets.server([0; 6]));
        assert_eq!(first.identity, second.identity);
        assert_ne!(first.ephemeral, second.ephemeral);
        assert_eq!(SeededSecrets::new(1, "peripheral").server([0; 6]).ephemeral, first.ephemeral);
        assert_ne!(SeededSecrets::new(2, "peripheral").server([0; 6]).identity, first.identity);
    }
}
