//! A bell between threads that `ppoll` hears.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{EventfdFlags, eventfd};

/// A bell: rung any number of times before somebody listens, it has rung once.
#[derive(Debug)]
pub struct Bell(OwnedFd);

impl Bell {
    /// A bell that has not rung.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    pub fn new() -> io::Result<Self> {
        Ok(Self(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?))
    }

    /// Rings it.
    pub fn ring(&self) {
        // The counter is full after 2^64 rings: then it has rung already.
        let _ = rustix::io::write(&self.0, &1u64.to_ne_bytes());
    }

    /// Tells if it has rung since this was last asked.
    pub fn has_rung(&self) -> bool {
        rustix::io::read(&self.0, &mut [0; 8]).is_ok()
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
