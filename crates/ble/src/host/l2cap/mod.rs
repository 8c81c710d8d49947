//! L2CAP: signalling and LE credit-based channels. Core 6.0, Vol 3, Part A.

pub(super) mod channel;
pub(super) mod credits;
mod signalling;

use super::link::{Env, Link};
use super::{ChannelEnd, ChannelId, HostEvent, Refused, Violation};
use crate::l2cap::signal::Signal;
use channel::{Arrived, State};

impl Link {
    /// A K-frame for our channel `id`.
    pub(super) fn on_k_frame(&mut self, id: ChannelId, payload: &[u8], env: &mut Env<'_>) {
        let Some(at) = self.channels.iter().position(|c| c.id == id && c.is_open()) else { return };
        let taken = match self.channels[at].receiver.on_k_frame(payload) {
            Ok(taken) => taken,
            Err(violation) => return self.break_off(at, violation, env),
        };
        match taken.sdu {
            Some(Arrived::Counted(sdu)) => env.out.event(HostEvent::Received { conn: self.handle, channel: id, sdu }),
            Some(Arrived::Kept(octets)) => env.out.octets(self.handle, id, octets),
            None => (),
        }
        self.indicate_credits(id, taken.grant, env);
    }

    /// A PDU for `id` was longer than anything we take.
    pub(super) fn on_too_long(&mut self, id: ChannelId, env: &mut Env<'_>) {
        if let Some(at) = self.channels.iter().position(|c| c.id == id && c.is_open()) {
            self.break_off(at, Violation::AboveMps, env);
        }
    }

    /// Closes an open channel at the application's wish.
    pub(super) fn close_channel(&mut self, id: ChannelId, env: &mut Env<'_>) -> Result<(), Refused> {
        let at = self.channels.iter().position(|c| c.id == id && c.is_open());
        self.end_channel(at.ok_or(Refused::UnknownChannel)?, ChannelEnd::ByUs, env);
        Ok(())
    }

    /// A channel whose peer breaks the rules is disconnected. Core 6.0, Vol 3, Part A, 10.1.
    fn break_off(&mut self, at: usize, violation: Violation, env: &mut Env<'_>) {
        self.end_channel(at, ChannelEnd::Violation(violation), env);
    }

    fn end_channel(&mut self, at: usize, reason: ChannelEnd, env: &mut Env<'_>) {
        let channel = &mut self.channels[at];
        channel.state = State::Closing;
        channel.sender.clear();
        let (id, peer_id) = (channel.id, channel.peer_id);
        let identifier = self.next_identifier();
        self.signal(identifier, Signal::DisconnectRequest { destination: peer_id, source: id }, env);
        env.out.event(HostEvent::ChannelClosed { conn: self.handle, channel: id, reason });
    }

    /// Grants the peer of our channel `id` that many more K-frames.
    fn indicate_credits(&mut self, id: ChannelId, credits: u16, env: &mut Env<'_>) {
        if credits > 0 {
            let identifier = self.next_identifier();
            self.signal(identifier, Signal::Credits { cid: id, credits }, env);
        }
    }

    fn next_identifier(&mut self) -> u8 {
        // Zero is not an identifier: Core 6.0, Vol 3, Part A, 4.
        self.identifier = self.identifier.checked_add(1).unwrap_or(1);
        self.identifier
    }

    fn signal(&mut self, identifier: u8, signal: Signal, env: &mut Env<'_>) {
        self.signals.push_back(signal.emit(&env.out.pool, identifier));
    }
}
