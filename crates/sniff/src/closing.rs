//! Closing of a connection event, and the conclusions from it about the rules of both controllers.

use airtime_ble::ll::pdu::LLID_CONTROL;
use airtime_ble::trace::{EventEnd, Verdict};
use airtime_core::{Duration, Instant};

use super::air::Air;
use super::bounds::Mark;
use super::rules::Rules;
use super::seen::{CENTRAL, PERIPHERAL, Seen};

/// A longer rest than this, with room for a full exchange besides, is taken for a cap rather than a margin.
/// *Assumed*: three times the largest margin published for a controller, 400 µs.
const MARGIN_MAX: Duration = Duration::from_micros(1_250);

/// A packet of the running event.
#[derive(Clone, Copy, Debug)]
struct Sent {
    start: Instant,
    end: Instant,
    md: bool,
    sn: bool,
    /// Its receiver has read it.
    read: bool,
    /// The sniffer heard it: it is not inferred from a gap.
    heard: bool,
}

impl Sent {
    /// Tells if `next` is the packet that its sender had to send after it, and not the same again or a control PDU that
    /// came in between.
    fn is_followed_by(&self, next: &Seen) -> bool {
        next.header.sn != self.sn && next.header.llid != LLID_CONTROL
    }
}

/// The running event, as far as its packets are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    /// Number among those captured.
    pub number: u64,
    /// Counter of the link layer.
    pub counter: u16,
    /// Anchor of the event.
    pub anchor: Instant,
    /// Interval in use.
    pub interval: Duration,
    /// Packets of each side.
    pub sent: [u16; 2],
    /// Set if the central left it before the peripheral's last packet had ended.
    pub left: bool,
    /// Set if everything of it was captured, from the anchor on.
    whole: bool,
    last: [Option<Sent>; 2],
    from: usize,
    /// Consecutive packets that each side did not read.
    errors: [u8; 2],
    /// Packet that the next event has cut: its sender, and the end that it would have had.
    cut: Option<(usize, Instant)>,
    /// End of the longest exchange that the peripheral has announced, of those whose length is known.
    announced: Option<Instant>,
}

/// Events and packets after an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct After<'a> {
    /// The first packet of the next event seen.
    pub opening: &'a Seen,
    /// The peripheral's reply to it, if it was seen.
    pub reply: Option<&'a Seen>,
    /// Anchors and intervals of the central's other connections.
    pub others: &'a [(Instant, Duration)],
}

/// Ends of an event as both sides would say them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    /// Reason for which the central closed the event.
    pub central: EventEnd,
    /// Reason for which the peripheral did; none if it took no part.
    pub peripheral: Option<EventEnd>,
}

/// Nanoseconds from `end` to a gap before `next`, negative when `end` is later than that.
fn left(next: Instant, end: Instant, space: Duration) -> i64 {
    next.as_nanos() as i64 - (end + space).as_nanos() as i64
}

impl Event {
    /// The event that `first` is the first packet of.
    pub fn new(first: &Seen) -> Self {
        Self {
            number: first.event,
            counter: first.counter,
            anchor: first.anchor,
            interval: first.interval,
            sent: [0; 2],
            left: false,
            whole: first.opener,
            last: [None; 2],
            from: CENTRAL,
            errors: [0; 2],
            cut: None,
            announced: None,
        }
    }

    /// Takes in a packet of the event that was this to its receiver.
    pub fn take(&mut self, packet: &Seen, verdict: Verdict, air: &Air) {
        let (from, to) = (packet.from, 1 - packet.from);
        if verdict == Verdict::Cut {
            self.cut = Some((from, packet.sent.end));
            return;
        }
        let read = !matches!(verdict, Verdict::Corrupted | Verdict::Unheard);
        if from == PERIPHERAL
            && let Some(last) = self.last[PERIPHERAL].filter(|last| last.md && last.read && last.is_followed_by(packet))
        {
            self.announced = Some(announced(last.end, packet, air));
        }
        self.whole &= packet.sound && packet.intact && !packet.hole;
        self.errors[to] = if read { 0 } else { self.errors[to].saturating_add(1) };
        self.sent[from] = self.sent[from].saturating_add(1);
        self.last[from] = Some(Sent {
            start: packet.sent.start,
            end: packet.sent.end,
            md: packet.header.md,
            sn: packet.header.sn,
            read,
            heard: !packet.inferred,
        });
        self.from = from;
    }

    /// Exchanges: packets of the peripheral, but for one that the central did not stay for.
    pub fn exchanges(&self) -> u16 {
        self.sent[PERIPHERAL].saturating_sub(u16::from(self.left))
    }

    /// Tells if the last packet of `side` announced more.
    pub fn announced_more(&self, side: usize) -> bool {
        self.last[side].is_some_and(|last| last.md)
    }

