//! A packet with its place, and what it was to its receiver.

use airtime_ble::ll::pdu::DataHeader;
use airtime_ble::medium::Transmission;
use airtime_ble::trace::Verdict;
use airtime_core::{Duration, Instant};

/// Index of the central in pairs.
pub(super) const CENTRAL: usize = 0;
/// Index of the peripheral in pairs.
pub(super) const PERIPHERAL: usize = 1;

/// A packet of a connection, placed in its event.
#[derive(Debug)]
pub(super) struct Seen {
    /// Transmission, as the books take it.
    pub sent: Transmission,
    /// Its header; meaningless unless `sound`.
    pub header: DataHeader,
    /// Set if it was captured, and its length field agrees with its octets.
    pub sound: bool,
    /// The sniffer did not get a wrong CRC.
    pub intact: bool,
    /// The payload can be read.
    pub readable: bool,
    /// Set if it was missed, and its length is inferred from the gap it leaves.
    pub inferred: bool,
    /// Octets of MIC.
    pub mic: usize,
    /// Number of its event, from the first one captured.
    pub event: u64,
    /// Set for the first one captured of its event.
    pub first: bool,
    /// Set if it begins at the anchor.
    pub opener: bool,
    /// Its event's anchor, the counter of the event and the interval in use.
    pub anchor: Instant,
    /// Counter of its event.
    pub counter: u16,
    /// Interval that its event belongs to.
    pub interval: Duration,
    /// Anchors since the event before, for the first packet of an event.
    pub passed: u64,
    /// New parameters took effect with its event.
    pub moved: bool,
    /// Set if something before it in its event was missed.
    pub hole: bool,
    /// Sender of the packet.
    pub from: usize,
}

impl Seen {
    /// Octets of payload on the air, MIC included.
    pub fn octets(&self) -> usize {
        self.sent.packet.len() - 2
    }

    /// Duration of the packet.
    pub fn time(&self) -> Duration {
        self.sent.end.saturating_since(self.sent.start)
    }

    /// The payload without MIC.
    pub fn payload(&self) -> &[u8] {
        &self.sent.packet[2..self.sent.packet.len() - self.mic]
    }
}

/// Sequence numbers as both sides have shown them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    /// The number each side expects next.
    expected: [Option<bool>; 2],
    /// The number of each side's last packet.
    last: [Option<bool>; 2],
    /// The other side has spoken since each side's last packet.
    answered: [bool; 2],
}

impl Sequence {
    /// Both sides begin with 0. Core 6.0, Vol 6, Part B, 4.5.9.
    pub fn fresh() -> Self {
        Self { expected: [Some(false); 2], last: [None; 2], answered: [true; 2] }
    }

    /// Verdict of the receiver on `packet`, when its next packet is `answer`, with a flag that is set if another
    /// verdict would look the same.
    pub fn judge(&self, packet: &Seen, answer: &Seen) -> (Verdict, bool) {
        if !answer.sound {
            let stale = packet.sound && self.expected[answer.from].is_some_and(|expected| expected != packet.header.sn);
            return (if stale { Verdict::Duplicate } else { Verdict::New }, true);
        }
        let receiver = answer.from;
        if !packet.sound {
            let expected = self.expected[receiver];
            let moved = expected.is_some_and(|expected| expected != answer.header.nesn);
            // Nobody answered the one before, which had arrived: this is that one again.
            let again = !self.answered[packet.from] && self.last[packet.from].is_some_and(|sn| Some(sn) != expected);
            return match (moved, again) {
                (true, _) => (Verdict::New, false),
                (false, true) => (Verdict::Duplicate, false),
                (false, false) => (Verdict::Corrupted, packet.inferred),
            };
        }
        let expected = self.expected[receiver].unwrap_or(packet.header.sn);
        let acknowledges = self.last[receiver].is_some_and(|sn| sn != packet.header.nesn);
        let moved_on = self.last[receiver].is_some_and(|sn| sn != answer.header.sn);
        match (packet.header.sn == expected, answer.header.nesn != expected) {
            (true, true) => (Verdict::New, false),
            // A receiver that took the acknowledgement and not the payload had no room for it.
            (true, false) if acknowledges && moved_on => (Verdict::Refused, false),
            (true, false) => (Verdict::Corrupted, !acknowledges),
            (false, _) if acknowledges && !moved_on => (Verdict::Corrupted, false),
            (false, _) if !acknowledges && !packet.intact => (Verdict::Corrupted, true),
            (false, _) => (Verdict::Duplicate, !acknowledges),
        }
    }

