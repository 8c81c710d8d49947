//! One connection: places its packets in events and hands them on in order, judged.

use alloc::collections::VecDeque;

use airtime_ble::ll::pdu::DataHeader;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::trace::Verdict;
use airtime_core::{Duration, Instant, Pool};

use super::account::Accountant;
use super::air::Air;
use super::body::Body;
use super::closing::{After, next_anchor};
use super::finder::Finder;
use super::gap;
use super::grid::{Found, Grid};
use super::seen::{CENTRAL, PERIPHERAL, Seen, Sequence};
use super::sniffed::{Sniffed, Stamps};

/// Packets that wait to be judged by an answer.
const PENDING_MAX: usize = 8;

/// Start of a connection, from its CONNECT_IND.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// End of the CONNECT_IND.
    pub created: Instant,
    /// Address of the central.
    pub central: [u8; 6],
    /// Start of the first transmit window.
    pub window_start: Instant,
    /// Size of the window.
    pub window: Duration,
    /// Connection interval, a span of time.
    pub interval: Duration,
    /// Peripheral latency, in connection events.
    pub latency: u16,
    /// Supervision timeout, a span of time.
    pub timeout: Duration,
}

/// The packet before.
#[derive(Clone, Copy, Debug)]
struct Before {
    start: Instant,
    end: Instant,
    from: usize,
    channel: Option<u8>,
}

/// A connection that is followed.
#[derive(Debug)]
pub(super) struct FollowedLink {
    /// Access address of the connection.
    pub address: u32,
    /// Its CONNECT_IND, if it was captured.
    pub start: Option<Start>,
    /// End of its last packet.
    pub heard: Instant,
    /// Number of packets that were taken.
    pub packets: u64,
    /// Packets that could not be placed.
    pub misplaced: u64,
    /// Packets whose verdict could have been another: air that may be booked to another account.
    pub undecided: Duration,
    /// Accountant of the connection; none until its interval is known.
    pub account: Option<Accountant>,
    stamps: Stamps,
    grid: Option<Grid>,
    finder: Finder,
    before: Option<Before>,
    events: u64,
    pending: VecDeque<Seen>,
    sequence: Sequence,
}

impl FollowedLink {
    /// A connection whose beginning was captured, or was not.
    pub fn new(address: u32, start: Option<Start>, at: Instant, stamps: Stamps) -> Self {
        let grid = start.map(|start| Grid::new(start.interval, start.window_start, start.window, stamps));
        let account = start.map(|start| {
            let air = Air::new(true, start.interval);
            Accountant::new(address, start.created, air, (start.latency, start.timeout), stamps)
        });
        Self {
            address,
            start,
            heard: at,
            packets: 0,
            misplaced: 0,
            undecided: Duration::ZERO,
            account,
            stamps,
            grid,
            finder: Finder::default(),
            before: None,
            events: 0,
            pending: VecDeque::with_capacity(PENDING_MAX + 1),
            sequence: if start.is_some() { Sequence::fresh() } else { Sequence::default() },
        }
    }

    /// Takes the next packet of the connection. `others`: where the central's other connections have their anchors.
    pub fn take(&mut self, packet: &Sniffed<'_>, others: &[(Instant, Duration)], pool: &Pool) {
        // A packet that several observers captured counts once.
        let early = self.before.is_some_and(|before| packet.at <= before.start);
        let encrypted = self.account.as_ref().is_some_and(|account| account.air.encrypted);
        let Some(body) = Body::of(packet, encrypted, pool).filter(|_| !early) else { return self.misplaced += 1 };
        let end = packet.at + packet.phy.packet(body.octets());
        self.packets += 1;
        if self.grid.is_none() && !self.find_interval(packet, end) {
            self.heard = end;
            return;
        }
        let Some(mut placed) = self.place(packet, body, end, pool) else { return self.misplaced += 1 };
        if let (Some(before), Some(account), false) = (self.before, &mut self.account, placed.first) {
            let gap = packet.at.saturating_since(before.end);
            account.air.note_gap(placed.from, gap, self.stamps.distance());
        }
        if let Some(missed) = self.missed_before(&mut placed, pool) {
            self.pending.push_back(missed);
        }
        self.heard = end;
        self.before = Some(Before { start: packet.at, end, from: placed.from, channel: packet.channel });
        self.pending.push_back(placed);
        self.settle(false, others, pool);
    }

    /// Hands on everything that still waits.
    pub fn flush(&mut self, pool: &Pool) {
        self.settle(true, &[], pool);
    }

