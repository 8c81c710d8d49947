//! Grid of a connection: its anchors, and the event that a packet belongs to.

use airtime_core::{Duration, Instant};

use super::sniffed::Stamps;

/// Jitter of an anchor against the place where the last one puts it, the sniffer's own clock left out: the 16 µs of an
/// instant that sleep clocks keep. Core 6.0, Vol 6, Part B, 4.2.2.
const ANCHOR_JITTER: Duration = Duration::from_micros(16);
/// Events that do not begin on the grid before it is given up; one that does makes up for two of them, because some lie
/// on any grid.
const STRAYS_MAX: u8 = 8;

/// New parameters that wait for their instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Update {
    /// Event counter at which they take effect.
    pub instant: u16,
    /// Distance of the transmit window from where the anchor would have been.
    pub offset: Duration,
    /// Size of the transmit window.
    pub window: Duration,
    /// The new interval.
    pub interval: Duration,
}

/// Place of a packet in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Packet before the first event.
    Early,
    /// Packet of the same event as the one before.
    Same,
    /// First packet of a later event.
    Next {
        /// Anchors since the last event seen, 1 when none was missed; 0 for the first event of all.
        passed: u64,
        /// Set if it begins at the anchor.
        opens: bool,
        /// Set if new parameters took effect in between.
        moved: bool,
    },
    /// The grid does not hold any more.
    Lost,
}

/// The anchors of a connection.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Distance of two anchors.
    pub interval: Duration,
    /// Anchor of the running event; before the first one the start of its window.
    pub anchor: Instant,
    /// Counter of the running event.
    pub counter: u16,
    update: Option<Update>,
    window: Duration,
    started: bool,
    strays: u8,
    stamps: Stamps,
}

impl Grid {
    /// A grid whose first anchor lies in a `window` that begins at `start`.
    pub fn new(interval: Duration, start: Instant, window: Duration, stamps: Stamps) -> Self {
        Self { interval, anchor: start, counter: 0, update: None, window, started: false, strays: 0, stamps }
    }

    /// Largest deviation of an anchor `elapsed` after a known one.
    fn tolerance(&self, elapsed: Duration) -> Duration {
        // Both the central's sleep clock and the sniffer's may be off.
        let drift = Duration::from_nanos(elapsed.as_nanos() / 1_000_000 * (50 + u64::from(self.stamps.ppm)));
        (ANCHOR_JITTER + self.stamps.distance() + drift).min(self.interval / 4)
    }

    /// New parameters will take effect, unless their instant has passed. Core 6.0, Vol 6, Part B, 5.5.
    pub fn schedule(&mut self, update: Update) {
        if (1..0x8000).contains(&update.instant.wrapping_sub(self.counter)) && !update.interval.is_zero() {
            self.update = Some(update);
        }
    }

    /// Finds the event of a packet that begins at `at`; `hopped`: it is on another channel than the one before.
    pub fn find(&mut self, at: Instant, hopped: bool) -> Found {
        if !self.started {
            return self.first(at);
        }
        let tolerance = self.tolerance(at.saturating_since(self.anchor));
        if let Some(update) = self.update {
            let ahead = u64::from(update.instant.wrapping_sub(self.counter));
            let base = self.anchor + self.interval * ahead + update.offset;
            if at + tolerance >= base {
                return self.take_effect(at, tolerance, base, ahead, update);
            }
        }
        let elapsed = at.saturating_since(self.anchor);
        let passed = ((elapsed + tolerance) / self.interval).max(u64::from(hopped));
        if passed == 0 {
            return Found::Same;
        }
        let nominal = self.anchor + self.interval * passed;
        self.counter = self.counter.wrapping_add(passed as u16);
        self.arrive(at, nominal, tolerance, passed, false)
    }

    fn first(&mut self, at: Instant) -> Found {
        let tolerance = self.tolerance(at.saturating_since(self.anchor));
        if at + tolerance < self.anchor {
            return Found::Early;
        }
        let passed = (at + tolerance).saturating_since(self.anchor) / self.interval;
        let nominal = self.anchor + self.interval * passed;
        self.counter = passed as u16;
        self.started = true;
        self.arrive(at, nominal, tolerance + self.window, 0, false)
    }

    fn take_effect(&mut self, at: Instant, tolerance: Duration, base: Instant, ahead: u64, update: Update) -> Found {
        self.update = None;
        self.interval = update.interval;
        let further = (at + tolerance).saturating_since(base) / update.interval;
        self.counter = update.instant.wrapping_add(further as u16);
        let nominal = base + update.interval * further;
        self.arrive(at, nominal, tolerance + update.window, ahead + further, true)
    }

    fn arrive(&mut self, at: Instant, nominal: Instant, late: Duration, passed: u64, moved: bool) -> Found {
        let opens = at <= nominal + late && at + late >= nominal;
        self.anchor = if opens { at } else { nominal.min(at) };
        self.strays = if opens { self.strays.saturating_sub(2) } else { self.strays + 1 };
        if self.strays >= STRAYS_MAX { Found::Lost } else { Found::Next { passed, opens, moved } }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    const INTERVAL: Duration = Duration::from_micros(7_500);

    fn at(us: u64) -> Instant {
        Instant::from_nanos(us * 1_000)
    }

    fn grid() -> Grid {
        let mut grid = Grid::new(INTERVAL, at(1_000), Duration::from_micros(1_250), Stamps::SNIFFER);
        assert_eq!(grid.find(at(1_700), false), Found::Next { passed: 0, opens: true, moved: false });
        grid
    }

    #[test]
    fn packets_of_an_event_stay_in_it() {
        let mut grid = grid();
        assert_eq!(grid.find(at(1_900), false), Found::Same);
        assert_eq!(grid.find(at(9_000), false), Found::Same);
        assert_eq!(grid.find(at(9_201), false), Found::Next { passed: 1, opens: true, moved: false });
        assert_eq!(grid.counter, 1);
    }

    #[test]
    fn missed_events_and_missed_anchors_are_counted() {
        let mut grid = grid();
        assert_eq!(grid.find(at(1_700 + 3 * 7_500), false), Found::Next { passed: 3, opens: true, moved: false });
        assert_eq!(grid.find(at(1_700 + 4 * 7_500 + 230), true), Found::Next { passed: 1, opens: false, moved: false });
        assert_eq!((grid.counter, grid.anchor), (4, at(1_700 + 4 * 7_500)));
    }

    #[test]
    fn an_update_takes_effect_at_its_instant() {
        let mut grid = grid();
        grid.schedule(Update {
            instant: 3,
            offset: Duration::from_micros(2_500),
            window: Duration::from_micros(1_250),
            interval: INTERVAL * 4,
        });
        assert_eq!(grid.find(at(1_700 + 7_500), false), Found::Next { passed: 1, opens: true, moved: false });
        let third = 1_700 + 3 * 7_500 + 2_500 + 900;
        assert_eq!(grid.find(at(third), false), Found::Next { passed: 2, opens: true, moved: true });
        assert_eq!((grid.counter, grid.interval), (3, INTERVAL * 4));
        assert_eq!(grid.find(at(third + 30_000), false), Found::Next { passed: 1, opens: true, moved: false });
    }

    #[test]
    fn a_grid_that_does_not_hold_is_given_up() {
        let mut grid = grid();
        let found: Vec<Found> = (1..20).map(|n| grid.find(at(1_700 + n * 8_750), true)).collect();
        assert!(found.contains(&Found::Lost), "{found:?}");
    }
}