    /// True if the peripheral has gone: neither side announced more when it sent its last packet.
    pub fn peripheral_left(&self) -> bool {
        // What a reply that was missed announced is not known, and the central went on behind it.
        self.last[PERIPHERAL].is_some_and(|last| !last.md && last.heard)
            && self.last[CENTRAL].is_none_or(|last| !last.md)
            && self.errors[PERIPHERAL] == 0
    }

    /// The anchor of the next event, and whether it was seen rather than computed.
    fn next(&self, after: After<'_>) -> (Instant, bool) {
        let opening = after.opening;
        let sure = opening.opener && opening.sound && opening.passed == 1 && !opening.moved;
        (if sure { opening.sent.start } else { self.anchor + self.interval }, sure)
    }

    /// Time between where the peripheral's reply to a packet that ended at `end` would have ended and a gap before
    /// the next anchor.
    fn left_for_reply(&self, end: Instant, after: After<'_>, air: &Air) -> i64 {
        let own = after.reply.map_or_else(|| self.likely_reply(air), Seen::time);
        let space = air.space(PERIPHERAL);
        left(self.next(after).0, end + space + own, space)
    }

    /// Time of a reply that was not seen: one of the longest so far of a peripheral that has announced more.
    fn likely_reply(&self, air: &Air) -> Duration {
        match self.announced_more(PERIPHERAL) {
            true => air.phy[PERIPHERAL].data_pdu(air.octets[PERIPHERAL].into(), air.encrypted),
            false => air.empty(PERIPHERAL),
        }
    }

    /// Tells if the peripheral may have kept silent for its rule, after a packet of the central that ended at `end`.
    pub fn reply_did_not_fit(&self, end: Instant, after: After<'_>, air: &Air, rules: &Rules) -> bool {
        let most = rules.reply.most().map_or(i64::MAX, |most| most.value - rules.reply.slop());
        self.left_for_reply(end, after, air) < most.min(MARGIN_MAX.as_nanos() as i64)
    }

    /// Tells if `packet`, the event's last one, can have been cut by the event that `opening` begins: its receiver has not lost one before,
    /// and it would have ended close to the next anchor.
    pub fn may_cut(&self, packet: &Seen, opening: &Seen) -> bool {
        let next = self.next(After { opening, reply: None, others: &[] }).0;
        let rest = left(next, packet.sent.end, Duration::ZERO);
        self.errors[1 - packet.from] == 0 && rest < MARGIN_MAX.as_nanos() as i64
    }

    /// Closes the event and gives its ends; the conclusions about the rules go to `rules`. `broke`: the peripheral had
    /// no credits.
    pub fn close(&self, after: After<'_>, air: &Air, rules: &mut Rules, broke: bool) -> Ends {
        let (next, sure) = self.next(after);
        let sure = sure && self.whole;
        let mark = |value: i64| Mark { value, event: self.number, at: self.anchor };
        if sure {
            self.went_on(next, air, rules);
        }
        if let Some((from, end)) = self.cut {
            if sure && from == PERIPHERAL {
                rules.reply.stops(mark(left(next, end, air.space(PERIPHERAL))));
            }
            return Ends { central: EventEnd::Tail, peripheral: Some(EventEnd::Tail) };
        }
        let [central, peripheral] = self.last;
        let Some(reply) = peripheral else { return Ends { central: EventEnd::Silence, peripheral: None } };
        if self.from == CENTRAL {
            return self.unanswered(after, air, rules, sure);
        }
        let more = reply.md || central.is_some_and(|sent| sent.md);
        let listens = more || self.errors[PERIPHERAL] > 0;
        let silence = if listens { EventEnd::Silence } else { EventEnd::Empty };
        if self.errors[CENTRAL] >= 2 {
            return Ends { central: EventEnd::Errors, peripheral: Some(silence) };
        }
        if more || !reply.read {
            let central = self.stopped(reply, next, after, air, rules, sure && reply.read);
            return Ends { central, peripheral: Some(silence) };
        }
        let held = after.reply.filter(|own| !own.payload().is_empty() && reply.is_followed_by(own) && !broke);
        let held = held.map(|own| left(next, announced(reply.end, own, air), air.space(PERIPHERAL)));
        let most = rules.announce.most().map_or(i64::MAX, |most| most.value);
        match held.filter(|left| most >= 0 && *left < most.min(MARGIN_MAX.as_nanos() as i64)) {
            Some(left) => {
                if sure {
                    rules.announce.stops(mark(left));
                }
                Ends { central: EventEnd::Empty, peripheral: Some(EventEnd::Tail) }
            }
            None => Ends { central: EventEnd::Empty, peripheral: Some(EventEnd::Empty) },
        }
    }

