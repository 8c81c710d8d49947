//! Change of the PHY during the stream.

use airtime_core::{Duration, Instant};

use crate::Phy;
use crate::interval::Tries;

/// The PHY that this end still has to ask for on one connection.
#[derive(Clone, Debug)]
pub(crate) struct PhyChange {
    change: Option<(Duration, Phy)>,
    again: Option<(Instant, Phy)>,
    asked: Option<Phy>,
    tries: Tries,
}

impl PhyChange {
    pub(crate) fn new(change: Option<(Duration, Phy)>) -> Self {
        Self { change, again: None, asked: None, tries: Tries::default() }
    }

    /// The PHY to ask for now, if any; `started` is when the stream did.
    #[inline]
    pub(crate) fn due(&mut self, now: Instant, started: Option<Instant>) -> Option<Phy> {
        if self.deadline(started)? > now {
            return None;
        }
        let again = self.again.take().map(|(_, phy)| phy);
        self.asked = again.or_else(|| self.change.take().map(|(_, phy)| phy));
        self.asked
    }

    /// An update ended; one that collided with another procedure is tried again.
    pub(crate) fn updated(&mut self, now: Instant, status: u8, interval: Duration) {
        let Some(phy) = self.asked.take() else { return };
        self.again = self.tries.again(now, status, interval).map(|at| (at, phy));
    }

    #[inline]
    pub(crate) fn deadline(&self, started: Option<Instant>) -> Option<Instant> {
        let change = || Some(started? + self.change?.0);
        self.again.map(|(at, _)| at).or_else(change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn asked_for_once_from_the_start_of_the_stream_and_again_behind_a_collision() {
        let mut change = PhyChange::new(Some((Duration::from_secs(1), Phy::Le2M)));
        assert_eq!(change.due(at(5_000), None), None, "the stream has not begun");
        assert_eq!(change.deadline(Some(at(6))), Some(at(1_006)));
        assert_eq!(change.due(at(1_005), Some(at(6))), None);
        assert_eq!(change.due(at(1_006), Some(at(6))), Some(Phy::Le2M));
        assert_eq!(change.deadline(Some(at(6))), None);
        change.updated(at(1_010), 0x2a, Duration::from_millis(30));
        assert_eq!(change.due(at(1_310), Some(at(6))), Some(Phy::Le2M));
        change.updated(at(1_400), 0, Duration::from_millis(30));
        assert_eq!(change.deadline(Some(at(6))), None);
    }
}
