//! Keeps the books of one connection from its packets, and everything else that is reported of it.

use alloc::vec;
use alloc::vec::Vec;

use airtime_ble::hci::Status;
use airtime_ble::host::{Role, Starved};
use airtime_ble::ledger::l2cap::Kind;
use airtime_ble::ledger::{Account, Books, Direction};
use airtime_ble::ll::control::Control;
use airtime_ble::ll::pdu::{LLID_CONTROL, UNIT_1_25_MS, UNIT_10_MS};
use airtime_ble::trace::{EventEnd, Trace, Verdict};
use airtime_core::ledger::Ledger;
use airtime_core::{Duration, Instant};

use super::air::Air;
use super::closing::{After, Event};
use super::grid::Update;
use super::l2cap::L2cap;
use super::rules::Rules;
use super::seen::{CENTRAL, PERIPHERAL, Seen};
use super::sniffed::Stamps;

/// Changes of the interval that are reported.
const INTERVALS_MAX: usize = 32;
/// Events without any packet that are booked one by one; a longer silence is booked as one.
const MISSED_MAX: u64 = 1 << 16;

/// Reasons for which a side closes an event, with the names of counters.
pub(super) const ENDS: [(EventEnd, &str); 6] = [
    (EventEnd::Empty, "empty"),
    (EventEnd::Tail, "tail"),
    (EventEnd::OtherActivity, "other_activity"),
    (EventEnd::Cap, "cap"),
    (EventEnd::Errors, "errors"),
    (EventEnd::Silence, "silence"),
];

/// The books of a connection and what is known of it.
#[derive(Debug)]
pub(super) struct Accountant {
    /// The connection's terms.
    pub air: Air,
    /// The running event, once there is one.
    pub event: Option<Event>,
    /// Evidence on both controllers.
    pub rules: Rules,
    /// Books of the air of the connection.
    pub books: Books,
    /// L2CAP of both directions.
    pub l2cap: L2cap,
    /// Intervals used, oldest first, with the stamps they began at.
    pub intervals: Vec<(Instant, Duration)>,
    /// The interval was inferred from the anchors.
    pub interval_inferred: bool,
    /// Peripheral latency and supervision timeout.
    pub latency: u16,
    /// Supervision timeout, a span of time.
    pub timeout: Duration,
    /// Start of the stream's first data, and the books there.
    pub stream: Option<(Instant, Ledger<Account>)>,
    /// Sides that stream.
    pub streams: [bool; 2],
    /// Events without any packet.
    pub missed: u64,
    /// End of the connection, if it was captured: the side that ended it, and its reason.
    pub terminated: Option<(usize, Status)>,
    /// Counts of the reasons with which each side closed the events of the stream, in the order of [`ENDS`].
    pub ends: [[u64; ENDS.len()]; 2],
    /// Number of packets that were booked.
    pub booked: u64,
    /// Packets of them that were missed, and inferred from the gaps they leave.
    pub inferred: u64,
    /// Payloads that could not be read.
    pub opaque: u64,
    slept: u16,
    /// Events of which one is used.
    factor: u16,
    link: u32,
}

impl Accountant {
    /// Empty books from `start` on.
    pub fn new(link: u32, start: Instant, air: Air, (latency, timeout): (u16, Duration), stamps: Stamps) -> Self {
        let interval = air.interval;
        Self {
            air,
            event: None,
            rules: Rules::new(stamps.distance().as_nanos() as i64),
            books: Books::new(link, start, Direction::P2c),
            l2cap: L2cap::default(),
            intervals: vec![(start, interval)],
            interval_inferred: false,
            latency,
            timeout,
            stream: None,
            streams: [false; 2],
            missed: 0,
            terminated: None,
            ends: [[0; ENDS.len()]; 2],
            booked: 0,
            inferred: 0,
            opaque: 0,
            slept: 0,
            factor: 1,
            link,
        }
    }

