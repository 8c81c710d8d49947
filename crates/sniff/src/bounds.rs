//! Bounds on one number of a controller, from events: it went on although the number was at most this, or it stopped
//! because the number was more than that.

use alloc::vec::Vec;

use airtime_core::Instant;

/// Stops kept; when more are pending the weakest go.
const STOPS_MAX: usize = 32;

/// One piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The bound, in nanoseconds or packets.
    pub value: i64,
    /// Number of the event, from the first one captured.
    pub event: u64,
    /// Anchor of the event.
    pub at: Instant,
}

/// Bounds of one number.
///
/// That a side went on is a fact: the packet is there. That it stopped for the rule is a presumption, because a
/// packet that its receiver lost or the sniffer missed looks alike; so a stop that contradicts a fact is counted and
/// given up. One that hardly agrees is given up too: it stopped where the side went on another time, and only a margin
/// that lies right there, to the error of a stamp, would explain both.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    most: Option<Mark>,
    /// Ascending.
    stops: Vec<Mark>,
    /// Number of stops that were seen.
    pub stopped: u64,
    /// Stops among them that contradict a fact.
    pub contradicted: u64,
    /// The last stop that did.
    pub outlier: Option<Mark>,
    /// Times the side went on.
    pub went_on: u64,
    slop: i64,
}

impl Bounds {
    /// No evidence yet; values may be off by `slop` each way.
    pub fn new(slop: i64) -> Self {
        Self {
            most: None,
            stops: Vec::with_capacity(STOPS_MAX + 1),
            stopped: 0,
            contradicted: 0,
            outlier: None,
            went_on: 0,
            slop,
        }
    }

    /// The side went on: the number is at most this.
    pub fn goes_on(&mut self, mark: Mark) {
        self.went_on += 1;
        if self.most.is_some_and(|most| most.value <= mark.value) {
            return;
        }
        self.most = Some(mark);
        while let Some(stop) = self.stops.pop_if(|stop| stop.value + 2 * self.slop >= mark.value) {
            self.give_up(stop, mark);
        }
    }

    /// The side stopped: the number is more than this.
    pub fn stops(&mut self, mark: Mark) {
        self.stopped += 1;
        if let Some(most) = self.most.filter(|most| mark.value + 2 * self.slop >= most.value) {
            return self.give_up(mark, most);
        }
        let place = self.stops.partition_point(|stop| stop.value < mark.value);
        if self.stops.get(place).is_some_and(|stop| stop.value == mark.value) {
            return;
        }
        self.stops.insert(place, mark);
        if self.stops.len() > STOPS_MAX {
            self.stops.remove(0);
        }
    }

    fn give_up(&mut self, stop: Mark, most: Mark) {
        if stop.value >= most.value + 2 * self.slop {
            self.outlier = Some(stop);
            self.contradicted += 1;
        }
    }

    /// The fact that says most.
    pub fn most(&self) -> Option<Mark> {
        self.most
    }

    /// The stop that says most.
    pub fn more_than(&self) -> Option<Mark> {
        self.stops.last().copied()
    }

    /// Tolerance of the bounds.
    pub fn slop(&self) -> i64 {
        self.slop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(value: i64) -> Mark {
        Mark { value, event: value as u64, at: Instant::ZERO }
    }

    #[test]
    fn facts_and_stops_close_in() {
        let mut bounds = Bounds::new(0);
        for value in [900, 400, 500] {
            bounds.goes_on(mark(value));
        }
        for value in [100, 250, 200] {
            bounds.stops(mark(value));
        }
        assert_eq!((bounds.more_than(), bounds.most()), (Some(mark(250)), Some(mark(400))));
    }

    #[test]
    fn a_stop_that_contradicts_a_fact_is_given_up_whichever_came_first() {
        let mut bounds = Bounds::new(0);
        bounds.stops(mark(100));
        bounds.stops(mark(700));
        bounds.goes_on(mark(400));
        bounds.stops(mark(800));
        assert_eq!((bounds.stopped, bounds.contradicted), (3, 2));
        assert_eq!((bounds.more_than(), bounds.most()), (Some(mark(100)), Some(mark(400))));
    }

    #[test]
    fn what_may_be_rounding_neither_contradicts_nor_counts() {
        let mut bounds = Bounds::new(3);
        bounds.stops(mark(393));
        bounds.stops(mark(394));
        bounds.goes_on(mark(400));
        bounds.stops(mark(405));
        assert_eq!((bounds.contradicted, bounds.more_than()), (0, Some(mark(393))));
        bounds.stops(mark(406));
        assert_eq!(bounds.contradicted, 1);
    }
}
