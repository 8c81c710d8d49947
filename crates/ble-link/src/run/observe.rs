//! The sink of a run: books, series, latencies and what went wrong.

use std::collections::VecDeque;

use crate::plan::{Direction, Method, Scenario};
use airtime_app::Outcome as TestOutcome;
use airtime_ble::hci::Status;
use airtime_ble::host::{Role, Starved};
use airtime_ble::ledger::{Account, Awaited, Books, Direction as BookedDirection};
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::{Duration, Instant, Ledger};
use airtime_link::{Latencies, Percentiles};
use airtime_rpc::suite::Report;

use super::rpc::{self, Calls, Snapshot};
use crate::station::StationOutput;

const SECOND: Duration = Duration::from_secs(1);
/// Per-second figures kept: a day.
const SECONDS_MAX: u64 = 86_400;

/// Traffic that one stream direction of one link has carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Octets that arrived.
    pub octets: u64,
    /// SDUs that arrived.
    pub sdus: u64,
    /// SDUs the sender's host took.
    pub submitted: u64,
    /// SDUs that did not arrive in turn, of those that the host took.
    pub gaps: u64,
    /// Values for which the sender's host had no room, and whose application did not look.
    pub dropped: u64,
}

/// Record of one link.
#[derive(Clone, Debug)]
struct LinkRecord {
    books: Books,
    started: Option<Instant>,
    /// Central to peripheral, peripheral to central.
    traffic: [Traffic; 2],
    expected: Vec<(usize, usize, u64)>,
    /// Numbers of values that were dropped, each way, up to the next one that arrives.
    holes: [VecDeque<u64>; 2],
    /// Reason of its last loss.
    lost: Option<Status>,
    /// Set while there is a connection.
    open: bool,
}

/// Recorder of everything a run leaves behind.
#[derive(Clone, Debug)]
pub struct Recorder {
    direction: BookedDirection,
    awaited: Awaited,
    /// Set if the values of the stream are read.
    is_read: bool,
    /// Set if what the peripheral sends are answers, and no stream.
    is_answered: bool,
    links: Vec<LinkRecord>,
    /// Per second since the first link's stream started: octets of its goodput.
    series: Vec<u64>,
    latencies: Latencies,
    /// Links of the scenario, those whose test has ended, and how the last of them did.
    peripherals: usize,
    over: Vec<usize>,
    ended: Option<TestOutcome>,
    lost: Vec<Status>,
    connected: Option<Instant>,
    calls: Calls,
}

