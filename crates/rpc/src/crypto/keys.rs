//! Keys of an exchange: agreed, derived, signed.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use hkdf::Hkdf;
use sha2::Sha256;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use super::ExchangeError;

/// Label with which the published protocol derives its session keys.
const SESSION_INFO: &[u8] = b"blerpc-session-key";

/// The Ed25519 identity of a server that has this seed: what clients pin.
pub fn identity(seed: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(seed).verifying_key().to_bytes()
}

/// A session key before it is made ready: sixteen octets instead of hundreds.
pub(super) type SessionKey = Zeroizing<[u8; 16]>;

/// The public keys of both ends, the client's first: what is signed, and the salt of the derivation.
pub(super) struct PublicKeys(pub [u8; 64]);

impl PublicKeys {
    pub fn new(client: &[u8; 32], server: &[u8; 32]) -> Self {
        let mut keys = [0; 64];
        keys[..32].copy_from_slice(client);
        keys[32..].copy_from_slice(server);
        Self(keys)
    }

    pub fn sign(&self, seed: &[u8; 32]) -> [u8; 64] {
        SigningKey::from_bytes(seed).sign(&self.0).to_bytes()
    }

    /// # Errors
    /// [`ExchangeError::NotGenuine`].
    pub fn verify(&self, identity: &[u8; 32], signature: &[u8; 64]) -> Result<(), ExchangeError> {
        // The strict check also refuses identities of low order, under which a signature says nothing.
        VerifyingKey::from_bytes(identity)
            .and_then(|key| key.verify_strict(&self.0, &Signature::from_bytes(signature)))
            .map_err(|_| ExchangeError::NotGenuine)
    }

    /// The session key of both ends.
    ///
    /// # Errors
    /// [`ExchangeError::WeakKey`].
    pub fn derive(&self, secret: &StaticSecret, other: &[u8; 32]) -> Result<SessionKey, ExchangeError> {
        let shared = secret.diffie_hellman(&PublicKey::from(*other));
        if !shared.was_contributory() {
            return Err(ExchangeError::WeakKey);
        }
        let mut key = Zeroizing::new([0; 16]);
        Hkdf::<Sha256>::new(Some(&self.0), shared.as_bytes())
            .expand(SESSION_INFO, &mut *key)
            .expect("16 octets are fewer than HKDF can give");
        Ok(key)
    }
}
