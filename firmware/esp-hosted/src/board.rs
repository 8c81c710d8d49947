//! Clock and watchdog.

use core::convert::Infallible;

use airtime_core::{Duration, Instant};

/// Interval at which a watchdog is fed; it has to have several times that, for a slot of 2 MB takes 5 s to be erased and nothing else
/// runs meanwhile.
const FEED: Duration = Duration::from_secs(1);

/// Clock and watchdog of a board.
pub trait Board {
    /// Current time.
    fn now(&self) -> Instant;

    /// Waits until `at`.
    fn until(&self, at: Instant) -> impl Future<Output = ()>;

    /// Feeds the watchdog: everything still goes round.
    fn alive(&self);

    /// Waits for `span`.
    fn after(&self, span: Duration) -> impl Future<Output = ()> {
        self.until(self.now() + span)
    }
}

/// Feeds the watchdog as long as whatever runs beside gives the processor back.
pub(crate) async fn feed(board: &impl Board) -> Infallible {
    loop {
        board.alive();
        board.after(FEED).await;
    }
}
