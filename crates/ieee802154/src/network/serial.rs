//! The line between a sender's host and its radio co-processor.

use airtime_core::{Duration, Instant, Packet, Pool};

use super::Config;
use crate::rcp::{Attributes, Confirmation, Uart, hdlc, transmit};
use crate::trace::DropPoint;
use crate::wire::{ack, fcs};

/// Place of the sequence number in a PSDU. 7.2.
const SEQUENCE: usize = 2;

/// A host's side of the line: one frame is on its way to the co-processor, or sent by it, at a time.
#[derive(Debug)]
pub(super) struct Serial {
    uart: Uart,
    with: Attributes,
    /// Octets at the end of a frame that the co-processor fills in.
    blank: usize,
    secured: bool,
    acknowledged: bool,
    pool: Pool,
    /// Number of the next frame.
    number: u32,
    /// Sequence number of the frame that the co-processor has.
    sequence: u8,
    /// MAC payload on the line, and when all of its frame has arrived.
    under_way: Option<(Instant, Packet)>,
}

impl Serial {
    pub(super) fn new(config: &Config, uart: Uart, pool: &Pool) -> Self {
        let Config { channel, max_backoffs, retries, csma, security, ack, .. } = *config;
        Self {
            uart,
            with: Attributes { channel, max_backoffs, retries, csma },
            blank: security.level.mic_octets() + fcs::OCTETS,
            secured: security.header_octets() > 0,
            acknowledged: ack,
            pool: pool.clone(),
            number: 0,
            sequence: 0,
            under_way: None,
        }
    }

    /// The host begins to send `psdu`, in which the MAC carries `payload`; octets on the line.
    pub(super) fn send(&mut self, now: Instant, psdu: &[u8], payload: &[u8]) -> usize {
        let mut message = self.pool.packet();
        transmit(self.number, psdu, self.blank, self.with, &mut message);
        let octets = hdlc::octets(&message);
        self.sequence = psdu.get(SEQUENCE).copied().unwrap_or(0);
        self.under_way = Some((now + self.uart.time(octets), self.pool.copy(payload)));
        octets
    }

    /// The payload that has arrived at the co-processor by `now`.
    pub(super) fn take(&mut self, now: Instant) -> Option<Packet> {
        self.under_way.take_if(|(until, _)| *until <= now).map(|(_, payload)| payload)
    }

    /// Flag: a frame is on the line.
    pub(super) fn is_busy(&self) -> bool {
        self.under_way.is_some()
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.under_way.as_ref().map(|(until, _)| *until)
    }

    /// The co-processor is done with its frame and says so; octets on the line, and their time.
    pub(super) fn confirm(&mut self, now: Instant, result: Result<(), DropPoint>) -> (usize, Duration) {
        let mut answer = self.pool.packet();
        if self.acknowledged {
            ack(self.sequence, &mut answer);
        }
        let confirmation = match result {
            Ok(()) => Confirmation::Sent(&answer),
            Err(DropPoint::ChannelAccess) => Confirmation::ChannelAccess,
            Err(_) => Confirmation::NoAck,
        };
        let mut message = self.pool.packet();
        let counter = self.secured.then_some(self.number);
        confirmation.put(self.number, self.with.channel, counter, now, &mut message);
        self.number = self.number.wrapping_add(1);
        let octets = hdlc::octets(&message);
        (octets, self.uart.time(octets))
    }
}
