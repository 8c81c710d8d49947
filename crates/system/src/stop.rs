//! Stop of a server that sleeps.

use std::io;
#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The server's end. On UNIX it has a descriptor that can be read once anybody has asked; elsewhere a server looks from time to time.
#[derive(Debug)]
pub struct Stop {
    stopper: Stopper,
    #[cfg(unix)]
    wakes: UnixStream,
}

/// Stops a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stopper {
    asked: Arc<AtomicBool>,
    #[cfg(unix)]
    waker: Arc<UnixStream>,
}

impl Stop {
    /// A stop that nobody has asked for.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    #[cfg(unix)]
    pub fn new() -> io::Result<Self> {
        let (wakes, waker) = UnixStream::pair()?;
        waker.set_nonblocking(true)?;
        Ok(Self { stopper: Stopper { asked: Arc::default(), waker: Arc::new(waker) }, wakes })
    }

    /// A stop that nobody has asked for.
    ///
    /// # Errors
    /// None: on UNIX there may be no descriptors left.
    #[cfg(not(unix))]
    pub fn new() -> io::Result<Self> {
        Ok(Self { stopper: Stopper { asked: Arc::default() } })
    }

    /// Handle that asks from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// True once anybody has asked; the descriptor can be read then.
    pub fn is_asked(&self) -> bool {
        self.stopper.is_asked()
    }
}

#[cfg(unix)]
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
        #[cfg(unix)]
        let _ = (&*self.waker).write(&[0]);
        first
    }

    /// True once anybody has asked.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }
}