    /// The last packets of both sides say what still was in time.
    fn went_on(&self, next: Instant, air: &Air, rules: &mut Rules) {
        let mark = |value: i64| Mark { value, event: self.number, at: self.anchor };
        if let Some(sent) = self.last[CENTRAL].filter(|_| self.sent[CENTRAL] > 1) {
            let space = air.space(CENTRAL);
            let (empty, full) = (sent.end + space + air.empty(PERIPHERAL), sent.end + space + air.longest(PERIPHERAL));
            rules.empty.goes_on(mark(left(next, empty, space)));
            rules.full.goes_on(mark(left(next, full, space)));
            rules.time.goes_on(mark(-(empty.saturating_since(self.anchor).as_nanos() as i64)));
            rules.count.goes_on(mark(-i64::from(self.sent[CENTRAL])));
        }
        if let Some(sent) = self.last[PERIPHERAL].filter(|_| self.sent[PERIPHERAL] > 1) {
            rules.reply.goes_on(mark(left(next, sent.end, air.space(PERIPHERAL))));
        }
        if let Some(end) = self.announced {
            rules.announce.goes_on(mark(left(next, end, air.space(PERIPHERAL))));
        }
    }

    /// The central did not go on after `reply` although somebody had data, or might have had.
    fn stopped(
        &self,
        reply: Sent,
        next: Instant,
        after: After<'_>,
        air: &Air,
        rules: &mut Rules,
        sure: bool,
    ) -> EventEnd {
        let mark = |value: i64| Mark { value, event: self.number, at: self.anchor };
        let space = air.space(CENTRAL);
        // What it would have sent opens the next event, or something shorter would have gone.
        let own_end = reply.end + space + after.opening.time();
        let (empty, full) = (own_end + space + air.empty(PERIPHERAL), own_end + space + air.longest(PERIPHERAL));
        // A central that has left has not heard the reply out.
        let other = next_anchor(after.others, if reply.read { reply.end } else { reply.start });
        if other < next {
            let rest = left(other, full, space);
            return if rest > MARGIN_MAX.as_nanos() as i64 { EventEnd::Cap } else { EventEnd::OtherActivity };
        }
        let left_full = left(next, full, space);
        if sure && after.opening.from == CENTRAL && after.opening.header.llid != LLID_CONTROL {
            rules.empty.stops(mark(left(next, empty, space)));
            rules.full.stops(mark(left_full));
            rules.time.stops(mark(-(empty.saturating_since(self.anchor).as_nanos() as i64)));
            rules.count.stops(mark(-i64::from(self.sent[CENTRAL]) - 1));
            if let Some(own) = after.reply.filter(|own| reply.md && reply.is_followed_by(own)) {
                let end = announced(reply.end, own, air);
                rules.announce.goes_on(mark(left(next, end, air.space(PERIPHERAL))));
            }
        }
        if left_full > MARGIN_MAX.as_nanos() as i64 { EventEnd::Cap } else { EventEnd::Tail }
    }

    /// The central's last packet had no reply.
    fn unanswered(&self, after: After<'_>, air: &Air, rules: &mut Rules, sure: bool) -> Ends {
        let ends = |peripheral| Ends { central: EventEnd::Silence, peripheral: Some(peripheral) };
        let Some(last) = self.last[CENTRAL] else { return ends(EventEnd::Silence) };
        // A central that does not send it again has heard a reply that was not captured.
        let sure = sure && last.sn == after.opening.header.sn;
        if !last.read && self.last[PERIPHERAL].is_some_and(|reply| !reply.md && !reply.read) && !last.md {
            // The peripheral had left; the central had not heard its last packet.
            return ends(EventEnd::Empty);
        }
        let follows = self.last[PERIPHERAL].zip(after.reply).filter(|(reply, own)| sure && reply.is_followed_by(own));
        if let Some((reply, own)) = follows.filter(|(reply, _)| reply.md && reply.read) {
            let value = left(self.next(after).0, announced(reply.end, own, air), air.space(PERIPHERAL));
            rules.announce.goes_on(Mark { value, event: self.number, at: self.anchor });
        }
        if self.reply_did_not_fit(last.end, after, air, rules) {
            if follows.is_some() && last.read {
                let value = self.left_for_reply(last.end, after, air);
                rules.reply.stops(Mark { value, event: self.number, at: self.anchor });
            }
            return ends(EventEnd::Tail);
        }
        ends(if self.errors[PERIPHERAL] >= 2 { EventEnd::Errors } else { EventEnd::Silence })
    }
}

/// The first anchor of these connections from `from` on.
pub(super) fn next_anchor(others: &[(Instant, Duration)], from: Instant) -> Instant {
    let first = |(anchor, interval): &(Instant, Duration)| {
        let step = interval.as_nanos().max(1) as i64;
        let ahead = (anchor.as_nanos() as i64 - from.as_nanos() as i64).rem_euclid(step);
        from + Duration::from_nanos(ahead as u64)
    };
    others.iter().map(first).min().unwrap_or(Instant::FAR_FUTURE)
}

/// End of the exchange that a peripheral which budgets full packets announces with a packet that ended at `end`, when
/// `own` is the next that it has to send.
fn announced(end: Instant, own: &Seen, air: &Air) -> Instant {
    let space = air.space(PERIPHERAL);
    end + space + air.longest(CENTRAL) + space + own.time()
}
