//! Listens between the RPC server and TrouBLE, and reports what a record wants to know.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use airtime_app::{ATT_CHANNEL, Address, Phy, Unit};
use airtime_ble::hci::Status;
use airtime_ble::host::{ConnHandle, HostEvent, Role, Starved};
use airtime_core::{Duration, Instant};
use airtime_rpc::server::Faults;
use airtime_trouble::rpc::Witness;

use super::event::radio;
use crate::observed::Observed;
use crate::report::Report;

/// Reporter of the end that is called: the events it has to report, and the causes for which it stands still.
pub(super) struct Frames {
    observed: Rc<RefCell<Observed>>,
    /// Drained after every poll of the guest, which tells a bounded number of things.
    reports: RefCell<VecDeque<Report>>,
    link: Cell<Link>,
    faults: Cell<Faults>,
}

/// Counts of one connection.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    /// Frames that have come.
    received: u64,
    /// Octets of those.
    octets: u64,
    /// Frames that were given to the host.
    submitted: u64,
    /// Frames that it had no packet for.
    not_sent: u64,
}

impl Frames {
    pub(super) fn new(observed: Rc<RefCell<Observed>>) -> Self {
        Self { observed, reports: RefCell::default(), link: Cell::default(), faults: Cell::default() }
    }

    /// The next report.
    pub(super) fn take(&self) -> Option<Report> {
        self.reports.borrow_mut().pop_front()
    }

    /// Counts of all that the server of the last connection that ended has dropped or refused.
    pub(super) fn faults(&self) -> Faults {
        self.faults.get()
    }

    /// Octets of the frames that have come on this connection.
    pub(super) fn octets(&self) -> u64 {
        self.link.get().octets
    }

    /// Frames of this connection that the host had no packet for.
    pub(super) fn not_sent(&self) -> u64 {
        self.link.get().not_sent
    }

    /// Number of events that wait to be taken, or are remembered.
    pub(super) fn held(&self) -> usize {
        self.reports.borrow().len() + self.observed.borrow().held()
    }

    /// Bottleneck that keeps the host from giving its controller more of `conn`, as far as it can be seen from outside: a frame
    /// that the host has waits for a buffer, or for the host itself; where it has none, the server has nothing to say.
    pub(super) fn starved(&self, conn: ConnHandle) -> Starved {
        let (observed, link) = (self.observed.borrow(), self.link.get());
        if link.submitted <= link.not_sent + observed.notifications(conn) {
            return Starved::Application;
        }
        if observed.is_full(conn) { Starved::Buffers } else { Starved::LateHost }
    }

    fn report(&self, report: Report) {
        self.reports.borrow_mut().push_back(report);
    }

    fn says(&self, event: HostEvent) {
        self.report(Report::Host(event));
    }

    fn count(&self, change: impl Fn(&mut Link)) {
        let mut link = self.link.get();
        change(&mut link);
        self.link.set(link);
    }
}

/// A frame on the one connection that there is.
fn unit(conn: ConnHandle, octets: u16, sequence: u64) -> Unit {
    Unit { link: 0, lane: 0, conn, channel: ATT_CHANNEL, octets, sequence }
}

impl Witness for Frames {
    fn connected(&self, _now: Instant, conn: u16, peer: Address, interval: Duration) {
        self.link.set(Link::default());
        self.says(HostEvent::Connected { conn, role: Role::Peripheral, peer, interval });
    }

    fn interval(&self, _now: Instant, conn: u16, interval: Duration) {
        self.says(HostEvent::IntervalUpdated { conn, status: Status::SUCCESS, interval });
    }

    fn data_length(&self, _now: Instant, conn: u16, tx_octets: u16, rx_octets: u16) {
        self.says(HostEvent::DataLength { conn, tx_octets, rx_octets });
    }

    fn phy(&self, _now: Instant, conn: u16, tx: Phy) {
        self.says(HostEvent::PhyUpdated { conn, status: Status::SUCCESS, tx: radio(tx) });
    }

    fn begun(&self, _now: Instant, conn: u16, att_mtu: u16, _value: u16) {
        self.says(HostEvent::MtuExchanged { conn, mtu: att_mtu });
    }

    fn received(&self, _now: Instant, conn: u16, octets: u16) {
        self.report(Report::Delivered(unit(conn, octets, self.link.get().received)));
        self.count(|link| (link.received, link.octets) = (link.received + 1, link.octets + u64::from(octets)));
    }

    fn submitted(&self, _now: Instant, conn: u16, octets: u16) {
        self.report(Report::Submitted(unit(conn, octets, self.link.get().submitted)));
        self.count(|link| link.submitted += 1);
    }

    fn not_sent(&self, _now: Instant, _conn: u16, _error: &trouble_host::Error) {
        self.count(|link| link.not_sent += 1);
    }

    fn disconnected(&self, _now: Instant, conn: u16, reason: bt_hci::param::Status, faults: &Faults) {
        self.faults.set(*faults);
        self.says(HostEvent::Disconnected { conn, reason: Status(reason.into_inner()) });
    }
}
