//! Facts about a connection: what its procedures decide by and do not own.

use airtime_core::{Duration, Instant};

use crate::air::Phy;
use crate::hci::event;
use crate::ll::connection::{Connection, Context, Encryption, Timing};
use crate::personality;
use crate::words::Role;

/// Events between sending an instant and the instant. Core 6.0, Vol 6, Part B, 5.1.1 asks for at least 6.
const INSTANT_AHEAD: u16 = 6;

/// Facts about a connection when an input comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    /// The time.
    pub now: Instant,
    /// Behaviour of this controller.
    pub personality: &'a personality::Controller,
    /// The host takes the event that asks it about other parameters.
    pub host_decides: bool,
    /// Role of this side.
    pub role: Role,
    /// Access address.
    pub link: u32,
    /// Counter of the running event, or of the next one.
    pub counter: u16,
    /// Counter of the event that a PDU which is made now goes out in, at the earliest.
    pub sends_in: u16,
    /// Timing in force.
    pub timing: Timing,
    /// Events of which one is used.
    pub factor: u16,
    /// The host of this side has said that it supports connection subrating.
    pub host_subrates: bool,
    /// PHYs in force: to send and to receive on.
    pub phys: (Phy, Phy),
    /// Gap this side leaves.
    pub frame_space: Duration,
    /// Shortest and longest gap the other side may leave.
    pub peer_space: (Duration, Duration),
    /// Encryption in force.
    pub encryption: Encryption,
}

impl<'a> Facts<'a> {
    /// Facts about `connection` now.
    pub fn of(connection: &Connection, ctx: &Context<'a>) -> Self {
        let waits = connection.event.is_some() && ctx.personality.controls_wait;
        Self {
            now: ctx.now,
            personality: ctx.personality,
            host_decides: ctx.out.wants_le(event::LE_REMOTE_PARAMETER_REQUEST),
            role: connection.role,
            link: connection.link,
            counter: connection.counter,
            sends_in: connection.counter.wrapping_add(u16::from(waits)),
            timing: connection.timing,
            factor: connection.subrating.factor(),
            host_subrates: ctx.out.host_subrates,
            phys: (connection.tx_phy, connection.rx_phy),
            frame_space: connection.frame_space,
            peer_space: connection.peer_space,
            encryption: connection.encryption,
        }
    }

    /// Instant for a change that is announced now.
    pub fn instant(&self) -> u16 {
        // Those that the peripheral listens in: Core 6.2, Vol 6, Part B, 5.5.
        self.sends_in.wrapping_add((INSTANT_AHEAD + self.timing.latency) * self.factor)
    }

    /// Tells if `instant` lies ahead; a connection whose instant has passed is over.
    /// Core 6.0, Vol 6, Part B, 5.5.
    pub fn is_ahead(&self, instant: u16) -> bool {
        let ahead = instant.wrapping_sub(self.counter);
        ahead != 0 && ahead < 0x8000
    }
}
