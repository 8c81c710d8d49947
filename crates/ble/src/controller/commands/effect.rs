//! Effects of commands outside of the part that has carried them out.

use airtime_core::Instant;

use super::Controller;
use crate::controller::Holder;
use crate::hci::Status;
use crate::ll::control::ParameterRequest;
use crate::ll::procedure::Local;
use crate::words::Role;

/// Effect of a command outside of its part; the controller carries it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::controller) enum Effect {
    /// The radio is free, if this one has it.
    Release(Holder),
    /// The connections of a central use these channels.
    ChannelMap(u64),
    /// A procedure of ours starts on the connection in this slot.
    Start(usize, Local),
    /// A length procedure starts on the connection in this slot, with so many octets and µs to send.
    Length(usize, u16, u16),
    /// The host has answered the peer's request for parameters.
    Parameters(usize, Result<ParameterRequest, Status>),
    /// The host has given the key that was asked for, or has none.
    Key(usize, Option<[u8; 16]>),
    /// The host is told that its attempt at a connection came to nothing.
    NoConnection,
}

impl Controller {
    pub(super) fn carry_out(&mut self, now: Instant, effect: Effect) {
        match effect {
            Effect::Release(holder) if self.holder == holder => {
                self.out.listen(None);
                self.holder = Holder::Nobody;
            }
            Effect::Release(_) => {}
            Effect::ChannelMap(map) => self.use_channels(now, map),
            Effect::Start(slot, local) => {
                self.with(slot, now, |connection, ctx| connection.start(ctx, local));
            }
            Effect::Length(slot, octets, time) => {
                self.with(slot, now, |connection, ctx| {
                    connection.procedures.set_tx_offer(octets, time);
                    connection.start(ctx, Local::Length);
                });
            }
            Effect::Parameters(slot, answer) => {
                self.with(slot, now, |connection, ctx| connection.answer_parameters(ctx, answer));
            }
            Effect::Key(slot, key) => {
                self.with(slot, now, |connection, ctx| connection.answer_key(ctx, key));
            }
            // Core 6.0, Vol 4, Part E, 7.8.13: the cancelled attempt ends with a Connection Complete.
            Effect::NoConnection => self.report_no_connection(Status::UNKNOWN_CONNECTION, Role::Central),
        }
    }

    fn use_channels(&mut self, now: Instant, map: u64) {
        for slot in 0..self.connections.len() {
            self.with(slot, now, |connection, ctx| {
                if connection.role == Role::Central && connection.map.bits() != map {
                    connection.start(ctx, Local::ChannelMap(map));
                }
            });
        }
    }
}
