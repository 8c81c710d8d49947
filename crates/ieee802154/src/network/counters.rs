//! Counts of each sender.

use core::iter::Sum;
use core::ops::Add;

use crate::trace::DropPoint;

/// Counts of one sender, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Frames, or datagrams, that the application offered.
    pub offered: u64,
    /// Frames that the MAC was given.
    pub handed: u64,
    /// Frames with data on the air, retransmissions included.
    pub frames: u64,
    /// Retransmissions among them.
    pub retries: u64,
    /// Frames that were confirmed as sent.
    pub confirmed: u64,
    /// Frames that arrived for the first time, at the radio of their receiver.
    pub delivered: u64,
    /// Datagrams of which the MAC was given a frame; of plain frames there are none.
    pub datagrams: u64,
    /// Datagrams that arrived whole, or plain frames that the receiver's host has.
    pub arrived: u64,
    /// Octets on the line of a sender's co-processor, both ways.
    pub uart: u64,
    /// Octets on the line of the receiver's co-processor, about frames with payload of the sender.
    pub uart_receiver: u64,
    /// Times that the receiver's co-processor acknowledged a frame and had no room for it: one that is sent again may be refused again.
    pub overrun: u64,
    /// Octets of payload in what arrived: datagrams that are whole, or plain frames that the receiver's host has.
    pub payload: u64,
    /// Frames that had arrived already.
    pub duplicates: u64,
    /// Frames damaged by another transmission.
    pub collisions: u64,
    /// Frames damaged or hidden by noise, or missed by a receiver that did not listen.
    pub lost: u64,
    /// Frames among them that the receiver did not notice.
    pub missed: u64,
    /// Frames among them whose check was wrong.
    pub damaged: u64,
    /// Acknowledgements that arrived.
    pub acks: u64,
    /// Acknowledgements that were sent and did not arrive.
    pub acks_lost: u64,
    /// Acknowledgements among them that the sender did not notice.
    pub acks_missed: u64,
    /// Acknowledgements among them whose check was wrong, collisions aside.
    pub acks_damaged: u64,
    /// Clear channel assessments.
    pub cca: u64,
    /// Assessments that found the channel busy.
    pub cca_busy: u64,
    /// Frames dropped, by place: [`DropPoint::ALL`].
    pub drops: [u64; DropPoint::ALL.len()],
}

impl Counters {
    /// Every count of frames under the name that records give it.
    pub fn named(&self) -> [(&'static str, u64); 21] {
        let [queue, channel_access, no_ack] = self.drops;
        [
            ("data.offered", self.offered),
            ("data.handed", self.handed),
            ("data.sent", self.frames),
            ("data.retransmissions", self.retries),
            ("data.confirmed", self.confirmed),
            ("data.delivered", self.delivered),
            ("payload_octets", self.payload),
            ("data.duplicates", self.duplicates),
            ("data.collided", self.collisions),
            ("data.lost", self.lost),
            ("data.missed", self.missed),
            ("data.damaged", self.damaged),
            ("acks", self.acks),
            ("acks.lost", self.acks_lost),
            ("acks.missed", self.acks_missed),
            ("acks.damaged", self.acks_damaged),
            ("cca", self.cca),
            ("cca.busy", self.cca_busy),
            (DropPoint::Queue.name(), queue),
            (DropPoint::ChannelAccess.name(), channel_access),
            (DropPoint::NoAck.name(), no_ack),
        ]
    }

    /// Datagrams of which the MAC was given a frame, or plain frames.
    pub const fn units(&self) -> u64 {
        if self.datagrams > 0 { self.datagrams } else { self.handed }
    }

    /// Counts since `earlier`, an earlier state of the same ones.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            offered: self.offered - earlier.offered,
            handed: self.handed - earlier.handed,
            frames: self.frames - earlier.frames,
            retries: self.retries - earlier.retries,
            confirmed: self.confirmed - earlier.confirmed,
            delivered: self.delivered - earlier.delivered,
            uart: self.uart - earlier.uart,
            uart_receiver: self.uart_receiver - earlier.uart_receiver,
            overrun: self.overrun - earlier.overrun,
            datagrams: self.datagrams - earlier.datagrams,
            arrived: self.arrived - earlier.arrived,
            payload: self.payload - earlier.payload,
            duplicates: self.duplicates - earlier.duplicates,
            collisions: self.collisions - earlier.collisions,
            lost: self.lost - earlier.lost,
            missed: self.missed - earlier.missed,
            damaged: self.damaged - earlier.damaged,
            acks: self.acks - earlier.acks,
            acks_lost: self.acks_lost - earlier.acks_lost,
            acks_missed: self.acks_missed - earlier.acks_missed,
            acks_damaged: self.acks_damaged - earlier.acks_damaged,
            cca: self.cca - earlier.cca,
            cca_busy: self.cca_busy - earlier.cca_busy,
            drops: core::array::from_fn(|at| self.drops[at] - earlier.drops[at]),
        }
    }

    /// Frames dropped at `at`.
    pub const fn dropped(&self, at: DropPoint) -> u64 {
        self.drops[at as usize]
    }
}

impl Add for Counters {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            offered: self.offered + other.offered,
            handed: self.handed + other.handed,
            frames: self.frames + other.frames,
            retries: self.retries + other.retries,
            confirmed: self.confirmed + other.confirmed,
            delivered: self.delivered + other.delivered,
            uart: self.uart + other.uart,
            uart_receiver: self.uart_receiver + other.uart_receiver,
            overrun: self.overrun + other.overrun,
            datagrams: self.datagrams + other.datagrams,
            arrived: self.arrived + other.arrived,
            payload: self.payload + other.payload,
            duplicates: self.duplicates + other.duplicates,
            collisions: self.collisions + other.collisions,
            lost: self.lost + other.lost,
            missed: self.missed + other.missed,
            damaged: self.damaged + other.damaged,
            acks: self.acks + other.acks,
            acks_lost: self.acks_lost + other.acks_lost,
            acks_missed: self.acks_missed + other.acks_missed,
            acks_damaged: self.acks_damaged + other.acks_damaged,
            cca: self.cca + other.cca,
            cca_busy: self.cca_busy + other.cca_busy,
            drops: core::array::from_fn(|at| self.drops[at] + other.drops[at]),
        }
    }
}

impl Sum for Counters {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::default(), Self::add)
    }
}
