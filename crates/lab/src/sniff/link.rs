//! One connection: places its packets in events and hands them on in order, judged.

use std::collections::VecDeque;

use airtime_ble::ll::pdu::DataHeader;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::trace::Verdict;
use airtime_core::{Duration, Instant, Pool};

use super::account::Accountant;
use super::air::Air;
use super::closing::After;
use super::finder::Finder;
use super::grid::{Found, Grid};
use super::opaque;
use super::seen::{CENTRAL, PERIPHERAL, Seen, Sequence};
use super::sniffed::{Sniffed, Stamps};

/// Packets that wait to be judged by an answer.
const PENDING_MAX: usize = 8;

/// What a CONNECT_IND said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// When it ended.
    pub created: Instant,
    /// Start of the first transmit window.
    pub window_start: Instant,
    /// Size of the window.
    pub window: Duration,
    /// Connection interval.
    pub interval: Duration,
    /// Peripheral latency.
    pub latency: u16,
    /// Supervision timeout.
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
pub(super) struct Link {
    /// Access address.
    pub address: u32,
    /// Its CONNECT_IND, if it was captured.
    pub start: Option<Start>,
    /// When its last packet ended.
    pub heard: Instant,
    /// Packets taken.
    pub packets: u64,
    /// Packets that could not be placed.
    pub misplaced: u64,
    /// Packets whose verdict could have been another: air that may be booked to another account.
    pub undecided: Duration,
    /// What is known of the connection; none until its interval is.
    pub account: Option<Accountant>,
    stamps: Stamps,
    grid: Option<Grid>,
    finder: Finder,
    before: Option<Before>,
    events: u64,
    pending: VecDeque<Seen>,
    sequence: Sequence,
}

impl Link {
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

    /// Takes the next packet of the connection.
    pub fn take(&mut self, packet: &Sniffed<'_>, pool: &Pool) {
        let Some((header, octets)) = header(packet.pdu) else { return self.misplaced += 1 };
        let end = packet.at + packet.phy.packet(octets as u64);
        if self.before.is_some_and(|before| packet.at < before.start) {
            return self.misplaced += 1;
        }
        self.packets += 1;
        if self.grid.is_none() && !self.find_interval(packet, end) {
            self.heard = end;
            return;
        }
        let Some(placed) = self.place(packet, header, octets, end, pool) else { return self.misplaced += 1 };
        self.heard = end;
        self.before = Some(Before { start: packet.at, end, from: placed.from, channel: packet.channel });
        self.pending.push_back(placed);
        self.settle(false);
    }

    /// Hands on everything that still waits.
    pub fn flush(&mut self) {
        self.settle(true);
    }

    /// Without a grid: looks for one; says whether this packet is the first on it.
    fn find_interval(&mut self, packet: &Sniffed<'_>, end: Instant) -> bool {
        let reply = packet.from_central == Some(false);
        let Some(interval) = self.finder.take(packet.at, end, packet.channel, reply, self.stamps) else { return false };
        self.grid = Some(Grid::new(interval, packet.at, Duration::ZERO, self.stamps));
        match &mut self.account {
            Some(account) => account.interval_changed(interval),
            None => {
                let air = Air::new(false, interval);
                let mut account = Accountant::new(self.address, packet.at, air, (0, Duration::MAX), self.stamps);
                account.inferred = true;
                self.account = Some(account);
            }
        }
        true
    }

    fn place(
        &mut self,
        packet: &Sniffed<'_>,
        header: Option<DataHeader>,
        octets: usize,
        end: Instant,
        pool: &Pool,
    ) -> Option<Seen> {
        let account = self.account.as_ref()?;
        let hopped = self.before.is_some_and(|before| {
            packet.channel.is_some() && before.channel.is_some() && before.channel != packet.channel
        });
        let grid = self.grid.as_mut()?;
        let (first, passed, opener, moved) = match grid.find(packet.at, hopped) {
            Found::Early => return None,
            Found::Same => (false, 0, false, false),
            Found::Next { passed, opens, moved } => (true, passed, opens && packet.from_central != Some(false), moved),
            Found::Lost => {
                self.settle(true);
                self.grid = None;
                self.finder = Finder::default();
                return None;
            }
        };
        if first {
            self.events += 1;
        }
        let gap = self.before.filter(|_| !first).map(|before| packet.at.saturating_since(before.end));
        let missed = gap.is_some_and(|gap| gap + self.stamps.distance() >= account.air.hole());
        let alternates = |before: Before| if missed { before.from } else { 1 - before.from };
        let from = match (packet.from_central, first) {
            (Some(true), _) => CENTRAL,
            (Some(false), _) => PERIPHERAL,
            (None, true) => {
                if opener {
                    CENTRAL
                } else {
                    PERIPHERAL
                }
            }
            (None, false) => self.before.map_or(CENTRAL, alternates),
        };
        let twice = !first && self.before.is_some_and(|before| before.from == from);
        let grid = self.grid.as_ref()?;
        let mic = account.air.mic(packet.mic, octets);
        let mut bytes = pool.copy(packet.pdu);
        if !packet.readable && mic > 0 {
            opaque::veil(&mut bytes, mic);
        }
        Some(Seen {
            sent: Transmission {
                link: packet.link,
                channel: packet.channel.unwrap_or(0),
                phy: packet.phy,
                start: packet.at,
                end,
                place: Place::Event { counter: grid.counter, opens: first, from_central: from == CENTRAL },
                encrypted: mic > 0,
                packet: bytes,
            },
            sound: header.is_some() && packet.crc_ok != Some(false),
            header: header.unwrap_or(DataHeader { llid: 1, nesn: false, sn: false, md: false }),
            readable: packet.readable || mic == 0,
            mic,
            event: self.events,
            first,
            opener,
            anchor: grid.anchor,
            counter: grid.counter,
            interval: grid.interval,
            passed,
            moved,
            hole: missed || twice,
            from,
        })
    }

    /// Judges what can be judged, oldest first. At the end of the capture all of it.
    fn settle(&mut self, all: bool) {
        while let Some(verdict) = self.verdict(all || self.pending.len() > PENDING_MAX) {
            let (Some(packet), Some(account)) = (self.pending.pop_front(), &mut self.account) else { return };
            self.sequence.note(&packet, verdict);
            let reply = self.pending.iter().find(|next| next.event == packet.event && next.from == PERIPHERAL);
            let reply = reply.filter(|reply| reply.sound && packet.from == CENTRAL);
            if packet.first {
                account.open(After { opening: &packet, reply });
            }
            if let Some((update, grid)) = account.take(&packet, verdict).zip(self.grid.as_mut()) {
                grid.schedule(update);
            }
        }
    }

    /// What the oldest packet was to its receiver, once that is known or has to be decided.
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
        let after = After { opening, reply };
        let heard = event.reply_did_not_fit(packet.sent.end, after, &account.air, &account.rules);
        Some(match (heard, self.sequence.is_stale(packet)) {
            (true, true) => Verdict::Duplicate,
            (true, false) => Verdict::New,
            (false, _) => Verdict::Corrupted,
        })
    }
}

/// The header of a data PDU and the octets behind it; no header when the lengths disagree.
fn header(pdu: &[u8]) -> Option<(Option<DataHeader>, usize)> {
    // The length field has eight bits. Core 6.0, Vol 6, Part B, 2.4.
    let octets = pdu.len().checked_sub(2).filter(|octets| *octets <= usize::from(u8::MAX))?;
    Some((DataHeader::parse(pdu).map(|(header, _)| header), octets))
}
