//! Activities of a device beside its links: a scan, and advertising that takes no connections.

use airtime_ble::host::{Host, Request};
use airtime_core::{Duration, Instant};

/// Activities of a device beside its links, from the first stream on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activities {
    /// Interval and window of a passive scan.
    pub scan: Option<(Duration, Duration)>,
    /// Interval of advertising.
    pub advertising: Option<Duration>,
}

impl Activities {
    /// Starts all of them on `host`; says how many it refused.
    pub(super) fn start(self, host: &mut Host, now: Instant) -> u64 {
        let scan = self.scan.map(|(interval, window)| Request::Observe { interval, window });
        let advertising = self.advertising.map(|interval| Request::Broadcast { interval });
        scan.into_iter().chain(advertising).map(|request| u64::from(host.request(now, request).is_err())).sum()
    }
}
