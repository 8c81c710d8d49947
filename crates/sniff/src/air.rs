//! The terms a link runs on, as far as the air has shown them.

use airtime_ble::air::{DATA_OCTETS_MIN, Phy, T_IFS};
use airtime_ble::ll::length::{DataLength, Offer};
use airtime_core::Duration;

use super::seen::{PERIPHERAL, Seen};

/// Terms of the air.
#[derive(Clone, Debug)]
pub(super) struct Air {
    /// PHY each side sends on.
    pub phy: [Phy; 2],
    /// Data length offers of each side; initial until they are exchanged.
    pub offers: [Offer; 2],
    /// The exchange of data lengths would have been seen.
    pub from_start: bool,
    /// Longest payload each side has sent, MIC not counted.
    pub octets: [u16; 2],
    /// Gap on 1M, 2M and LE Coded.
    pub spaces: [Duration; 3],
    /// Payloads carry a MIC.
    pub encrypted: bool,
    /// Interval in use.
    pub interval: Duration,
    /// Time of the longest PDU each side may send.
    longest: [Duration; 2],
}

const fn index(phy: Phy) -> usize {
    match phy {
        Phy::Le1M => 0,
        Phy::Le2M => 1,
        Phy::LeCodedS2 | Phy::LeCodedS8 => 2,
    }
}

impl Air {
    /// Parameters at the start of a connection; the lengths are learnt from the packets unless its beginning is seen.
    pub fn new(from_start: bool, interval: Duration) -> Self {
        let mut air = Self {
            phy: [Phy::Le1M; 2],
            offers: [Offer::INITIAL; 2],
            from_start,
            octets: [0; 2],
            spaces: [T_IFS; 3],
            encrypted: false,
            interval,
            longest: [Duration::ZERO; 2],
        };
        air.refresh();
        air
    }

    /// Takes in what a packet shows.
    pub fn note(&mut self, packet: &Seen) {
        let octets = (packet.octets() - packet.mic) as u16;
        let (phy, from) = (packet.sent.phy, packet.from);
        let encrypted = self.encrypted || packet.mic > 0;
        let stale = phy != self.phy[from]
            || octets > self.octets[from]
            || encrypted != self.encrypted
            || packet.interval != self.interval;
        if stale {
            self.phy[from] = phy;
            self.octets[from] = self.octets[from].max(octets);
            self.encrypted = encrypted;
            self.interval = packet.interval;
            self.refresh();
        }
    }

    /// Takes in a gap between two packets of one event, that may be off by `slop`. Of a connection whose beginning was
    /// not captured the shortest one seen is the frame space.
    pub fn note_gap(&mut self, side: usize, gap: Duration, slop: Duration) {
        let space = &mut self.spaces[index(self.phy[side])];
        if !self.from_start && gap + slop < *space {
            *space = gap;
            self.refresh();
        }
    }

    /// Recomputes what depends on the rest.
    pub fn refresh(&mut self) {
        for side in 0..2 {
            let (phy, encrypted) = (self.phy[side], self.encrypted);
            self.longest[side] = phy.data_pdu(self.data_length(side).into(), encrypted);
        }
    }

    /// Payload octets of the longest PDU `side` may send, as negotiated or as seen.
    pub fn data_length(&self, side: usize) -> u16 {
        if !self.from_start && self.offers[side] == Offer::INITIAL {
            return self.octets[side].max(DATA_OCTETS_MIN);
        }
        let peer = 1 - side;
        let lengths = DataLength { local: self.offers[side], remote: self.offers[peer] };
        let effective = lengths.effective(self.phy[side], self.phy[peer], self.space(side), self.interval);
        effective.tx_payload(self.phy[side], self.encrypted)
    }

    /// Gap that `side` leaves before its packets.
    pub fn space(&self, side: usize) -> Duration {
        self.spaces[index(self.phy[side])]
    }

    /// A gap was negotiated for the PHYs in `bits`.
    pub fn set_space(&mut self, space: Duration, bits: u8) {
        for (index, own) in self.spaces.iter_mut().enumerate() {
            if bits >> index & 1 == 1 {
                *own = space;
            }
        }
        self.refresh();
    }

    /// Time of the longest PDU `side` may send.
    pub fn longest(&self, side: usize) -> Duration {
        self.longest[side]
    }

    /// Time of an empty PDU of `side`.
    pub fn empty(&self, side: usize) -> Duration {
        self.phy[side].data_pdu(0, false)
    }

    /// Shortest distance between the ends of packets between which another one was missed.
    pub fn hole(&self) -> Duration {
        self.space(0) + self.space(1) + self.empty(PERIPHERAL).min(self.empty(0))
    }
}
