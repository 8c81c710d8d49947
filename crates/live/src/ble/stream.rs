//! Streams that H4 octets travel on.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;

/// A two-way stream of octets.
pub trait Duplex: Read + Write + AsFd {}

impl<T: Read + Write + AsFd> Duplex for T {}

/// Tells if an error only means "later".
pub fn waits(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