    /// Verdict on `packet` when its receiver is not heard before the sender's next packet, which is `again` unless the
    /// sender has gone on to another one.
    pub fn unanswered(&self, packet: &Seen, again: bool, silent: Verdict) -> Verdict {
        let stale = self.expected[1 - packet.from].is_some_and(|expected| expected != packet.header.sn);
        match (again, stale) {
            (true, _) => silent,
            (false, true) => Verdict::Duplicate,
            (false, false) => Verdict::New,
        }
    }

    /// True if `packet` is not the one that its receiver expects.
    pub fn is_stale(&self, packet: &Seen) -> bool {
        self.expected[1 - packet.from].is_some_and(|expected| expected != packet.header.sn)
    }

    /// Takes in a packet that has been judged.
    pub fn note(&mut self, packet: &Seen, verdict: Verdict) {
        (self.answered[packet.from], self.answered[1 - packet.from]) = (false, true);
        if packet.sound {
            self.last[packet.from] = Some(packet.header.sn);
            self.expected[packet.from] = Some(packet.header.nesn);
            if verdict == Verdict::New {
                self.expected[1 - packet.from] = Some(!packet.header.sn);
            }
        } else if verdict == Verdict::New
            && let Some(expected) = &mut self.expected[1 - packet.from]
        {
            *expected = !*expected;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_ble::air::Phy;
    use airtime_ble::medium::Place;
    use airtime_core::Pool;

    fn packet(from: usize, sn: bool, nesn: bool) -> Seen {
        let header = DataHeader { llid: 2, nesn, sn, md: false };
        let place = Place::Event { counter: 0, opens: false, from_central: from == CENTRAL };
        let sent = Transmission {
            link: 1,
            channel: 0,
            phy: Phy::Le2M,
            start: Instant::ZERO,
            end: Instant::ZERO + Phy::Le2M.packet(1),
            unsent: Duration::ZERO,
            place,
            encrypted: false,
            packet: Pool::new().copy(&[header.octet(), 1, 0]),
        };
        Seen {
            sent,
            header,
            sound: true,
            intact: true,
            readable: true,
            inferred: false,
            mic: 0,
            event: 1,
            first: false,
            opener: false,
            anchor: Instant::ZERO,
            counter: 0,
            interval: Duration::from_millis(15),
            passed: 0,
            moved: false,
            hole: false,
            from,
        }
    }

    /// Sequence number and next expected one of a packet.
    type Numbers = (bool, bool);

    /// Numbers of the central's packet and of the peripheral's answer, after one exchange
    /// in which both were new: the central then sends 1 and expects 1. Core 6.0, Vol 6, Part B, 4.5.9.
    const TABLE: [(Numbers, Numbers, Verdict, bool); 7] = [
        ((true, true), (true, false), Verdict::New, false),
        // It took the acknowledgement, and sends on without taking the payload.
        ((true, true), (true, true), Verdict::Refused, false),
        // It took neither.
        ((true, true), (false, true), Verdict::Corrupted, false),
        // It would repeat its packet whether it heard this one or not.
        ((true, false), (false, true), Verdict::Corrupted, true),
        ((false, true), (true, true), Verdict::Duplicate, false),
        ((false, true), (false, true), Verdict::Corrupted, false),
        ((false, false), (false, true), Verdict::Duplicate, true),
    ];

    #[test]
    fn a_packet_is_judged_by_its_answer() {
        for (sent, answered, verdict, undecided) in TABLE {
            let mut sequence = Sequence::fresh();
            sequence.note(&packet(CENTRAL, false, false), Verdict::New);
            sequence.note(&packet(PERIPHERAL, false, true), Verdict::New);
            let (sent, answer) = (packet(CENTRAL, sent.0, sent.1), packet(PERIPHERAL, answered.0, answered.1));
            assert_eq!(sequence.judge(&sent, &answer), (verdict, undecided), "{:?} {:?}", sent.header, answer.header);
        }
    }

    #[test]
    fn what_nobody_answered_is_judged_by_what_its_sender_does_next() {
        let mut sequence = Sequence::fresh();
        sequence.note(&packet(CENTRAL, false, false), Verdict::New);
        let next = packet(CENTRAL, true, false);
        assert_eq!(sequence.unanswered(&next, true, Verdict::Unheard), Verdict::Unheard);
        assert_eq!(sequence.unanswered(&next, false, Verdict::Unheard), Verdict::New);
        let stale = packet(CENTRAL, false, false);
        assert!(sequence.is_stale(&stale) && !sequence.is_stale(&next));
        assert_eq!(sequence.unanswered(&stale, false, Verdict::Unheard), Verdict::Duplicate);
    }
}
