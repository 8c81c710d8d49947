//! Connection intervals: the one a central grants to a request.

use airtime_core::Duration;

use crate::personality::{Intervals, OffGrid};

/// Unit of connection intervals in HCI and on the air: 1.25 ms.
pub(super) const INTERVAL_UNIT: Duration = Duration::from_micros(1_250);

/// Unit of supervision timeouts: 10 ms.
pub(super) const TIMEOUT_UNIT: Duration = Duration::from_millis(10);

/// A whole number of units, rounded up.
pub(super) fn units(span: Duration, unit: Duration) -> Option<u16> {
    u16::try_from(span.as_nanos().div_ceil(unit.as_nanos())).ok()
}

impl Intervals {
    /// The interval granted to a request of `min..=max`, or none when the request is rejected.
    pub fn grant(&self, min: Duration, max: Duration) -> Option<Duration> {
        let grid = self.multiple_of.as_nanos().max(1);
        let on_grid = |at_least: Duration| Duration::from_nanos(at_least.as_nanos().div_ceil(grid) * grid);
        let shortest = on_grid(min.max(self.min));
        if shortest <= max && shortest <= self.max {
            return Some(shortest);
        }
        match self.off_grid {
            OffGrid::Reject => None,
            // The grid may end between its last point and `max`.
            OffGrid::Adjust => Some(shortest.min(Duration::from_nanos(self.max.as_nanos() / grid * grid))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Duration {
        Duration::from_micros(us)
    }

    #[test]
    fn the_grid_decides() {
        let apple = Intervals {
            initial: us(30_000),
            application_chooses: false,
            min: us(15_000),
            max: us(2_000_000),
            multiple_of: us(15_000),
            off_grid: OffGrid::Reject,
            gives_up_after: None,
            asks_after: None,
            preferred_min: Duration::from_millis(30),
            preferred_max: Duration::from_millis(50),
            high_priority_min: None,
            high_priority_max: None,
        };
        let adjusts = Intervals { off_grid: OffGrid::Adjust, ..apple };
        // Requested minimum and maximum; granted by one that rejects, and by one that adjusts.
        let table = [
            (15_000, 15_000, Some(15_000), 15_000),
            (11_250, 11_250, None, 15_000),
            (12_500, 12_500, None, 15_000),
            (7_500, 7_500, None, 15_000),
            (50_000, 50_000, None, 60_000),
            (20_000, 40_000, Some(30_000), 30_000),
            (4_000_000, 4_000_000, None, 1_995_000),
        ];
        for (min, max, rejects, adjusted) in table {
            assert_eq!(apple.grant(us(min), us(max)), rejects.map(us), "{min}..={max}");
            assert_eq!(adjusts.grant(us(min), us(max)), Some(us(adjusted)), "{min}..={max}");
        }
    }
}
