//! The ends of remote calls as what sits on a host.

use airtime_app::rpc::{Central, Peripheral, Secrets};
use airtime_app::{Command, Event, Outcome, Reasons, Wait};
use airtime_core::Instant;
use airtime_rpc::Service;
use airtime_rpc::client::State;
use airtime_rpc::service::{PatternFlash, TestService};
use airtime_rpc::suite::{Report, Script};

use super::{AnyScript, HostUser, SeededSecrets, Station};

/// A central of the laboratory that calls.
pub type CallingStation = Station<Central<AnyScript, SeededSecrets>>;

/// A peripheral of the laboratory that is called: the test service over a flash with documented content.
pub type CalledStation = Station<Peripheral<TestService<PatternFlash>, SeededSecrets>>;

impl<S: Script<OCTETS>, R: Secrets, const OCTETS: usize> HostUser for Central<S, R, OCTETS> {
    fn handle(&mut self, now: Instant, event: Event) {
        Central::handle(self, now, event);
    }

    fn receive(&mut self, now: Instant, conn: u16, channel: u16, octets: &[u8]) {
        Central::receive(self, now, conn, channel, octets);
    }

    fn poll(&mut self, now: Instant) -> Option<Command> {
        Central::poll(self, now)
    }

    fn deadline(&self) -> Option<Instant> {
        Central::deadline(self)
    }

    fn fill(&self, sdu: &mut [u8]) {
        Central::fill(self, sdu);
    }

    fn sequence(&self) -> u64 {
        Central::sequence(self)
    }

    fn links(&self) -> usize {
        1
    }

    fn index(&self, conn: u16) -> Option<usize> {
        self.link().filter(|link| link.is_connected() && link.conn() == conn).map(|_| 0)
    }

    fn lane(&self, link: usize, channel: u16) -> Option<usize> {
        (link == 0 && self.channel() == Some(channel)).then_some(0)
    }

    fn outcome(&self, _link: usize) -> Option<Outcome> {
        Central::outcome(self)
    }

    fn wait(&self, conn: u16) -> Wait {
        self.index(conn).map_or(Wait::Idle, |_| Central::wait(self))
    }

    fn reasons(&self) -> Reasons {
        Central::reasons(self)
    }

    fn hears_first(&self) -> bool {
        true
    }

    fn has_begun(&self, _link: usize) -> bool {
        matches!(self.client().state(), State::Ready(_))
    }

    fn called(&self) -> Option<u16> {
        let link = self.link().filter(|link| link.is_connected())?;
        self.has_begun(0).then(|| link.conn())
    }

    fn report(&mut self) -> Option<Report> {
        Central::report(self)
    }
}

impl<V: Service, R: Secrets, const OCTETS: usize> HostUser for Peripheral<V, R, OCTETS> {
    fn handle(&mut self, now: Instant, event: Event) {
        Peripheral::handle(self, now, event);
    }

    fn receive(&mut self, now: Instant, conn: u16, channel: u16, octets: &[u8]) {
        Peripheral::receive(self, now, conn, channel, octets);
    }

    fn poll(&mut self, now: Instant) -> Option<Command> {
        Peripheral::poll(self, now)
    }

    fn deadline(&self) -> Option<Instant> {
        Peripheral::deadline(self)
    }

    fn fill(&self, sdu: &mut [u8]) {
        Peripheral::fill(self, sdu);
    }

    fn sequence(&self) -> u64 {
        Peripheral::sequence(self)
    }

    fn links(&self) -> usize {
        1
    }

    fn index(&self, conn: u16) -> Option<usize> {
        Peripheral::index(self, conn)
    }

    /// The first frame of a connection settles what frames travel on, so it is not known when that frame is noted.
    fn lane(&self, link: usize, channel: u16) -> Option<usize> {
        (link == 0 && self.channel().is_none_or(|own| own == channel)).then_some(0)
    }

    /// It waits for the next connection and never ends.
    fn outcome(&self, _link: usize) -> Option<Outcome> {
        None
    }

    fn wait(&self, conn: u16) -> Wait {
        self.index(conn).map_or(Wait::Idle, |_| Peripheral::wait(self))
    }

    fn reasons(&self) -> Reasons {
        Peripheral::reasons(self)
    }

    fn hears_first(&self) -> bool {
        true
    }

    /// Only the end that calls knows.
    fn has_begun(&self, _link: usize) -> bool {
        false
    }

    fn called(&self) -> Option<u16> {
        None
    }

    fn report(&mut self) -> Option<Report> {
        None
    }
}
