//! The sink of a run below its stacks: books, the deepest that queues were, windows, and packets over the link.

use alloc::rc::Rc;
use core::cell::RefCell;

use crate::ledger::{Account, Books, Direction};
use crate::network::{AP, End, Observer, STATION};
use crate::plan::Scenario;
use crate::trace::{Activity, DropPoint, OnAir, Queue, Stage};
use airtime_core::{Instant, Ledger};
use airtime_net::traffic::{self, Transport};

use super::busy::Busy;
use airtime_link::Latencies;
use airtime_net::measure::{Delays, Repetitions, Tally};

/// Rate indices that there are: 0 to 11 of HE.
const RATES: usize = 12;

/// Recorder of everything a run leaves behind below its stacks.
#[derive(Clone, Debug)]
pub struct Recorder {
    books: Books,
    tally: Rc<RefCell<Tally>>,
    /// Octets that have come to applications or were dropped in front of them, as far as the books know, up and down.
    came: [(u64, u64); 2],
    delays: Option<[Delays; 2]>,
    /// Octets of TCP that come out of an interface again, up and down.
    again: Option<[Repetitions; 2]>,
    /// Delays of IP packets of TCP.
    pub latencies: Latencies,
    /// The most that each of [`Queue::ALL`] held.
    pub deepest: [u32; Queue::ALL.len()],
    /// Depths of the queues.
    depths: [u32; Queue::ALL.len()],
    /// Busy times of the stages.
    pub busy: Busy,
    /// PPDUs of data of the link by their rate index.
    rates: [u64; RATES],
}

impl Recorder {
    /// An empty sink for a run of `scenario` whose traffic starts at `start`, with the tally of its applications.
    pub fn new(scenario: &Scenario, start: Instant, tally: Rc<RefCell<Tally>>) -> Self {
        let direction = match scenario.traffic.direction {
            traffic::Direction::Up => Direction::Up,
            traffic::Direction::Down => Direction::Down,
            traffic::Direction::Both => Direction::Both,
        };
        // Datagrams say themselves when they left.
        let tcp = matches!(scenario.traffic.transport(), Transport::Tcp { .. });
        Self {
            books: Books::new(start, direction).awaiting(scenario.phy().rate_kbps()),
            tally,
            came: [(0, 0); 2],
            delays: tcp.then(Default::default),
            again: tcp.then(Default::default),
            latencies: Latencies::new(),
            deepest: [0; Queue::ALL.len()],
            depths: [0; Queue::ALL.len()],
            busy: Busy::default(),
            rates: [0; RATES],
        }
    }

    /// The books of the channel.
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// The warm-up is over at `now`; the accounts up to then.
    pub fn begin_measuring(&mut self, now: Instant) -> Ledger<Account> {
        self.take_in();
        self.latencies.restart();
        self.deepest = self.depths;
        self.rates = [0; RATES];
        self.books.begin_measuring(now)
    }

    /// The accounts up to `now`.
    pub fn ledger_at(&mut self, now: Instant) -> Ledger<Account> {
        self.take_in();
        self.books.ledger_at(now)
    }

    /// Tells the books what has become of payload in the stacks since.
    fn take_in(&mut self) {
        let flows = self.tally.borrow().flows.map(|flow| (flow.octets, flow.dropped));
        for (direction, (octets, dropped)) in flows.into_iter().enumerate() {
            let before = core::mem::replace(&mut self.came[direction], (octets, dropped));
            if octets > before.0 {
                self.books.came(direction, octets - before.0);
            }
            if dropped > before.1 {
                self.books.ended(direction, Account::Dropped, dropped - before.1);
            }
        }
    }

    /// Rate index of most PPDUs of data of the link, if there were any: the slowest of equals.
    pub fn mcs(&self) -> Option<u8> {
        let sent = (0_u8..).zip(self.rates).filter(|(_, ppdus)| *ppdus > 0);
        sent.max_by_key(|(mcs, ppdus)| (*ppdus, core::cmp::Reverse(*mcs))).map(|(mcs, _)| mcs)
    }
}

impl Observer for Recorder {
    fn on_air(&mut self, on_air: &OnAir) {
        self.take_in();
        self.books.on_air(on_air);
        let of_link = [STATION, AP].contains(&on_air.from) && on_air.to.is_some_and(|to| [STATION, AP].contains(&to));
        if let Some(rate) = self.rates.get_mut(usize::from(on_air.phy.mcs)).filter(|_| of_link && !on_air.rts) {
            *rate += 1;
        }
    }

    fn stage(&mut self, now: Instant, stage: Stage, activity: Activity) {
        self.books.stage(now, stage, activity);
        self.busy.stage(now, stage, activity);
    }

    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        self.books.depth(now, queue, depth);
        if let Some(place) = Queue::ALL.iter().position(|known| *known == queue) {
            self.depths[place] = depth;
            self.deepest[place] = self.deepest[place].max(depth);
        }
    }

    fn packet(&mut self, now: Instant, end: End, into: bool, packet: &[u8]) {
        // Up is from the host's interface to the far end's.
        let up = (end == End::Host) == into;
        if let Some(again) = self.again.as_mut().filter(|_| !into) {
            let octets = again[usize::from(!up)].came(packet);
            self.books.ended(usize::from(!up), Account::TcpAgain, octets);
        }
        let Some(delays) = &mut self.delays else { return };
        let delays = &mut delays[usize::from(!up)];
        if into {
            delays.entered(now, packet);
        } else if let Some(delay) = delays.left(now, packet) {
            self.latencies.took(delay);
        }
    }

    fn dropped(&mut self, now: Instant, at: DropPoint, octets: u32) {
        self.books.dropped(now, at, octets);
    }
}