    /// The anchors were lost after `from` and are found again at `at`: what lies between was not followed.
    pub fn resume(&mut self, interval: Duration, from: Instant, at: Instant) {
        self.note_interval(at, interval);
        self.missed += at.saturating_since(from) / interval;
        let counter = self.event.take().map_or(0, |event| event.counter.wrapping_add(1));
        let skipped =
            Trace::EventSkipped { link: self.link, role: Role::Central, counter, anchor: from, latency: false };
        self.books.trace(at, &skipped, None);
    }

    fn note_interval(&mut self, at: Instant, interval: Duration) {
        let changed = self.intervals.last().is_none_or(|(_, last)| *last != interval);
        if changed && self.intervals.len() < INTERVALS_MAX {
            self.intervals.push((at, interval));
        }
    }

    /// A new event begins with `after.opening`: closes the one before.
    pub fn open(&mut self, after: After<'_>) {
        let opening = after.opening;
        if let Some(event) = self.event.take() {
            self.close(&event, after);
            self.pass_over(&event, opening);
        }
        self.note_interval(opening.sent.start, opening.interval);
        self.event = Some(Event::new(opening));
    }

    fn close(&mut self, event: &Event, after: After<'_>) {
        let broke = [CENTRAL, PERIPHERAL].map(|side| self.l2cap.is_out_of_credits(side));
        let ends = event.close(after, &self.air, &mut self.rules, broke[PERIPHERAL]);
        if self.stream.is_some() {
            self.count(CENTRAL, Some(ends.central));
            self.count(PERIPHERAL, ends.peripheral);
        }
        let starved = |side: usize| Some(if broke[side] { Starved::Credits } else { Starved::Application });
        let closed = |role, end| Trace::EventClosed {
            link: self.link,
            role,
            counter: event.counter,
            end,
            exchanges: event.exchanges(),
            had_data: end == EventEnd::Tail,
        };
        let now = after.opening.sent.start;
        self.books.trace(now, &closed(Role::Central, ends.central), starved(CENTRAL));
        if let Some(end) = ends.peripheral {
            self.books.trace(now, &closed(Role::Peripheral, end), starved(PERIPHERAL));
        }
    }

    fn count(&mut self, side: usize, end: Option<EventEnd>) {
        if let Some(index) = ENDS.iter().position(|(known, _)| Some(*known) == end) {
            self.ends[side][index] += 1;
        }
    }

    /// Events between `event` and the one that begins now had no packet.
    fn pass_over(&mut self, event: &Event, opening: &Seen) {
        let passed = opening.passed.saturating_sub(1);
        if passed > 0 && self.factor > 1 {
            // Nobody sends in them. Core 6.2, Vol 6, Part B, 4.5.1.
            let unused = Trace::EventsUnused {
                link: self.link,
                role: Role::Central,
                counter: event.counter.wrapping_add(1),
                anchor: (event.anchor + event.interval).min(opening.sent.start),
                until: opening.sent.start,
            };
            return self.books.trace(opening.sent.start, &unused, None);
        }
        self.missed += passed;
        self.l2cap.channels.missed |= passed > 0;
        for n in 1..=passed.min(MISSED_MAX) {
            let skipped = Trace::EventSkipped {
                link: self.link,
                role: Role::Central,
                counter: event.counter.wrapping_add(n as u16),
                anchor: (event.anchor + event.interval * n).min(opening.sent.start),
                latency: false,
            };
            self.books.trace(opening.sent.start, &skipped, None);
        }
    }

    /// The central leaves the running event for another connection before the reply that comes next has ended.
    pub fn central_leaves(&mut self) {
        self.books.gave_way_to_another();
        if let Some(event) = &mut self.event {
            event.left = true;
        }
    }

