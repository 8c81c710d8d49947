//! One frame, octet by octet.

use airtime_core::Instant;

use super::{Account, Books, PAYLOADS, Phase};
use crate::trace::{OnAir, Purpose, Reception, Upload};

impl Books {
    /// A payload of the sender has ended.
    pub(super) fn frame(
        &mut self,
        on_air: &OnAir,
        upload: u32,
        attempt: u8,
        wants_ack: bool,
        received: Option<Reception>,
    ) {
        let made_of = self.uploads[0].of(upload);
        self.count_frame(made_of, attempt, received);
        self.full = received == Some(Reception::FifoFull);
        if matches!(received, Some(Reception::New | Reception::Duplicate)) {
            self.got = Some(upload);
        }
        match received {
            _ if !self.streaming => self.ledger.book(Account::Setup, on_air.end),
            Some(Reception::New) => self.arrived(0, on_air, made_of, Account::PhyOverhead),
            Some(Reception::Duplicate) => self.ledger.book(Account::Retransmission, on_air.end),
            _ => {
                self.ledger.book(if self.full { Account::FifoFull } else { Account::Loss }, on_air.end);
                // What wants an acknowledgement is lost only when the chip gives up.
                if let Some(upload) = made_of.filter(|_| !wants_ack) {
                    self.missed(&upload);
                }
            }
        }
        self.last = Some((upload, on_air.end));
        self.enter(Phase::Idle, on_air.end);
    }

    /// An acknowledgement of the receiver has ended.
    pub(super) fn acknowledgement(
        &mut self,
        on_air: &OnAir,
        upload: Option<u32>,
        received: Option<(usize, Reception)>,
    ) {
        if received != Some((self.link.sender, Reception::Ack)) {
            self.counts.acks_lost += 1;
            self.counts.acks_missed += u64::from(received.is_none());
            self.counts.acks_bad_crc += u64::from(received == Some((self.link.sender, Reception::BadCrc)));
            return;
        }
        self.counts.acks += 1;
        if !self.streaming {
            self.ledger.book(Account::Setup, on_air.end);
        } else {
            self.ledger.book(Account::Ack, on_air.start);
            match upload {
                Some(upload) => self.arrived(1, on_air, self.uploads[1].of(upload), Account::Ack),
                None => self.ledger.book(Account::Ack, on_air.end),
            }
        }
        self.enter(Phase::Idle, on_air.end);
    }

    /// Books a frame that was new to its receiver; what is not payload of the chip goes to `framing`.
    fn arrived(&mut self, side: usize, on_air: &OnAir, made_of: Option<Upload>, framing: Account) {
        let around = self.link.framing.time(0);
        let octet = on_air.rate.bit() * 8;
        let octets = on_air.time().saturating_sub(around) / octet;
        // Whoever does not say what a payload is made of has a driver without tunnel: all of it is its application's.
        let upload = made_of.unwrap_or(Upload { payload: octets as u8, ..Upload::default() });
        match upload.purpose {
            Purpose::Control => return self.ledger.book(Account::Control, on_air.end),
            Purpose::Repeat if !self.packets[side].recovered(&upload) => {
                return self.ledger.book(Account::Retransmission, on_air.end);
            }
            Purpose::Repeat | Purpose::New => {}
        }
        // The order inside the frame does not matter to the sums; payload is last and ends with the frame.
        let mut at: Instant = on_air.start + around;
        self.ledger.book(framing, at.min(on_air.end));
        for (account, octets) in [(Account::Chunk, upload.tunnel), (Account::Headers, upload.headers)] {
            at += octet * u64::from(octets);
            self.ledger.book(account, at.min(on_air.end));
        }
        let booked = on_air.end.saturating_since(self.ledger.cursor());
        let direction = self.direction_of(side);
        match &mut self.transits {
            Some(transits) => {
                transits[direction].aired(&mut self.ledger, on_air.end);
            }
            None => self.ledger.book(PAYLOADS[direction], on_air.end),
        }
        if made_of.is_some() {
            let given_up = self.packets[side].arrived(&upload, booked);
            self.waste(side, 0, given_up.unwrap_or_default());
        }
    }

    /// Notes that a payload is missing at the receiver. One that the tunnel sends again is missing already, or has arrived.
    pub(super) fn missed(&mut self, upload: &Upload) {
        if upload.purpose == Purpose::New {
            let given_up = self.packets[0].lost(upload);
            self.waste(0, 0, given_up.unwrap_or_default());
        }
    }

    fn count_frame(&mut self, made_of: Option<Upload>, attempt: u8, received: Option<Reception>) {
        let purpose = made_of.map_or(Purpose::New, |upload| upload.purpose);
        let counts = &mut self.counts;
        counts.frames += 1;
        counts.retransmissions += u64::from(attempt > 0);
        counts.repeats += u64::from(purpose == Purpose::Repeat && attempt == 0);
        counts.control += u64::from(purpose == Purpose::Control);
        match received {
            Some(Reception::New) => counts.data += u64::from(purpose != Purpose::Control),
            Some(Reception::Duplicate) => counts.duplicates += 1,
            _ => counts.lost += 1,
        }
        counts.missed += u64::from(received.is_none());
        counts.bad_crc += u64::from(received == Some(Reception::BadCrc));
        counts.fifo_full += u64::from(received == Some(Reception::FifoFull));
    }
}