    /// Anchor of the running event and the interval, while they are known.
    pub fn anchors(&self) -> Option<(Instant, Duration)> {
        self.grid.as_ref().map(|grid| (grid.anchor, grid.interval))
    }

    /// Without a grid: looks for one; says whether this packet is the first on it.
    fn find_interval(&mut self, packet: &Sniffed<'_>, end: Instant) -> bool {
        let reply = packet.from_central == Some(false);
        let Some(interval) = self.finder.take(packet.at, end, packet.channel, reply, self.stamps) else { return false };
        self.grid = Some(Grid::new(interval, packet.at, Duration::ZERO, self.stamps));
        match &mut self.account {
            Some(account) => {
                account.resume(interval, self.heard, packet.at);
                self.sequence = Sequence::default();
            }
            None => {
                let air = Air::new(false, interval);
                let mut account = Accountant::new(self.address, packet.at, air, (0, Duration::MAX), self.stamps);
                account.interval_inferred = true;
                self.account = Some(account);
            }
        }
        true
    }

    /// Finds the event and the sender of a packet.
    fn place(&mut self, packet: &Sniffed<'_>, body: Body, end: Instant, pool: &Pool) -> Option<Seen> {
        let hopped = self.before.is_some_and(|before| {
            packet.channel.is_some() && before.channel.is_some() && before.channel != packet.channel
        });
        let found = self.grid.as_mut()?.find(packet.at, hopped);
        let (first, passed, opener, moved) = match found {
            Found::Early => return None,
            Found::Same => (false, 0, false, false),
            Found::Next { passed, opens, moved } => (true, passed, opens && packet.from_central != Some(false), moved),
            Found::Lost => {
                self.settle(true, &[], pool);
                self.grid = None;
                self.finder = Finder::default();
                return None;
            }
        };
        self.events += u64::from(first);
        let (from, hole) = self.sender(packet, first, opener)?;
        let grid = self.grid.as_ref()?;
        let sent = Transmission {
            link: packet.link,
            channel: packet.channel.unwrap_or(0),
            phy: packet.phy,
            start: packet.at,
            end,
            unsent: Duration::ZERO,
            place: Place::Event { counter: grid.counter, opens: first, from_central: from == CENTRAL },
            encrypted: body.mic > 0,
            packet: body.bytes,
        };
        Some(Seen {
            sent,
            sound: body.header.is_some(),
            intact: packet.crc_ok != Some(false),
            header: body.header.unwrap_or(DataHeader { llid: 1, nesn: false, sn: false, md: false }),
            readable: packet.readable || body.mic == 0,
            inferred: false,
            mic: body.mic,
            event: self.events,
            first,
            opener,
            anchor: grid.anchor,
            counter: grid.counter,
            interval: grid.interval,
            passed,
            moved,
            hole,
            from,
        })
    }

    /// Sender of a packet, with a flag that is set if another one was missed right before it. Packets of an event
    /// alternate, and the central opens it.
    fn sender(&self, packet: &Sniffed<'_>, first: bool, opener: bool) -> Option<(usize, bool)> {
        let air = &self.account.as_ref()?.air;
        let before = self.before.filter(|_| !first);
        let gap = before.map(|before| packet.at.saturating_since(before.end));
        let missed = gap.is_some_and(|gap| gap + self.stamps.distance() >= air.hole());
        let from = match (packet.from_central, before) {
            (Some(true), _) => CENTRAL,
            (Some(false), _) => PERIPHERAL,
            (None, Some(before)) if missed => before.from,
            (None, Some(before)) => 1 - before.from,
            (None, None) if opener || !first => CENTRAL,
            (None, None) => PERIPHERAL,
        };
        Some((from, missed || before.is_some_and(|before| before.from == from)))
    }

    /// The packet of the other side that was missed right before `placed`, if it was one.
    fn missed_before(&self, placed: &mut Seen, pool: &Pool) -> Option<Seen> {
        let (account, before) = (self.account.as_ref()?, self.before?);
        let opening = placed.first && !placed.opener && placed.from == PERIPHERAL;
        let between = !placed.first && before.from == placed.from;
        let free = match (opening, between) {
            (true, _) => placed.anchor,
            (_, true) => before.end,
            _ => return None,
        };
        let missed = gap::before(placed, free, account, pool)?;
        if opening {
            placed.first = false;
            placed.sent.place =
                Place::Event { counter: placed.counter, opens: false, from_central: placed.from == CENTRAL };
        }
        Some(missed)
    }

