//! A link as its server has it.

use std::io;
use std::os::fd::BorrowedFd;

use super::link::{Joined, PacedLink};
use super::namespaces::Namespaces;

/// A link, and what it wants of its server besides packets.
pub trait Served {
    /// Plant of the link.
    type Plant: Joined;

    /// The link that is served, paced.
    fn link(&self) -> &PacedLink<Self::Plant>;

    /// The link, to be changed.
    fn link_mut(&mut self) -> &mut PacedLink<Self::Plant>;

    /// Stream that can be read when there is something to [`obey`](Self::obey), if there is such a stream.
    fn orders(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Reads that stream, and does to the ends and their devices what it says.
    fn obey(&mut self, namespaces: &mut Namespaces) {
        let _ = namespaces;
    }

    /// Somebody has deleted the device of `end`.
    ///
    /// # Errors
    /// When the server cannot go on without.
    fn lost(&mut self, end: usize, error: io::Error) -> io::Result<()> {
        let _ = end;
        Err(error)
    }
}
