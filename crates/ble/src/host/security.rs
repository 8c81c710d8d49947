//! The Security Manager that this host does not have: keys are given to it, and whoever wants to pair is told so at once,
//! instead of waiting for 30 s (Core 6.0, Vol 3, Part H, 3.4).

use super::Role;
use super::link::{Env, Link};

/// Codes of commands. Core 6.0, Vol 3, Part H, 3.3.
const PAIRING_REQUEST: u8 = 0x01;
const PAIRING_FAILED: u8 = 0x05;
const SECURITY_REQUEST: u8 = 0x0b;

/// Reason of a failure: Pairing Not Supported. Core 6.0, Vol 3, Part H, 3.5.5.
const PAIRING_NOT_SUPPORTED: u8 = 0x05;

impl Link {
    /// A command of the peer's Security Manager. A peripheral is asked to pair, a central to begin it (Core 6.0, Vol 3, Part H,
    /// 2.4.6); every other command is part of what never begins here.
    pub(super) fn on_security(&mut self, command: &[u8], env: &mut Env<'_>) {
        let asks = match self.role {
            Role::Peripheral => PAIRING_REQUEST,
            Role::Central => SECURITY_REQUEST,
        };
        if command.first() == Some(&asks) {
            self.refusal = Some(env.out.pool.copy(&[PAIRING_FAILED, PAIRING_NOT_SUPPORTED]));
        }
    }
}