    /// Judges what can be judged, oldest first. At the end of the capture all of it.
    fn settle(&mut self, all: bool, others: &[(Instant, Duration)], pool: &Pool) {
        while self.note_missed_reply(pool)
            && let Some(verdict) = self.verdict(all || self.pending.len() > PENDING_MAX)
        {
            let Some(packet) = self.pending.pop_front() else { return };
            let left = verdict == Verdict::Corrupted && self.central_has_left(&packet, others);
            let verdict = match verdict {
                _ if left => Verdict::Unheard,
                Verdict::Corrupted | Verdict::Unheard if self.was_cut(&packet) => Verdict::Cut,
                verdict => verdict,
            };
            self.sequence.note(&packet, verdict);
            let Some(account) = &mut self.account else { return };
            let reply = self.pending.iter().find(|next| next.event == packet.event && next.from == PERIPHERAL);
            let reply = reply.filter(|reply| reply.sound && !reply.hole && packet.from == CENTRAL);
            if packet.first {
                account.open(After { opening: &packet, reply, others });
            }
            if left {
                account.central_leaves();
            }
            if let Some((update, grid)) = account.take(&packet, verdict).zip(self.grid.as_mut()) {
                grid.schedule(update);
            }
        }
    }

    /// Tells if the central's next event on another connection began while this reply, the last packet of its event, was on the air:
    /// a radio does one thing at a time.
    fn central_has_left(&self, packet: &Seen, others: &[(Instant, Duration)]) -> bool {
        let last = self.pending.front().is_none_or(|next| next.event != packet.event);
        packet.from == PERIPHERAL && last && next_anchor(others, packet.sent.start) < packet.sent.end
    }

    /// Tells if this packet, the last of its event, was switched off by the next event of its sender: it is damaged, the first of its event
    /// that is, and nobody goes on.
    fn was_cut(&self, packet: &Seen) -> bool {
        let event = self.account.as_ref().and_then(|account| account.event.as_ref());
        let next = self.pending.front().filter(|next| next.event != packet.event && !packet.intact);
        next.zip(event).is_some_and(|(next, event)| event.may_cut(packet, next))
    }

    /// Puts a reply that was missed at the end of an event where it was; always true.
    fn note_missed_reply(&mut self, pool: &Pool) -> bool {
        if let (Some(packet), Some(next), Some(account)) = (self.pending.front(), self.pending.get(1), &self.account)
            && packet.from == CENTRAL
            && next.from == CENTRAL
            && next.event != packet.event
            && next.sound
            && packet.sound
            && next.header.sn != packet.header.sn
        {
            let reply = gap::after(packet, account, pool);
            if reply.sent.end < next.sent.start {
                self.pending.insert(1, reply);
            }
        }
        true
    }

    /// Verdict of the receiver on the oldest packet, once it is known or has to be decided.
    fn verdict(&mut self, now: bool) -> Option<Verdict> {
        let packet = self.pending.front()?;
        let next = self.pending.get(1);
        let Some(next) = next else {
            let sleeps = packet.first && self.account.as_ref().is_some_and(Accountant::peripheral_sleeps);
            return now.then_some(if sleeps { Verdict::Unheard } else { Verdict::New });
        };
        if next.from != packet.from {
            let (verdict, undecided) = self.sequence.judge(packet, next);
            if undecided && packet.octets() > 0 {
                self.undecided += packet.time();
            }
            return Some(verdict);
        }
        let again = next.sound && packet.sound && next.header.sn == packet.header.sn;
        let alone = packet.first && packet.from == CENTRAL;
        if next.event == packet.event || !again || alone {
            let silent = if next.event == packet.event { Verdict::Corrupted } else { Verdict::Unheard };
            return Some(self.sequence.unanswered(packet, again, silent));
        }
        self.last_of_event(now)
    }

    /// The central's last packet of an event had no reply, and the next event opens with it again.
    fn last_of_event(&self, now: bool) -> Option<Verdict> {
        let (packet, opening) = (self.pending.front()?, self.pending.get(1)?);
        let reply = self.pending.iter().skip(2).find(|next| next.event == opening.event && next.from == PERIPHERAL);
        let gone = self.pending.iter().skip(2).any(|next| next.event != opening.event);
        if reply.is_none() && !gone && !now {
            return None;
        }
        let account = self.account.as_ref()?;
        let Some(event) = &account.event else { return Some(Verdict::New) };
        if event.peripheral_left() {
            return Some(Verdict::Unheard);
        }
        let after = After { opening, reply, others: &[] };
        let heard = event.reply_did_not_fit(packet.sent.end, after, &account.air, &account.rules);
        Some(match (heard, self.sequence.is_stale(packet)) {
            (true, true) => Verdict::Duplicate,
            (true, false) => Verdict::New,
            (false, _) => Verdict::Corrupted,
        })
    }
}
