//! Listens between the application and TrouBLE, and reports what a record wants to know.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use airtime_app::{Command, Event, Link, Machine, Phy, Unit, Wait, payload};
use airtime_ble::host::{ConnHandle, Role, Starved};
use airtime_core::Instant;
use airtime_trouble::Witness;

use super::event::{Details, Phy1M, event};
use crate::observed::{Observed, Underway};
use crate::report::Report;

/// Reporter of one end: the events it has to report, and the causes for which it stands still.
pub(super) struct Reporter {
    machine: Rc<RefCell<dyn Machine>>,
    role: Role,
    observed: Rc<RefCell<Observed>>,
    /// Drained after every poll of the guest, which tells a bounded number of things.
    reports: RefCell<VecDeque<Report>>,
    links: RefCell<Vec<LinkState>>,
    /// SDUs that the host has not taken in whole; one per channel.
    underway: RefCell<Vec<(ConnHandle, Underway)>>,
    details: Cell<Details>,
    refused: Cell<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct LinkState {
    started: bool,
    ended: bool,
}

impl Reporter {
    pub(super) fn new(machine: Rc<RefCell<dyn Machine>>, role: Role, observed: Rc<RefCell<Observed>>) -> Self {
        let links = vec![LinkState::default(); machine.borrow().links()];
        Self {
            machine,
            role,
            observed,
            reports: RefCell::default(),
            links: RefCell::new(links),
            underway: RefCell::default(),
            details: Cell::default(),
            refused: Cell::new(0),
        }
    }

    /// The next report.
    pub(super) fn take(&self) -> Option<Report> {
        self.reports.borrow_mut().pop_front()
    }

    pub(super) fn refused(&self) -> u64 {
        self.refused.get()
    }

    /// Number of events that wait to be taken, or are remembered.
    pub(super) fn held(&self) -> usize {
        self.reports.borrow().len() + self.underway.borrow().len() + self.observed.borrow().held()
    }

    /// Bottleneck that keeps the host from giving its controller more of `conn`, as far as it can be seen from outside.
    /// The walk is the model host's: buffers, credits, and where neither is missing though an SDU waits, the host
    /// itself.
    pub(super) fn starved(&self, conn: ConnHandle) -> Starved {
        let (observed, underway) = (self.observed.borrow(), self.underway.borrow());
        let mut waiting = underway.iter().filter(|(of, _)| *of == conn).map(|(_, sdu)| sdu).peekable();
        if waiting.peek().is_none() {
            return self.application(conn);
        }
        if waiting.all(|sdu| observed.lacks_credits(conn, sdu)) {
            return Starved::Credits;
        }
        if observed.is_full(conn) { Starved::Buffers } else { Starved::LateHost }
    }

    /// Need of an application that has given its host nothing.
    fn application(&self, conn: ConnHandle) -> Starved {
        let machine = self.machine.borrow();
        match machine.index(conn).and_then(|link| machine.link(link)).map(Link::wait) {
            Some(Wait::Sleep) => Starved::Sleep,
            Some(Wait::InFlight) => Starved::InFlight,
            Some(Wait::Answer) => Starved::Answer,
            Some(Wait::Request) => Starved::Response,
            Some(Wait::Busy) => Starved::Busy,
            Some(Wait::Idle) | None => Starved::Application,
        }
    }

    fn report(&self, report: Report) {
        self.reports.borrow_mut().push_back(report);
    }

    fn unit(&self, conn: ConnHandle, channel: u16, octets: u16, sequence: u64) -> Option<Unit> {
        let machine = self.machine.borrow();
        let link = machine.index(conn)?;
        let lane = machine.link(link)?.lane(channel)?;
        Some(Unit { link, lane, conn, channel, octets, sequence })
    }

    /// Says once per connection that its stream has started.
    fn begin(&self, unit: &Unit) {
        if let Some(state) = self.links.borrow_mut().get_mut(unit.link)
            && !state.started
        {
            state.started = true;
            self.report(Report::StreamStarted { link: unit.link, conn: unit.conn });
        }
    }

    fn no_longer_underway(&self, conn: ConnHandle, channel: Option<u16>) {
        let gone = |of: ConnHandle, sdu: &Underway| of == conn && channel.is_none_or(|channel| channel == sdu.channel);
        self.underway.borrow_mut().retain(|(of, sdu)| !gone(*of, sdu));
    }
}

impl Witness for Reporter {
    fn told(&self, _now: Instant, told: &Event) {
        match *told {
            Event::Connected { conn, .. } => {
                let link = self.machine.borrow().index(conn);
                if let Some(link) = link {
                    self.links.borrow_mut()[link] = LinkState::default();
                }
            }
            Event::Disconnected { conn, .. } => self.no_longer_underway(conn, None),
            Event::ChannelClosed { conn, channel } => self.no_longer_underway(conn, Some(channel)),
            _ => {}
        }
        if let Some(event) = event(told, self.role, &self.details.get()) {
            self.report(Report::Host(event));
        }
    }

    fn channel(&self, _now: Instant, conn: u16, channel: u16, peer_mtu: u16, peer_mps: u16) {
        let initial_credits = self.observed.borrow_mut().name(conn, channel);
        self.details.set(Details { peer_mtu, peer_mps, initial_credits, ..self.details.get() });
    }

    fn phy(&self, _now: Instant, _conn: u16, tx: Phy) {
        self.details.set(Details { phy: Phy1M(tx), ..self.details.get() });
    }

    fn submitted(&self, _now: Instant, conn: u16, channel: u16, octets: u16, sequence: u64) {
        let frames_before = self.observed.borrow().frames(conn, channel);
        self.underway.borrow_mut().push((conn, Underway { channel, octets, frames_before }));
        if let Some(unit) = self.unit(conn, channel, octets, sequence) {
            self.begin(&unit);
            self.report(Report::Submitted(unit));
        }
    }

    fn sent(&self, _now: Instant, conn: u16, channel: u16) {
        self.no_longer_underway(conn, Some(channel));
    }

    fn delivered(&self, _now: Instant, conn: u16, channel: u16, octets: u16, head: [u8; 8]) {
        if let Some(unit) = self.unit(conn, channel, octets, payload::sequence(octets, head)) {
            self.begin(&unit);
            self.report(Report::Delivered(unit));
        }
    }

    fn refused(&self, _now: Instant, _command: &Command) {
        self.refused.set(self.refused.get() + 1);
    }

    /// Says once per link how the test with it ended.
    fn settled(&self, _now: Instant) {
        let machine = self.machine.borrow();
        for (link, state) in self.links.borrow_mut().iter_mut().enumerate().filter(|(_, state)| !state.ended) {
            if let Some(outcome) = machine.outcome(link) {
                state.ended = true;
                self.report(Report::Ended { link, outcome });
            }
        }
    }
}
