//! The server's side.

use core::fmt;

use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use super::super::gcm::Key;
use super::super::keys::{PublicKeys, SessionKey};
use super::super::{ExchangeError, ServerSecrets, Session};
use super::Progress;
use super::step::{
    CLIENT_CONFIRMS, CLIENT_KEY, CLIENT_WORD, SERVER_CONFIRMS, SERVER_KEY, SERVER_WORD, Step, confirmed,
};

/// A key exchange as the server sees it: one for each connection. A step that is malformed or out of turn changes nothing; one
/// that is not genuine ends it.
pub struct ServerExchange {
    state: State,
    nonce: [u8; 12],
}

enum State {
    /// Nothing came.
    Waiting {
        ephemeral: StaticSecret,
        identity: Zeroizing<[u8; 32]>,
    },
    /// Its key has gone.
    KeySent(SessionKey),
    Over,
}

impl ServerExchange {
    /// Ready for the first step.
    pub fn new(secrets: ServerSecrets) -> Self {
        let ephemeral = StaticSecret::from(secrets.ephemeral);
        let state = State::Waiting { ephemeral, identity: Zeroizing::new(secrets.identity) };
        Self { state, nonce: secrets.nonce }
    }

    /// Takes a step of the client's.
    ///
    /// # Errors
    /// Why it was refused.
    pub fn receive(&mut self, step: &[u8]) -> Result<Progress, ExchangeError> {
        let (&number, body) = step.split_first().ok_or(ExchangeError::Malformed)?;
        match (number, &self.state) {
            (CLIENT_KEY, State::Waiting { ephemeral, identity }) => {
                let (step, key) = answer(ephemeral, identity, body)?;
                self.state = State::KeySent(key);
                Ok(Progress { send: Some(step), session: None })
            }
            (CLIENT_CONFIRMS, State::KeySent(key)) => {
                let key = Key::new(key);
                let confirmed = confirmed(body, &key, CLIENT_WORD);
                if confirmed != Err(ExchangeError::Malformed) {
                    self.state = State::Over;
                }
                confirmed?;
                let confirmation = Step::confirm(SERVER_CONFIRMS, &key, &self.nonce, SERVER_WORD);
                Ok(Progress { send: Some(confirmation), session: Some(Session::server(key)) })
            }
            (CLIENT_KEY | CLIENT_CONFIRMS, State::Over) => Err(ExchangeError::Over),
            (CLIENT_KEY | CLIENT_CONFIRMS, _) => Err(ExchangeError::OutOfTurn),
            _ => Err(ExchangeError::Malformed),
        }
    }
}

fn answer(ephemeral: &StaticSecret, identity: &[u8; 32], client: &[u8]) -> Result<(Step, SessionKey), ExchangeError> {
    let client: &[u8; 32] = client.try_into().map_err(|_| ExchangeError::Malformed)?;
    let own = PublicKey::from(ephemeral);
    let keys = PublicKeys::new(client, own.as_bytes());
    let key = keys.derive(ephemeral, client)?;
    let signature = keys.sign(identity);
    Ok((Step::new(SERVER_KEY, &[own.as_bytes(), &signature, &super::super::identity(identity)]), key))
}

impl fmt::Debug for ServerExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Waiting { .. } => "waiting",
            State::KeySent(_) => "key sent",
            State::Over => "over",
        };
        f.debug_struct("ServerExchange").field("state", &state).finish_non_exhaustive()
    }
}
