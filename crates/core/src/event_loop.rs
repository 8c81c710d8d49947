//! The event loop: always the earliest deadline, ties by node index.
//!
//! Links have a handful of nodes, and a node's deadline changes at nearly every step; a scan over a
//! flat array is cheaper than a heap up to some dozens of nodes, and it has no tie to break.

use alloc::vec::Vec;

use crate::{Deadlines, Instant};

/// Nodes in a block of deadlines: as many as two hosts with two radios each have. A plant with more has more blocks.
const BLOCK: usize = 8;

/// A set of nodes that the loop can wake, and that says whose deadlines a step has touched.
///
/// A node is a protocol machine without a clock, a socket or a thread. Whoever holds it makes one mutation (`handle`), then
/// drains its outputs (`poll`) to none, then asks when it next wants to be woken (`deadline`, which changes nothing). At its
/// deadline it is handed its link's wake-up and must afterwards have a later deadline or none; the loop asserts it.
///
/// That is a convention and no trait: each link has inputs and outputs of its own, and nothing is generic over nodes but
/// through their plant.
pub trait Plant {
    /// Number of nodes; constant during a run.
    fn nodes(&self) -> usize;
    /// The deadline of `node`.
    fn deadline(&self, node: usize) -> Option<Instant>;
    /// Wakes `node` at `now`, carries its outputs to other nodes until nothing is left to carry,
    /// and notes every node it has mutated, `node` included, in `touched`.
    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched);
    /// Tells `due` the deadline of each node in `touched`, and empties that.
    ///
    /// A plant of a few nodes that differ may look for each of them by its name instead: to choose by a number that nobody can
    /// predict is what costs most of it.
    #[inline]
    fn deadlines(&self, touched: &mut Touched, mut due: impl FnMut(usize, Option<Instant>)) {
        while let Some(node) = touched.take() {
            due(node, self.deadline(node));
        }
    }
}

/// The nodes mutated in one step. A link has few nodes: the first 64 are bits, which a step notes and forgets without
/// touching memory elsewhere. Of the others it may name one twice.
#[derive(Debug, Default)]
pub struct Touched {
    first: u64,
    others: Vec<usize>,
}

impl Touched {
    /// Notes that `node` was mutated.
    #[inline]
    pub fn note(&mut self, node: usize) {
        if node < u64::BITS as usize {
            self.first |= 1 << node;
        } else if self.others.last() != Some(&node) {
            self.others.push(node);
        }
    }

    /// Takes out `node`, one of the first 64; says whether it was noted.
    #[inline]
    pub fn take_out(&mut self, node: usize) -> bool {
        let noted = self.first & 1 << node != 0;
        self.first &= !(1 << node);
        noted
    }

    /// Takes out one of the nodes that were noted; none when there are no more.
    #[inline]
    pub fn take(&mut self) -> Option<usize> {
        if self.first == 0 {
            return self.others.pop();
        }
        let node = self.first.trailing_zeros();
        self.first &= self.first - 1;
        Some(node as usize)
    }
}

/// Word from outside that nobody wants the rest of a run: it is asked now and then, and the run ends early when it says so.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Steps between two looks at a [`Stop`]: less than a millisecond on any machine that runs a laboratory.
pub const STEPS_BETWEEN_LOOKS: u32 = 1024;

/// Drives a [`Plant`] through virtual time.
#[derive(Debug)]
pub struct EventLoop {
    now: Instant,
    /// The deadline of each node, in blocks.
    due: Vec<Deadlines<BLOCK>>,
    touched: Touched,
    steps: u64,
}

impl EventLoop {
    /// A loop at `now` over the nodes of `plant`.
    pub fn new(now: Instant, plant: &impl Plant) -> Self {
        let due = alloc::vec![Deadlines::new(); plant.nodes().div_ceil(BLOCK)];
        let mut event_loop = Self { now, due, touched: Touched::default(), steps: 0 };
        event_loop.refresh(plant);
        event_loop
    }

    /// The time of the last step.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Number of steps that the loop has made: nodes woken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Instant of the next step; none while nothing is due.
    pub fn next_due(&self) -> Option<Instant> {
        let (due, _) = self.earliest();
        (due != Instant::FAR_FUTURE).then_some(due)
    }

    /// Reads every deadline afresh, after nodes were mutated from outside the loop.
    pub fn refresh(&mut self, plant: &impl Plant) {
        for node in 0..plant.nodes() {
            place(&mut self.due, node, plant.deadline(node));
        }
    }

    /// Makes one step if one is due at or before `until`; says whether it did.
    ///
    /// # Panics
    /// When a node asks to be woken in the past, or still has a deadline that is not later than the
    /// wake-up it was just given: both would hang the loop.
    pub fn step(&mut self, plant: &mut impl Plant, until: Instant) -> bool {
        let (due, node) = self.earliest();
        if due > until || due == Instant::FAR_FUTURE {
            return false;
        }
        assert!(due >= self.now, "node {node} asked to be woken at {due}, before {}", self.now);
        self.now = due;
        self.steps += 1;
        plant.wake(node, due, &mut self.touched);
        self.refresh_touched(plant);
        assert!(self.due[node / BLOCK].at(node % BLOCK) > due, "node {node} was woken at {due} and still wants to be");
        true
    }

