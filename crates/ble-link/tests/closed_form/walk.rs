//! The closed form: what one connection event carries, as a walk over its exchanges.
//!
//! Core 6.0, Vol 6, Part B, 4.5.6, and the end-of-event rules of the two controllers: `stop` is the
//! next anchor less margin and gap; the central starts a packet only if it, the gap and the budgeted
//! reply end by then; the peripheral replies only if its packet ends by then; the first exchange always
//! runs. Nothing is lost, and a stream never runs dry.

use super::air::{Pdu, Phy, air};

/// Octets of an L2CAP credit indication: basic header, code, identifier, length, CID, credits.
pub const CREDIT_OCTETS: u64 = 12;

/// One end of the link. Times are µs.
#[derive(Clone, Debug)]
pub struct Side {
    /// How long before the anchor, and the gap before that, its packets must have ended.
    pub margin: u64,
    /// Whether it budgets a packet of maximum length from the peer; else an empty one.
    pub full: bool,
    /// How long before a packet its payload must be there.
    pub ahead: u64,
    /// The PDUs of one SDU, over and over; none when it only receives.
    pub stream: Vec<Pdu>,
    /// The next of them.
    pub next: usize,
    /// Credit indications that wait.
    pub credits: u64,
    /// Credit indications made since this side last chose a packet.
    pub fresh: u64,
    /// K-frames received since the last indication.
    pub frames: u64,
    /// K-frames per indication.
    pub every: u64,
}

impl Side {
    /// Payload of the PDU `skip` places ahead, or none when there is none.
    fn payload(&self, skip: usize) -> Option<u64> {
        match self.stream.len() {
            0 => (self.credits > skip as u64).then_some(CREDIT_OCTETS),
            len => Some(self.stream[(self.next + skip) % len].octets),
        }
    }

    /// Takes the next PDU away: its payload, and what its arrival completes.
    fn take(&mut self) -> (u64, Option<Pdu>) {
        if self.stream.is_empty() {
            let octets = self.payload(0).unwrap_or(0);
            self.credits = self.credits.saturating_sub(1);
            return (octets, None);
        }
        let pdu = self.stream[self.next];
        self.next = (self.next + 1) % self.stream.len();
        (pdu.octets, Some(pdu))
    }

    /// What came since the last choice is there for this one, unless the choice is made too early.
    fn look(&mut self, gap: u64) {
        if self.ahead < gap {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.credits += std::mem::take(&mut self.fresh);
    }

    fn receive(&mut self, pdu: Option<Pdu>) -> bool {
        let Some(pdu) = pdu else { return false };
        self.frames += u64::from(pdu.ends_frame);
        if self.frames == self.every {
            (self.frames, self.fresh) = (0, self.fresh + 1);
        }
        pdu.ends_sdu
    }
}

/// A link between events.
#[derive(Clone, Debug)]
pub struct Link {
    pub phy: Phy,
    pub encrypted: bool,
    pub interval: u64,
    pub gap: u64,
    /// Payload octets each side must expect in the longest PDU of the other.
    pub expected: u64,
    pub central: Side,
    pub peripheral: Side,
    /// The central's last packet got no reply: it is sent again.
    pub again: Option<u64>,
}

/// What one event carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    pub exchanges: u64,
    /// SDUs completed: central to peripheral, peripheral to central.
    pub sdus: [u64; 2],
}

impl Link {
    fn air(&self, octets: u64) -> u64 {
        air(self.phy, octets, self.encrypted)
    }

    /// The next event.
    pub fn event(&mut self) -> Carried {
        let gap = self.gap;
        let stop = |side: &Side| self.interval.saturating_sub(side.margin + gap);
        let (central_stop, peripheral_stop) = (stop(&self.central), stop(&self.peripheral));
        let longest = self.air(self.expected);
        let mut carried = Carried::default();
        let mut start = 0;
        self.central.settle();
        self.peripheral.settle();
        loop {
            let (sent, pdu) = match self.again.take() {
                Some(octets) => (octets, None),
                None => self.central.take(),
            };
            let central_more = self.central.payload(0).is_some();
            self.central.settle();
            let heard = start + self.air(sent);

            let completes = self.peripheral.receive(pdu);
            carried.sdus[0] += u64::from(completes);
            self.peripheral.look(gap);
            let end = heard + gap + self.air(self.peripheral.payload(0).unwrap_or(0));
            if carried.exchanges > 0 && end > peripheral_stop {
                self.again = Some(sent);
                return carried;
            }
            let (_, pdu) = self.peripheral.take();
            let peripheral_more = self.peripheral.payload(0).is_some_and(|own| {
                let next = end + gap + longest + gap + self.air(own);
                !self.peripheral.full || next <= peripheral_stop
            });
            self.peripheral.settle();
            carried.sdus[1] += u64::from(self.central.receive(pdu));
            carried.exchanges += 1;

            self.central.look(gap);
            start = end + gap;
            let reply = if self.central.full { longest } else { self.air(0) };
            let next = start + self.air(self.central.payload(0).unwrap_or(0)) + gap + reply;
            if !(central_more || peripheral_more) || next > central_stop {
                return carried;
            }
        }
    }
}
