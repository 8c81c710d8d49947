//! User of a host, as its station sees it.

use airtime_app::{Command, Event, Outcome, Reasons, Wait};
use airtime_core::Instant;
use airtime_rpc::suite::Report;

/// An application above a host: takes events, is polled for commands.
pub trait HostUser {
    /// Takes one event.
    fn handle(&mut self, now: Instant, event: Event);

    /// Takes an SDU or value that its host gives whole.
    fn receive(&mut self, now: Instant, conn: u16, channel: u16, octets: &[u8]);

    /// The next command, until there is none.
    fn poll(&mut self, now: Instant) -> Option<Command>;

    /// Instant at which it wants [`Event::Wake`].
    fn deadline(&self) -> Option<Instant>;

    /// Writes the SDU that the last [`Command::Send`] asked for.
    fn fill(&self, sdu: &mut [u8]);

    /// The number of that SDU.
    fn sequence(&self) -> u64;

    /// Number of its links.
    fn links(&self) -> usize;

    /// Number of the link whose live connection is `conn`.
    fn index(&self, conn: u16) -> Option<usize>;

    /// Number of an open channel of link number `link` in the order of opening.
    fn lane(&self, link: usize, channel: u16) -> Option<usize>;

    /// Outcome of link number `link`, if it has ended.
    fn outcome(&self, link: usize) -> Option<Outcome>;

    /// Reason that it gives its host nothing more on `conn`.
    fn wait(&self, conn: u16) -> Wait;

    /// Reasons of the disconnections seen, oldest first.
    fn reasons(&self) -> Reasons;

    /// True if it hears everything of an instant before it is polled.
    fn hears_first(&self) -> bool;

    /// True once its task has begun on link number `link`, and units flow.
    fn has_begun(&self, link: usize) -> bool;

    /// The connection on which calls can begin, if this is an end that calls.
    fn called(&self) -> Option<u16>;

    /// The next thing that its script reports, until there is none.
    fn report(&mut self) -> Option<Report>;
}