    /// Lets something outside the plant mutate it at `now`, after everything due by then.
    ///
    /// # Panics
    /// When something is due before `now`: what comes from outside may not overtake what is on its way.
    pub fn act<P: Plant, R>(&mut self, plant: &mut P, now: Instant, act: impl FnOnce(&mut P, &mut Touched) -> R) -> R {
        let (due, node) = self.earliest();
        assert!(now >= self.now && due >= now, "node {node} is due at {due}, acted on at {now}");
        self.now = now;
        let result = act(plant, &mut self.touched);
        self.refresh_touched(plant);
        result
    }

    fn refresh_touched(&mut self, plant: &impl Plant) {
        let Self { due, touched, .. } = self;
        plant.deadlines(touched, |node, at| place(due, node, at));
    }

    /// Steps until nothing is due at or before `until`; the time is `until` afterwards.
    pub fn run_until(&mut self, plant: &mut impl Plant, until: Instant) {
        while self.step(plant, until) {}
        self.now = self.now.max(until);
    }

    /// Runs until `until` as [`run_until`](Self::run_until) does, but looks every [`STEPS_BETWEEN_LOOKS`] steps if `stop` says that
    /// nobody wants the rest; says whether it came to `until`. The time is that of the last step if not.
    pub fn run_unless(&mut self, plant: &mut impl Plant, until: Instant, stop: Stop<'_>) -> bool {
        while !stop() {
            for _ in 0..STEPS_BETWEEN_LOOKS {
                if !self.step(plant, until) {
                    self.now = self.now.max(until);
                    return true;
                }
            }
        }
        false
    }

    /// The node whose turn is next, and when that is.
    fn earliest(&self) -> (Instant, usize) {
        let Some((first, others)) = self.due.split_first() else { return (Instant::FAR_FUTURE, 0) };
        let (mut due, mut node) = first.earliest();
        for (block, nodes) in (1..).zip(others) {
            let (other, place) = nodes.earliest();
            // Of several the first.
            if other < due {
                (due, node) = (other, BLOCK * block + place);
            }
        }
        (due, node)
    }
}

/// The deadline of `node` is `at`.
#[inline]
fn place(due: &mut [Deadlines<BLOCK>], node: usize, at: Option<Instant>) {
    due[node / BLOCK].set(node % BLOCK, at.unwrap_or(Instant::FAR_FUTURE));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Duration;
    use alloc::vec;

    /// Nodes that tick at their own period and log who ticked when.
    struct Clocks {
        next: Vec<Instant>,
        period: Vec<u64>,
        log: Vec<(u64, usize)>,
    }

    impl Plant for Clocks {
        fn nodes(&self) -> usize {
            self.next.len()
        }
        fn deadline(&self, node: usize) -> Option<Instant> {
            Some(self.next[node])
        }
        fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
            self.log.push((now.as_nanos(), node));
            self.next[node] = now + Duration::from_nanos(self.period[node]);
            touched.note(node);
        }
    }

    #[test]
    fn earliest_first_and_ties_by_index() {
        let mut clocks = Clocks { next: vec![Instant::from_nanos(2); 2], period: vec![2, 3], log: vec![] };
        let mut event_loop = EventLoop::new(Instant::ZERO, &clocks);
        event_loop.run_until(&mut clocks, Instant::from_nanos(8));
        assert_eq!(clocks.log, [(2, 0), (2, 1), (4, 0), (5, 1), (6, 0), (8, 0), (8, 1)]);
    }

    #[test]
    fn many_nodes_keep_their_order() {
        // More than a block of them, and more than the bits of a word.
        let mut clocks = Clocks { next: vec![Instant::from_nanos(5); 70], period: vec![5; 70], log: vec![] };
        (clocks.next[69], clocks.next[9]) = (Instant::from_nanos(3), Instant::from_nanos(4));
        let mut event_loop = EventLoop::new(Instant::ZERO, &clocks);
        event_loop.run_until(&mut clocks, Instant::from_nanos(8));
        let others = (0..69).filter(|node| *node != 9).map(|node| (5, node));
        let expected: Vec<_> = [(3, 69), (4, 9)].into_iter().chain(others).chain([(8, 69)]).collect();
        assert_eq!(clocks.log, expected);
    }

    #[test]
    fn what_acts_from_outside_moves_deadlines() {
        let mut clocks = Clocks { next: vec![Instant::from_nanos(2); 2], period: vec![2, 3], log: vec![] };
        let mut event_loop = EventLoop::new(Instant::ZERO, &clocks);
        event_loop.act(&mut clocks, Instant::from_nanos(1), |clocks, touched| {
            clocks.next[1] = Instant::from_nanos(7);
            touched.note(1);
        });
        assert_eq!(event_loop.now(), Instant::from_nanos(1));
        event_loop.run_until(&mut clocks, Instant::from_nanos(8));
        assert_eq!(clocks.log, [(2, 0), (4, 0), (6, 0), (7, 1), (8, 0)]);
    }

    #[test]
    #[should_panic(expected = "is due at")]
    fn nothing_from_outside_overtakes_a_deadline() {
        let mut clocks = Clocks { next: vec![Instant::from_nanos(2)], period: vec![2], log: vec![] };
        EventLoop::new(Instant::ZERO, &clocks).act(&mut clocks, Instant::from_nanos(3), |_, _| {});
    }

    #[test]
    #[should_panic(expected = "still wants to be")]
    fn a_node_that_does_not_move_on_is_caught() {
        let mut clocks = Clocks { next: vec![Instant::from_nanos(2)], period: vec![0], log: vec![] };
        let mut event_loop = EventLoop::new(Instant::ZERO, &clocks);
        event_loop.run_until(&mut clocks, Instant::from_nanos(8));
    }
}
