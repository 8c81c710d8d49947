//! Inputs of a connection's procedures, and their effects on it.

use alloc::vec::Vec;

use airtime_core::Duration;

use super::effect::Effect;
use super::facts::Facts;
use super::tell::{tell, tell_length};
use super::{Local, Procedures, channel_map, parameters, phy};
use crate::hci::Status;
use crate::ll::connection::{Connection, Context};
use crate::ll::control::{Control, ParameterRequest, Unreadable};
use crate::ll::pdu::UNIT_10_MS;
use crate::ll::subrating::Subrating;

impl Connection {
    /// Starts a procedure, or queues it behind the running one. The caller has asked
    /// [`Procedures::is_full`]: what goes beyond it is left out.
    pub fn start(&mut self, ctx: &mut Context<'_>, local: Local) {
        let now = match local {
            // The end waits for no turn.
            Local::Terminate(_) => Some(local),
            local => self.procedures.turn.ask(local, ctx.now),
        };
        if let Some(local) = now {
            self.step(ctx, |procedures, facts| procedures.begin(facts, local));
        }
    }

    /// A control PDU has arrived.
    pub(crate) fn control(&mut self, ctx: &mut Context<'_>, payload: &[u8]) {
        match Control::parse(payload) {
            Ok(control) => self.step(ctx, |procedures, facts| procedures.receive(facts, control)),
            Err(Unreadable::Unknown(opcode)) => self.send(ctx, Control::UnknownRsp { opcode }),
            Err(Unreadable::Empty) => {}
        }
    }

    /// One of our control PDUs was acknowledged.
    pub(crate) fn control_acknowledged(&mut self, ctx: &mut Context<'_>, code: u8) {
        self.step(ctx, |procedures, facts| procedures.acknowledged(facts, code));
    }

    /// The peripheral's host has answered the key request.
    pub fn answer_key(&mut self, ctx: &mut Context<'_>, key: Option<[u8; 16]>) {
        self.step(ctx, |procedures, facts| procedures.answer_key(facts, key));
    }

    /// The host has answered a parameter request.
    pub fn answer_parameters(&mut self, ctx: &mut Context<'_>, answer: Result<ParameterRequest, Status>) {
        self.step(ctx, |procedures, facts| procedures.answer_parameters(facts, answer));
    }

    /// Lets take effect what is due at the event that has become the next one.
    pub(crate) fn apply_instants(&mut self, ctx: &mut Context<'_>) {
        self.queue.begin_event();
        if self.procedures.map.instant() == Some(self.counter) {
            self.step(ctx, |procedures, facts| procedures.map.handle(facts, channel_map::Input::Instant));
        }
        if self.procedures.phy.instant() == Some(self.counter) {
            self.step(ctx, |procedures, facts| procedures.phy.handle(facts, phy::Input::Instant));
        }
        if self.procedures.parameters.instant() == Some(self.counter) {
            self.step(ctx, |procedures, facts| procedures.parameters.handle(facts, parameters::Input::Instant));
        }
    }

    /// Ends the connection when a procedure has had no answer for too long; says whether it did.
    pub fn check_procedure(&mut self, ctx: &mut Context<'_>) -> bool {
        let late = ctx.now >= self.procedures.deadline();
        if late {
            self.step(ctx, |procedures, facts| procedures.late(facts));
        }
        late
    }

    /// Gives the procedures an input, and carries out what they want done.
    fn step(&mut self, ctx: &mut Context<'_>, input: impl FnOnce(&mut Procedures, &Facts<'_>) -> Vec<Effect>) {
        let facts = Facts::of(self, ctx);
        for effect in input(&mut self.procedures, &facts) {
            self.apply(ctx, effect);
        }
    }

    fn apply(&mut self, ctx: &mut Context<'_>, effect: Effect) {
        match effect {
            Effect::Send(control) => self.send(ctx, control),
            Effect::HoldData(held) => self.queue.pause_data(held),
            Effect::Encryption(encryption) => self.encryption = encryption,
            Effect::OwnOffer(offer) => self.lengths.local = offer,
            Effect::PeerOffer(offer) => {
                self.lengths.remote = offer;
                self.change_lengths(ctx);
            }
            Effect::Phys { tx, rx } => {
                (self.tx_phy, self.rx_phy) = (tx, rx);
                self.change_lengths(ctx);
            }
            Effect::Timing { timing, offset, window } => {
                if timing.interval != self.timing.interval {
                    // Core 6.2, Vol 6, Part B, 5.1.1.
                    self.subrating = Subrating::default();
                }
                (self.timing, self.window) = (timing, window);
                self.anchor += offset;
                // Its new anchor has to be found first.
                self.following = None;
                self.refresh_lengths();
            }
            Effect::Map(map) => self.map = map,
            Effect::PeerSpace(shortest, longest) => self.peer_space = (shortest, longest),
            Effect::Space { space, phys } => self.adopt_space(space, phys),
            Effect::ComingSubrating(update) => self.coming = Some(Subrating::at(self.counter, &update)),
            Effect::Subrating(update) => {
                self.coming = None;
                self.subrating = Subrating::at(self.counter, &update);
                self.timing.latency = update.latency;
                self.timing.timeout = UNIT_10_MS * u64::from(update.timeout);
            }
            Effect::Tell(told) => tell(self, ctx.out, told),
            Effect::Over => {
                if let Some(next) = self.procedures.turn.over(ctx.now) {
                    self.step(ctx, |procedures, facts| procedures.begin(facts, next));
                }
            }
            Effect::Terminate(reason) => self.start(ctx, Local::Terminate(reason)),
            Effect::End(reason) => self.end(reason),
        }
    }

    fn send(&mut self, ctx: &mut Context<'_>, control: Control) {
        let payload = control.emit(ctx.out.pool());
        if self.event.is_some() && ctx.personality.controls_wait {
            self.queue.push_control_later(payload);
        } else {
            self.queue.push_control(payload);
        }
        self.wake_up(ctx);
    }

    fn change_lengths(&mut self, ctx: &mut Context<'_>) {
        let before = self.effective;
        self.refresh_lengths();
        if self.effective != before {
            tell_length(self, ctx.out);
        }
    }

    /// Sends at the new spacing from now on and hears both, because the peer changes at its own time.
    fn adopt_space(&mut self, space: Duration, phys: u8) {
        let (shortest, longest) = self.peer_space;
        self.peer_space = (shortest.min(space), longest.max(space));
        for (index, own) in self.spaces.iter_mut().enumerate() {
            if phys >> index & 1 == 1 {
                *own = space;
            }
        }
        self.refresh_lengths();
    }
}
