//! Encryption start and pause. Core 6.0, Vol 6, Part B, 5.1.3.
//!
//! A running encryption that is to take a new key is paused first: LL_PAUSE_ENC_REQ and the
//! peripheral's LL_PAUSE_ENC_RSP are encrypted, the central's LL_PAUSE_ENC_RSP is not, and what
//! follows is an encryption start like the first.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::{Effect, Told};
use super::facts::Facts;
use crate::hci::Status;
use crate::ll::connection::Encryption;
use crate::ll::control::{Control, opcode};
use crate::ll::encryption::session;
use crate::words::Role;

/// Encryption start and pause of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EncryptionStart {
    /// Central: key that the host wants in force, while that is under way.
    asked: Option<Key>,
    /// Central: its own diversifier.
    own: u64,
    /// Peripheral: diversifiers, the central's first, of a start that waits for the host's key.
    diversifiers: Option<(u64, u64)>,
    /// Encryption is being paused to take a new key, or starts again with it.
    refreshing: bool,
}

/// Long term key, and what names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Random number of the key.
    pub rand: u64,
    /// Diversifier of the key.
    pub ediv: u16,
    /// The key.
    pub key: [u8; 16],
}

/// Input of encryption start and pause.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come.
    Asked(Key),
    /// LL_ENC_REQ.
    Requested {
        /// Random number of the key.
        rand: u64,
        /// Diversifier of the key.
        ediv: u16,
        /// Central's half of the session key diversifier.
        skd: u64,
    },
    /// Answer of the peripheral's host: the key, or that there is none.
    Decided(Option<[u8; 16]>),
    /// LL_ENC_RSP, with the peripheral's half of the session key diversifier.
    Answered(u64),
    /// LL_START_ENC_REQ.
    StartRequested,
    /// LL_START_ENC_RSP.
    StartAnswered,
    /// The peer has acknowledged our LL_START_ENC_RSP.
    Acknowledged,
    /// LL_PAUSE_ENC_REQ.
    PauseRequested,
    /// LL_PAUSE_ENC_RSP.
    PauseAnswered,
    /// The peer has refused ours.
    Refused(Status),
}

impl EncryptionStart {
    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        match facts.role {
            Role::Central => self.central(facts, input),
            Role::Peripheral => self.peripheral(facts, input),
        }
    }

    /// True while the host owes a key.
    pub fn owes_key(&self) -> bool {
        self.diversifiers.is_some()
    }

    fn central(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        let now = facts.encryption;
        match (input, self.asked) {
            (Input::Asked(key), _) => {
                self.asked = Some(key);
                if !now.tx {
                    return self.request(facts, key);
                }
                self.refreshing = true;
                vec![Effect::HoldData(true), Effect::Send(Control::PauseEncReq)]
            }
            (Input::PauseAnswered, Some(key)) if now.tx => {
                let paused = Encryption { tx: false, rx: false, ..now };
                let mut effects = vec![Effect::Encryption(paused), Effect::Send(Control::PauseEncRsp)];
                effects.append(&mut self.request(facts, key));
                effects
            }
            (Input::Answered(skd), Some(Key { key, .. })) => {
                vec![Effect::Encryption(Encryption { session: session(&key, self.own, skd), ..now })]
            }
            (Input::StartRequested, Some(_)) => {
                let sealed = Encryption { tx: true, rx: true, ..now };
                vec![Effect::Encryption(sealed), Effect::Send(Control::StartEncRsp)]
            }
            (Input::StartAnswered, Some(_)) => self.settled(Status::SUCCESS),
            (Input::Refused(reason), Some(_)) => self.settled(reason),
            _ => vec![],
        }
    }

    fn request(&mut self, facts: &Facts<'_>, Key { rand, ediv, .. }: Key) -> Vec<Effect> {
        let (skd, iv) = diversifier(facts, 1);
        self.own = skd;
        vec![Effect::HoldData(true), Effect::Send(Control::EncReq { rand, ediv, skd, iv })]
    }

    fn peripheral(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        let now = facts.encryption;
        match input {
            Input::PauseRequested if now.rx && now.tx => {
                self.refreshing = true;
                // Until the central has the answer, it sends empty PDUs, which carry no MIC.
                let half = Encryption { rx: false, ..now };
                vec![Effect::HoldData(true), Effect::Send(Control::PauseEncRsp), Effect::Encryption(half)]
            }
            Input::PauseAnswered if self.refreshing && !now.rx => {
                vec![Effect::Encryption(Encryption { tx: false, ..now })]
            }
            Input::Requested { rand, ediv, skd } => {
                let (own, iv) = diversifier(facts, 2);
                self.diversifiers = Some((skd, own));
                let answer = Effect::Send(Control::EncRsp { skd: own, iv });
                vec![Effect::HoldData(true), answer, Effect::Tell(Told::KeyRequest { rand, ediv })]
            }
            Input::Decided(key) => self.decided(now, key),
            Input::StartAnswered if now.rx => {
                vec![Effect::Encryption(Encryption { tx: true, ..now }), Effect::Send(Control::StartEncRsp)]
            }
            Input::Acknowledged => self.settled(Status::SUCCESS),
            _ => vec![],
        }
    }

    /// The peripheral's host has answered the key request.
    fn decided(&mut self, now: Encryption, key: Option<[u8; 16]>) -> Vec<Effect> {
        let Some((central, own)) = self.diversifiers.take() else { return vec![] };
        match key {
            // What comes next is encrypted; what goes out is once the central has answered.
            Some(key) => {
                let half = Encryption { session: session(&key, central, own), rx: true, ..now };
                vec![Effect::Encryption(half), Effect::Send(Control::StartEncReq)]
            }
            // A link that was encrypted must not go on in the clear: it ends. Core 6.0, Vol 6, Part B, 5.1.3.2.
            None if self.refreshing => vec![Effect::Terminate(Status::PIN_OR_KEY_MISSING)],
            None => {
                let refusal = Control::RejectExtInd { opcode: opcode::ENC_REQ, reason: Status::PIN_OR_KEY_MISSING };
                vec![Effect::HoldData(false), Effect::Send(refusal)]
            }
        }
    }

    fn settled(&mut self, status: Status) -> Vec<Effect> {
        let refreshed = core::mem::take(&mut self.refreshing);
        let told = Effect::Tell(Told::Encryption { status, refreshed });
        let over = self.asked.take().map(|_| Effect::Over);
        [Effect::HoldData(false), told].into_iter().chain(over).collect()
    }
}

/// A session key diversifier that differs per connection, role and time. Real silicon draws it;
/// drawing here would make loss-free runs depend on the seed.
fn diversifier(facts: &Facts<'_>, salt: u64) -> (u64, u32) {
    let mixed = (u64::from(facts.link) << 16 | u64::from(facts.counter)).wrapping_mul(0x9e37_79b9_7f4a_7c15 + salt);
    (mixed, (mixed >> 32) as u32)
}
