//! Time that a grid still takes, from the work that is left and from what work has taken so far.

use std::collections::BTreeMap;
use std::time::Duration;

/// Work that is left, by kind: a second of one link's air takes many times the steps of another's.
#[derive(Clone, Debug, Default)]
pub struct Left {
    kinds: BTreeMap<String, KindWork>,
    points: usize,
}

/// Work of one kind, in seconds of air.
#[derive(Clone, Copy, Debug, Default)]
struct KindWork {
    left: f64,
    done: f64,
    took: Duration,
}

impl Left {
    /// A point of this kind is to be run, with so many seconds of air.
    pub fn add(&mut self, kind: &str, air_s: f64) {
        self.kinds.entry(kind.to_owned()).or_default().left += air_s;
        self.points += 1;
    }

    /// One of them was run, and took so long.
    pub fn ran(&mut self, kind: &str, air_s: f64, took: Duration) {
        self.skip(kind, air_s);
        let kind = self.kinds.entry(kind.to_owned()).or_default();
        kind.done += air_s;
        kind.took += took;
    }

    /// One of them need not be run after all: it says nothing about how long the others take.
    pub fn skip(&mut self, kind: &str, air_s: f64) {
        let kind = self.kinds.entry(kind.to_owned()).or_default();
        kind.left = (kind.left - air_s).max(0.0);
        self.points = self.points.saturating_sub(1);
    }

    /// Time until the end on so many threads; nothing before the first point was run. A kind of which none was run yet is taken for
    /// what the others are in the mean.
    pub fn time(&self, threads: usize) -> Option<Duration> {
        let took: f64 = self.kinds.values().map(|kind| kind.took.as_secs_f64()).sum();
        let done: f64 = self.kinds.values().map(|kind| kind.done).sum();
        if done <= 0.0 {
            return None;
        }
        let pace = |kind: &KindWork| if kind.done > 0.0 { kind.took.as_secs_f64() / kind.done } else { took / done };
        let work: f64 = self.kinds.values().map(|kind| kind.left * pace(kind)).sum();
        Some(Duration::from_secs_f64(work / threads.clamp(1, self.points.max(1)) as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Four points of 10 s over one link, and one of 100 s over another.
    fn grid() -> Left {
        let mut left = Left::default();
        (0..4).for_each(|_| left.add("ble-coc", 10.0));
        left.add("nrf24-ip", 100.0);
        left
    }

    #[test]
    fn time_is_by_work_and_not_by_the_number_of_points() {
        let mut left = grid();
        assert_eq!(left.time(1), None, "nothing is known yet");
        left.ran("ble-coc", 10.0, 100 * MS);
        assert_eq!(left.time(1), Some(1_300 * MS), "30 s and 100 s of air, at 10 ms each");
        left.ran("nrf24-ip", 100.0, 5_000 * MS);
        assert_eq!(left.time(1), Some(300 * MS), "three quick ones are left");
        assert_eq!((left.time(2), left.time(8)), (Some(150 * MS), Some(100 * MS)), "no more threads than points");
    }

    #[test]
    fn what_is_skipped_is_neither_left_nor_quick() {
        let mut left = grid();
        (0..3).for_each(|_| left.skip("ble-coc", 10.0));
        assert_eq!(left.time(1), None);
        left.ran("nrf24-ip", 100.0, 5_000 * MS);
        assert_eq!(left.time(1), Some(500 * MS));
    }
}
