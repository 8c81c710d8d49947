//! The one stream that ledger, counters and captures are made of: transmissions, phases of a sender, deliveries and drops.

use airtime_core::{Duration, Instant};

/// Transmission that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Sender, by its place in the network.
    pub from: usize,
    /// Receiver, by its place.
    pub to: usize,
    /// Station whose payload it is about, by its place: that of the frame, or of the frame that is acknowledged, whoever passes it on.
    pub of: usize,
    /// End of the last symbol.
    pub until: Instant,
}

/// One transmission on the air, told when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnAir {
    /// Sender, by its place in the network; the receiver of all data is 0.
    pub from: usize,
    /// Receiver, by its place.
    pub to: usize,
    /// Channel of the radio, 11..=26.
    pub channel: u8,
    /// First symbol of the preamble.
    pub start: Instant,
    /// End of the last symbol.
    pub end: Instant,
    /// Kind of frame.
    pub sent: Sent,
    /// Fate at its receiver.
    pub fate: Fate,
}

impl OnAir {
    /// Time on the air.
    pub fn time(&self) -> Duration {
        self.end - self.start
    }

    /// Correctness of the check behind the frame, as a capture has it.
    pub const fn fcs_valid(&self) -> bool {
        !matches!(self.fate, Fate::Collided | Fate::Lost)
    }
}

/// Kind of a transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Frame with data.
    Data {
        /// Octets of the PSDU by what they are for.
        parts: Parts,
        /// Number of the transmission: 0 for the first time on the air, then that of the retransmission.
        attempt: u8,
    },
    /// Acknowledgement frame.
    Ack,
}

/// Octets of a PSDU with data, by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Parts {
    /// Octets of payload in the frame.
    pub payload: u8,
    /// Headers of layers above in front of it: fragments, compressed IPv6 and UDP.
    pub adaptation: u8,
    /// Frame control, sequence number, addresses and check.
    pub mac: u8,
    /// Auxiliary security header and MIC.
    pub security: u8,
}

/// Fate of a transmission at its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Data that was new.
    New,
    /// Data that had arrived already.
    Duplicate,
    /// An acknowledgement that somebody waited for.
    Acknowledged,
    /// Damaged by another transmission at the same time.
    Collided,
    /// Damaged by noise.
    Lost,
    /// Hidden by noise: its receiver found no start-of-frame delimiter.
    Missed,
    /// Missed by a receiver that transmitted, or turned around.
    Unheard,
    /// Passed over by its receiver: for somebody else, malformed, or an acknowledgement that nobody waited for.
    Refused,
}

/// Phase of a sender: each instant of its time belongs to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The application has nothing to send.
    App,
    /// The host gets the next frame ready.
    Host,
    /// The frame, or the confirmation of the last one, is on the line of a co-processor.
    Serial,
    /// Inter-frame space behind a frame.
    Spacing,
    /// Backoff in front of this transmission.
    Backoff {
        /// Number of the transmission, as of [`Sent::Data`].
        attempt: u8,
    },
    /// Clear channel assessment in front of this transmission.
    Cca {
        /// Number of the transmission, as of [`Sent::Data`].
        attempt: u8,
    },
    /// From receiving to transmitting in front of this transmission.
    Turnaround {
        /// Number of the transmission, as of [`Sent::Data`].
        attempt: u8,
    },
    /// A frame is on the air.
    Sending,
    /// An acknowledgement is waited for.
    AwaitsAck,
}

/// Place where a frame was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DropPoint {
    /// The bounded queue of the host.
    Queue,
    /// The channel was busy too often: CHANNEL_ACCESS_FAILURE.
    ChannelAccess,
    /// No acknowledgement came for any attempt: NO_ACK. Its data may have arrived all the same.
    NoAck,
}

impl DropPoint {
    /// Every place that drops packets.
    pub const ALL: [Self; 3] = [Self::Queue, Self::ChannelAccess, Self::NoAck];

    /// Name, as records have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queue => "drops.queue",
            Self::ChannelAccess => "drops.channel_access",
            Self::NoAck => "drops.no_ack",
        }
    }
}

/// Data that has arrived for the first time: of a frame, or a datagram that is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Sender, by its place in the network.
    pub from: usize,
    /// Octets of payload.
    pub octets: u16,
    /// Instant at which its application offered it.
    pub offered: Instant,
    /// Instant at which its MAC got it, or the first frame of it.
    pub handed: Instant,
    /// Instant at which its last symbol arrived.
    pub arrived: Instant,
}

impl Delivery {
    /// Time from the hand-over to the MAC to the reception. What is handed over within the space behind the last frame waits for the
    /// rest of that first.
    pub fn latency(&self) -> Duration {
        self.arrived - self.handed
    }
}
