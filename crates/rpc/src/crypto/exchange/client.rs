//! The client's side.

use core::fmt;

use x25519_dalek::{PublicKey, StaticSecret};

use super::super::gcm::Key;
use super::super::keys::{PublicKeys, SessionKey};
use super::super::{ClientSecrets, ExchangeError, Pin, Session};
use super::Progress;
use super::step::{
    CLIENT_CONFIRMS, CLIENT_KEY, CLIENT_WORD, SERVER_CONFIRMS, SERVER_KEY, SERVER_WORD, Step, confirmed,
};

/// A key exchange as the client sees it; a refused step ends it.
pub struct ClientExchange {
    state: State,
    nonce: [u8; 12],
    pin: Pin,
    identity: Option<[u8; 32]>,
}

enum State {
    /// Its key has gone.
    KeySent(StaticSecret),
    /// Its confirmation has gone.
    Confirmed(SessionKey),
    Over,
}

impl ClientExchange {
    /// Begins; gives the first step to send.
    pub fn start(secrets: ClientSecrets, pin: Pin) -> (Self, Step) {
        let secret = StaticSecret::from(secrets.ephemeral);
        let step = Step::new(CLIENT_KEY, &[PublicKey::from(&secret).as_bytes()]);
        (Self { state: State::KeySent(secret), nonce: secrets.nonce, pin, identity: None }, step)
    }

    /// Takes a step of the server's.
    ///
    /// # Errors
    /// Why it was refused.
    pub fn receive(&mut self, step: &[u8]) -> Result<Progress, ExchangeError> {
        let (&number, body) = step.split_first().ok_or(ExchangeError::Malformed)?;
        match (number, core::mem::replace(&mut self.state, State::Over)) {
            (SERVER_KEY, State::KeySent(secret)) => self.server_key(&secret, body),
            (SERVER_CONFIRMS, State::Confirmed(key)) => {
                let key = Key::new(&key);
                confirmed(body, &key, SERVER_WORD)?;
                Ok(Progress { send: None, session: Some(Session::client(key)) })
            }
            (SERVER_KEY | SERVER_CONFIRMS, State::Over) => Err(ExchangeError::Over),
            (SERVER_KEY | SERVER_CONFIRMS, _) => Err(ExchangeError::OutOfTurn),
            _ => Err(ExchangeError::Malformed),
        }
    }

    /// The server's identity, once it has proven it.
    pub const fn identity(&self) -> Option<[u8; 32]> {
        self.identity
    }

    fn server_key(&mut self, secret: &StaticSecret, body: &[u8]) -> Result<Progress, ExchangeError> {
        let malformed = ExchangeError::Malformed;
        let (server, rest) = body.split_first_chunk::<32>().ok_or(malformed)?;
        let (signature, identity) = rest.split_first_chunk::<64>().ok_or(malformed)?;
        let identity: &[u8; 32] = identity.try_into().map_err(|_| malformed)?;
        let keys = PublicKeys::new(PublicKey::from(secret).as_bytes(), server);
        keys.verify(identity, signature)?;
        if !self.pin.takes(identity) {
            return Err(ExchangeError::WrongIdentity);
        }
        let key = keys.derive(secret, server)?;
        let confirmation = Step::confirm(CLIENT_CONFIRMS, &Key::new(&key), &self.nonce, CLIENT_WORD);
        self.identity = Some(*identity);
        self.state = State::Confirmed(key);
        Ok(Progress { send: Some(confirmation), session: None })
    }
}

impl fmt::Debug for ClientExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::KeySent(_) => "key sent",
            State::Confirmed(_) => "confirmed",
            State::Over => "over",
        };
        f.debug_struct("ClientExchange")
            .field("state", &state)
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}
