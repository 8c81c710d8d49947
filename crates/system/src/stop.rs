//! Stop of a server that sleeps.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The server's end.
#[derive(Debug)]
pub struct Stop {
    asked: Arc<AtomicBool>,
    wakes: UnixStream,
    waker: Arc<UnixStream>,
}

/// Stops a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stopper {
    asked: Arc<AtomicBool>,
    waker: Arc<UnixStream>,
}

impl Stop {
    /// A stop that nobody has asked for.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new() -> io::Result<Self> {
        let (wakes, waker) = UnixStream::pair()?;
        waker.set_nonblocking(true)?;
        Ok(Self { asked: Arc::default(), wakes, waker: Arc::new(waker) })
    }

    /// Handle that asks from another thread.
    pub fn stopper(&self) -> Stopper {
        Stopper { asked: self.asked.clone(), waker: self.waker.clone() }
    }

    /// True once anybody has asked; the descriptor can be read then.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }
}

impl AsFd for Stop {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wakes.as_fd()
    }
}

impl Stopper {
    /// Asks the server to stop; the first to ask is told `true`.
    pub fn stop(&self) -> bool {
        let first = !self.asked.swap(true, Ordering::SeqCst);
        // A full socket wakes the server as well as a byte more would.
        let _ = (&*self.waker).write(&[0]);
        first
    }

    /// True once anybody has asked.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }
}
