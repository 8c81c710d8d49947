//! Patience with a peer that says nothing any more: the limit at which a stream is given up. Source: Linux,
//! net/ipv4/tcp_timer.c, `tcp_write_timeout` and `tcp_probe_timer`.
//!
//! Retransmissions are limited by time, though what is set is their number: that of a stream whose timeout is as short as can be.
//! Probes of a closed window are counted, and a peer that answers them may keep it closed for ever (RFC 1122, 4.2.2.17).

use airtime_core::{Duration, Instant};

use super::round_trip::MAX_RTO;

/// include/net/tcp.h, `TCP_RTO_MIN`.
const MIN_RTO: Duration = Duration::from_millis(200);
/// `net.ipv4.tcp_retries2`.
const RETRIES: u32 = 15;
/// Retries of an orphan, a stream whose program has closed: `net.ipv4.tcp_orphan_retries` is 0, which stands for it
/// (`tcp_orphan_retries`).
const ORPHAN_RETRIES: u32 = 8;

/// Record of all that was in vain since something was last heard.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// End of the first of the timeouts.
    since: Option<Instant>,
    /// Probes of a closed window that nobody has answered.
    probes: u32,
}

impl Patience {
    /// An acknowledgement has come; `new` says whether it acknowledges anything.
    pub fn heard(&mut self, new: bool) {
        self.probes = 0;
        if new {
            self.since = None;
        }
    }

    /// Notes that the octets in flight are to be sent again; tells if the stream is given up instead.
    pub fn retransmits(&mut self, now: Instant, orphan: bool) -> bool {
        let since = *self.since.get_or_insert(now);
        since < now && now - since >= hypothetical(retries(orphan))
    }

    /// A closed window is to be probed, `timeout` after the last time; says whether the stream is given up instead.
    pub fn probes(&mut self, timeout: Duration, orphan: bool) -> bool {
        // Nobody is left who would wait for a peer as slow as can be, whether it answers or not.
        let over = self.probes >= retries(orphan) || (orphan && timeout >= MAX_RTO);
        self.probes += 1;
        over
    }
}

const fn retries(orphan: bool) -> u32 {
    if orphan { ORPHAN_RETRIES } else { RETRIES }
}

/// Time that a stream whose timeout is as short as can be waits before and after this many retransmissions
/// (`tcp_model_timeout`).
const fn hypothetical(retries: u32) -> Duration {
    let (min, max) = (MIN_RTO.as_nanos(), MAX_RTO.as_nanos());
    let doublings = (max / min).ilog2();
    let doubled = if retries < doublings { retries } else { doublings };
    Duration::from_nanos(((2 << doubled) - 1) * min + (retries - doubled) as u64 * max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_those_that_linux_documents() {
        // Documentation/networking/ip-sysctl.rst, `tcp_retries2`: 924.6 s; and at least 100 s take 8 retransmissions.
        assert_eq!(hypothetical(RETRIES), Duration::from_millis(924_600));
        assert_eq!(hypothetical(ORPHAN_RETRIES), Duration::from_millis(102_200));
    }
}