impl Recorder {
    /// An empty sink for a run of `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        let direction = match scenario.connection.direction {
            Direction::PeripheralToCentral => BookedDirection::P2c,
            Direction::CentralToPeripheral => BookedDirection::C2p,
            Direction::Both => BookedDirection::Both,
        };
        let awaited = if scenario.rpc.is_some() { Awaited::Calls } else { Awaited::Units };
        Self {
            direction,
            awaited,
            is_read: scenario.gatt.method == Some(Method::Read),
            is_answered: scenario.upload.request.is_some(),
            links: Vec::new(),
            series: Vec::new(),
            latencies: Latencies::new(),
            peripherals: scenario.connection.peripherals.into(),
            over: Vec::new(),
            ended: None,
            lost: Vec::new(),
            connected: None,
            calls: Calls::default(),
        }
    }

    /// Instant at which the first link's connection was made.
    pub fn connected(&self) -> Option<Instant> {
        self.connected
    }

    /// Number of links that stream.
    pub fn streaming(&self) -> usize {
        self.links.iter().filter(|link| link.started.is_some()).count()
    }

    /// Instant at which the first link's stream started.
    pub fn started(&self) -> Option<Instant> {
        self.links.first()?.started
    }

    /// Outcome of the test, if it has ended with every peripheral: a link that is lost takes none of the others with it.
    pub fn ended(&self) -> Option<TestOutcome> {
        self.ended.filter(|_| self.over.len() >= self.peripherals)
    }

    /// Reasons of lost connections, oldest first.
    pub fn lost(&self) -> &[Status] {
        &self.lost
    }

    /// True if every connection made so far is gone again.
    pub fn all_lost(&self) -> bool {
        !self.lost.is_empty() && self.lost.len() >= self.links.len()
    }

    /// Books of link `index`.
    pub fn books(&self, index: usize) -> Option<&Books> {
        self.links.get(index).map(|link| &link.books)
    }

    /// Reason for which link `index` was lost last, if it was, and whether it is open.
    pub fn lost_of(&self, index: usize) -> (Option<Status>, bool) {
        self.links.get(index).map_or((None, false), |link| (link.lost, link.open))
    }

    /// Number of links that there were.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Traffic of link `index`: central to peripheral, peripheral to central.
    pub fn traffic(&self, index: usize) -> [Traffic; 2] {
        self.links.get(index).map_or([Traffic::default(); 2], |link| link.traffic)
    }

    /// Octets of goodput per second since the first link's stream started.
    pub fn series(&self) -> &[u64] {
        &self.series
    }

    /// Outcomes of remote calls.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The first link as it is now.
    fn snapshot(links: &[LinkRecord], now: Instant) -> Option<Snapshot> {
        let link = links.first()?;
        let (books, traffic) = (&link.books, link.traffic);
        let (ledger, standing) = (books.ledger().clone(), books.ledger_at(now));
        Some(Snapshot { link: books.link(), ledger, standing, counts: *books.counts(), traffic })
    }

    /// The script of the calls said this.
    fn reported(&mut self, now: Instant, report: Report) {
        if let Some(link) = self.links.first_mut() {
            match report {
                Report::Began { .. } => link.books.leave_under_way(),
                Report::Call { name, octets, result: Ok(()), .. } => {
                    // The central calls.
                    for (from, octets) in [Role::Central, Role::Peripheral].into_iter().zip(rpc::sent(name, octets)) {
                        link.books.arrived(from, octets);
                    }
                }
                _ => {}
            }
        }
        self.calls.report(now, report, || Self::snapshot(&self.links, now));
    }

    /// Percentiles of latency since the warm-up.
    pub fn latency(&self) -> Option<Percentiles> {
        self.latencies.percentiles()
    }

    /// The warm-up is over at `now`; the accounts of every link up to then.
    pub fn begin_measuring(&mut self, now: Instant) -> Vec<Ledger<Account>> {
        self.latencies.restart();
        self.calls.counts_restarted();
        self.links.iter_mut().map(|link| link.books.begin_measuring(now)).collect()
    }

    /// Number of the link that device `device` calls `link`.
    fn index(device: usize, link: usize) -> usize {
        if device == 0 { link } else { device - 1 }
    }

    fn start(&mut self, index: usize, now: Instant) {
        if let Some(link) = self.links.get_mut(index)
            && link.started.is_none()
        {
            link.started = Some(now);
            link.books.stream_started(now);
        }
    }

    fn delivered(&mut self, now: Instant, device: usize, unit: crate::station::Unit) {
        let index = Self::index(device, unit.link);
        let direction = usize::from(device == 0);
        self.latencies.delivered(2 * index + direction, unit.lane, now);
        let Some(link) = self.links.get_mut(index) else { return };
        if self.awaited == Awaited::Units {
            let from = if device == 0 { Role::Peripheral } else { Role::Central };
            link.books.arrived(from, unit.octets.into());
        }
        let traffic = &mut link.traffic[direction];
        traffic.octets += u64::from(unit.octets);
        traffic.sdus += 1;
        match link.expected.iter_mut().find(|(d, lane, _)| (*d, *lane) == (direction, unit.lane)) {
            Some((_, _, expected)) => {
                // What was dropped was never to arrive.
                while let Some(hole) = link.holes[direction].pop_front_if(|hole| *hole <= *expected) {
                    *expected = (*expected).max(hole + 1);
                }
                // Of a short SDU only the low octets of its number have arrived.
                let mask = if unit.octets >= 8 { u64::MAX } else { (1 << (8 * unit.octets)) - 1 };
                traffic.gaps += u64::from(*expected & mask != unit.sequence & mask);
                *expected = (*expected & !mask | unit.sequence & mask) + 1;
            }
            None => link.expected.push((direction, unit.lane, unit.sequence + 1)),
        }
        if index == 0
            && let Some(started) = link.started
        {
            let second = (now.saturating_since(started) / SECOND).min(SECONDS_MAX) as usize;
            if self.series.len() <= second {
                self.series.resize(second + 1, 0);
            }
            self.series[second] += u64::from(unit.octets);
        }
    }
}