    /// Books a packet that was this to its receiver; gives back new parameters it announces.
    pub fn take(&mut self, packet: &Seen, verdict: Verdict) -> Option<Update> {
        self.air.note(packet);
        self.note_sleep(packet, verdict);
        if !matches!(verdict, Verdict::Corrupted | Verdict::Unheard | Verdict::Cut) {
            self.l2cap.channels.begin(packet.from);
        }
        let mut update = None;
        if (packet.sound || packet.inferred) && packet.octets() > packet.mic {
            match verdict {
                Verdict::New => update = self.carry(packet),
                Verdict::Duplicate => {}
                Verdict::Corrupted | Verdict::Unheard | Verdict::Refused | Verdict::Cut => {
                    self.l2cap.lost(packet.from, packet.header.llid, packet.payload());
                }
            }
        }
        self.books.transmission(&packet.sent, verdict);
        self.booked += 1;
        self.opaque += u64::from(!packet.readable);
        self.inferred += u64::from(packet.inferred);
        self.l2cap.channels.missed |= !packet.sound;
        if let Some(event) = &mut self.event {
            event.take(packet, verdict, &self.air);
        }
        update
    }

    /// A packet that nobody answered may have met a sleeping peripheral.
    fn note_sleep(&mut self, packet: &Seen, verdict: Verdict) {
        if packet.from == PERIPHERAL {
            self.slept = 0;
        } else if verdict == Verdict::Unheard && packet.first && self.slept < self.latency {
            self.slept += 1;
            let asleep = Trace::EventSkipped {
                link: self.link,
                role: Role::Peripheral,
                counter: packet.counter,
                anchor: packet.anchor,
                latency: true,
            };
            self.books.trace(packet.sent.start, &asleep, None);
        }
    }

    /// True if the peripheral has slept through the last event, and may sleep through another one.
    pub fn peripheral_sleeps(&self) -> bool {
        (1..self.latency).contains(&self.slept)
    }

    fn carry(&mut self, packet: &Seen) -> Option<Update> {
        if packet.header.llid == LLID_CONTROL {
            return (packet.readable && packet.intact).then(|| self.control(packet)).flatten();
        }
        let kind = self.l2cap.take(packet.from, packet.header.llid, packet.payload());
        if let Kind::Data { .. } = kind {
            self.streams_from(packet);
        }
        None
    }

    /// The side that sent `packet` streams.
    fn streams_from(&mut self, packet: &Seen) {
        if !core::mem::replace(&mut self.streams[packet.from], true) {
            self.books.set_direction(match self.streams {
                [true, true] => Direction::Both,
                [true, false] => Direction::C2p,
                _ => Direction::P2c,
            });
        }
        if self.stream.is_none() {
            self.books.stream_started(packet.sent.start);
            self.stream = Some((packet.sent.start, self.books.ledger().clone()));
        }
    }

    fn control(&mut self, packet: &Seen) -> Option<Update> {
        match Control::parse(packet.payload()).ok()? {
            Control::ConnectionUpdateInd(update) if packet.from == CENTRAL && update.interval > 0 => {
                (self.latency, self.timeout) = (update.latency, UNIT_10_MS * u64::from(update.timeout));
                // Core 6.2, Vol 6, Part B, 5.1.1; one that changes no interval is taken for one that does.
                self.factor = 1;
                return Some(Update {
                    instant: update.instant,
                    offset: UNIT_1_25_MS * u64::from(update.win_offset),
                    window: UNIT_1_25_MS * u64::from(update.win_size),
                    interval: UNIT_1_25_MS * u64::from(update.interval),
                });
            }
            Control::LengthReq(offer) | Control::LengthRsp(offer) if offer.is_valid() => {
                self.air.offers[packet.from] = offer;
                self.air.refresh();
            }
            Control::FrameSpaceRsp { space, phys, .. } => self.air.set_space(Duration::from_micros(space.into()), phys),
            Control::SubrateInd(update) if packet.from == CENTRAL => {
                self.factor = update.factor;
                (self.latency, self.timeout) = (update.latency, UNIT_10_MS * u64::from(update.timeout));
            }
            Control::StartEncReq => {
                self.air.encrypted = true;
                self.air.refresh();
            }
            Control::TerminateInd { reason } => self.terminated = Some((packet.from, reason)),
            _ => {}
        }
        None
    }

    /// The connection's last packet has ended.
    pub fn finish(&mut self, at: Instant) {
        if let Some((from, reason)) = self.terminated {
            let role = if from == CENTRAL { Role::Central } else { Role::Peripheral };
            self.books.trace(at, &Trace::ConnectionClosed { link: self.link, role, reason }, None);
        }
    }
}
