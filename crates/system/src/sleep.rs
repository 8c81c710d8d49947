//! Sleeping until something is due or a stream is ready, to the nanosecond as far as the system can.
//!
//! `poll` with a timeout in nanoseconds (`ppoll` on Linux) is all it takes: there are at most two
//! descriptors per controller, and a medium has room for 64.

use std::io;

use airtime_core::Duration;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Longest sleep: somebody may have set back the clock of a suspended machine.
pub const REST_MAX: Duration = Duration::from_secs(60);

/// Flags that are reported when whoever was at the other end of a stream has left it, even while octets of his wait to
/// be read.
pub const LEFT: PollFlags = PollFlags::HUP.union(PollFlags::ERR).union(CLOSED);

#[cfg(target_os = "linux")]
const CLOSED: PollFlags = PollFlags::RDHUP;
#[cfg(not(target_os = "linux"))]
const CLOSED: PollFlags = PollFlags::empty();

/// Lets this thread wake up when it has asked to, not up to 50 µs later: that is what Linux adds to
/// sleeps of ordinary threads (prctl(2), PR_SET_TIMERSLACK).
pub fn wake_up_exactly() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, events are computed a little later; the lag shows it.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    }
}

/// Sleeps for `rest`, or until one of `fds` is ready; false when a signal has cut it short.
///
/// # Errors
/// When the system refuses to wait.
pub fn sleep(fds: &mut [PollFd<'_>], rest: Duration) -> io::Result<bool> {
    let ns = rest.as_nanos();
    let rest = Timespec { tv_sec: (ns / 1_000_000_000) as i64, tv_nsec: (ns % 1_000_000_000) as _ };
    match poll(fds, Some(&rest)) {
        Ok(_) => Ok(true),
        // Whoever handles the signal says whether to stop.
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