impl Observer<StationOutput> for Recorder {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        if let Place::Event { .. } = transmission.place
            && let Some(link) = self.links.iter_mut().find(|link| link.books.link() == transmission.link)
        {
            link.books.transmission(transmission, verdict);
        }
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        match *trace {
            Trace::ConnectionOpened { link, role: Role::Peripheral, .. } => {
                // A second attempt at the same peripheral takes the place of the first.
                let books = Books::new(link, now, self.direction).awaiting(self.awaited);
                let books = match (self.is_read, self.is_answered) {
                    (true, _) => books.of_reads(),
                    (_, true) => books.of_uploads(),
                    _ => books,
                };
                let lost = self.links.get(device - 1).and_then(|link| link.lost);
                let (started, traffic, expected, holes) = (None, Default::default(), Vec::new(), Default::default());
                let record = LinkRecord { books, started, traffic, expected, holes, lost, open: true };
                self.connected.get_or_insert(now);
                match self.links.get_mut(device - 1) {
                    Some(place) => *place = record,
                    None => self.links.push(record),
                }
            }
            Trace::ConnectionClosed { role, reason, link } => {
                if role == Role::Central {
                    self.lost.push(reason);
                    if let Some(record) = self.links.iter_mut().find(|record| record.books.link() == link) {
                        (record.lost, record.open) = (Some(reason), false);
                    }
                }
                self.with_link(link, |books| books.trace(now, trace, starved));
            }
            Trace::EventClosed { link, .. }
            | Trace::EventSkipped { link, .. }
            | Trace::EventsUnused { link, .. }
            | Trace::Awake { link, .. } => {
                self.with_link(link, |books| books.trace(now, trace, starved));
            }
            Trace::ConnectionOpened { .. } | Trace::Received { .. } => {}
        }
    }

    fn event(&mut self, now: Instant, device: usize, event: &StationOutput) {
        match *event {
            StationOutput::Submitted(_) if self.is_answered && device != 0 => {}
            StationOutput::Delivered(_) if self.is_answered && device == 0 => {}
            StationOutput::Submitted(unit) => {
                let index = Self::index(device, unit.link);
                let direction = usize::from(device != 0);
                self.latencies.submitted(2 * index + direction, unit.lane, now);
                if let Some(link) = self.links.get_mut(index) {
                    link.traffic[direction].submitted += 1;
                }
            }
            StationOutput::Dropped(unit) => {
                if let Some(link) = self.links.get_mut(Self::index(device, unit.link)) {
                    let direction = usize::from(device != 0);
                    link.traffic[direction].dropped += 1;
                    link.holes[direction].push_back(unit.sequence);
                }
            }
            StationOutput::Delivered(unit) => self.delivered(now, device, unit),
            StationOutput::StreamStarted { link, .. } => self.start(Self::index(device, link), now),
            StationOutput::Ended { link, outcome } => {
                let index = Self::index(device, link);
                if !self.over.contains(&index) {
                    self.over.push(index);
                }
                self.ended = Some(outcome);
            }
            StationOutput::Rpc(report) => self.reported(now, report),
            StationOutput::Host(_) | StationOutput::Hci(_) => {}
        }
    }
}

impl Recorder {
    fn with_link(&mut self, link: u32, act: impl FnOnce(&mut Books)) {
        if let Some(record) = self.links.iter_mut().find(|record| record.books.link() == link) {
            act(&mut record.books);
        }
    }
}
