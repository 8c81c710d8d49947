//! Version exchange. Core 6.0, Vol 6, Part B, 5.1.5.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::{Effect, Told};
use crate::ll::control::Control;

/// Version number of Core 6.0 and the company identifier for internal use. Assigned Numbers.
pub const VERSION: (u8, u16, u16) = (0x0e, 0xffff, 0x0001);

/// Version exchange of one connection. Each side says its version once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VersionExchange {
    /// The host waits for the peer's version.
    asked: bool,
    /// Ours has been sent.
    sent: bool,
    /// The peer's, once it has come.
    peer: Option<(u8, u16, u16)>,
}

/// Input of the version exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come.
    Asked,
    /// LL_VERSION_IND.
    Indicated((u8, u16, u16)),
    /// The peer has refused ours.
    Refused,
}

impl VersionExchange {
    /// Takes an input in.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Asked => {
                self.asked = true;
                if self.peer.is_some() { self.over() } else { vec![self.send()] }
            }
            Input::Indicated(version) => {
                self.peer = Some(version);
                let mut effects = if self.sent { vec![] } else { vec![self.send()] };
                effects.append(&mut self.over());
                effects
            }
            Input::Refused if core::mem::take(&mut self.asked) => vec![Effect::Over],
            Input::Refused => vec![],
        }
    }

    fn send(&mut self) -> Effect {
        self.sent = true;
        let (version, company, subversion) = VERSION;
        Effect::Send(Control::VersionInd { version, company, subversion })
    }

    /// Tells a host that waits about the peer's version.
    fn over(&mut self) -> Vec<Effect> {
        match (core::mem::take(&mut self.asked), self.peer) {
            (true, Some((version, company, subversion))) => {
                vec![Effect::Tell(Told::Version(version, company, subversion)), Effect::Over]
            }
            _ => vec![],
        }
    }
}
