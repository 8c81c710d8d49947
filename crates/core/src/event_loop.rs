//! The event loop: always the earliest deadline, ties by node index.
//!
//! Links have a handful of nodes, and a node's deadline changes at nearly every step; a scan over a
//! flat array is cheaper than a heap up to some dozens of nodes, and it has no tie to break.

use alloc::vec::Vec;

use crate::Instant;

/// A set of nodes that the loop can wake, and that says whose deadlines a step has touched.
pub trait Plant {
    /// How many nodes there are; constant during a run.
    fn nodes(&self) -> usize;
    /// The deadline of `node`.
    fn deadline(&self, node: usize) -> Option<Instant>;
    /// Wakes `node` at `now`, carries its outputs to other nodes until nothing is left to carry,
    /// and notes every node it has mutated, `node` included, in `touched`.
    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched);
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

    /// Takes out one of them.
    #[inline]
    fn take(&mut self) -> Option<usize> {
        if self.first == 0 {
            return self.others.pop();
        }
        let node = self.first.trailing_zeros();
        self.first &= self.first - 1;
        Some(node as usize)
    }
}

/// Nodes that are looked at in one go, without a loop: as many as two hosts with two radios each are.
const BLOCK: usize = 1 << PLACE_BITS;
/// Bits of a node's place in its block.
const PLACE_BITS: u32 = 3;

/// When a node is due, and below that its place in the block: the smallest of a block is the earliest, and the first of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due(u64);

impl Due {
    /// Nanoseconds that are never reached: 73 years.
    const NEVER: u64 = u64::MAX >> PLACE_BITS;

    fn new(node: usize, at: Option<Instant>) -> Self {
        let at = at.map_or(Self::NEVER, |at| at.as_nanos().min(Self::NEVER));
        Self(at << PLACE_BITS | (node % BLOCK) as u64)
    }

    /// When, if ever.
    fn at(self) -> Option<Instant> {
        let at = self.0 >> PLACE_BITS;
        (at != Self::NEVER).then_some(Instant::from_nanos(at))
    }

    /// The node's place in its block.
    fn place(self) -> usize {
        self.0 as usize % BLOCK
    }
}

/// Drives a [`Plant`] through virtual time.
#[derive(Debug)]
pub struct EventLoop {
    now: Instant,
    /// The deadline of each node; the last block is filled up with such as have none.
    due: Vec<Due>,
    touched: Touched,
    steps: u64,
}

impl EventLoop {
    /// A loop at `now` over the nodes of `plant`.
    pub fn new(now: Instant, plant: &impl Plant) -> Self {
        let due = (0..plant.nodes().next_multiple_of(BLOCK)).map(|node| Due::new(node, None)).collect();
        let mut event_loop = Self { now, due, touched: Touched::default(), steps: 0 };
        event_loop.refresh(plant);
        event_loop
    }

    /// The time of the last step.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// When the next step is due, if ever.
    pub fn next_due(&self) -> Option<Instant> {
        self.earliest().0.at()
    }

    /// Reads every deadline afresh, after nodes were mutated from outside the loop.
    pub fn refresh(&mut self, plant: &impl Plant) {
        for node in 0..plant.nodes() {
            self.refresh_node(plant, node);
        }
    }

    /// Makes one step if one is due at or before `until`; says whether it did.
    ///
    /// # Panics
    /// When a node asks to be woken in the past, or still has a deadline that is not later than the
    /// wake-up it was just given: both would hang the loop.
    pub fn step(&mut self, plant: &mut impl Plant, until: Instant) -> bool {
        let (due, node) = self.earliest();
        let Some(due) = due.at().filter(|due| *due <= until) else { return false };
        assert!(due >= self.now, "node {node} asked to be woken at {due}, before {}", self.now);
        self.now = due;
        self.steps += 1;
        plant.wake(node, due, &mut self.touched);
        self.refresh_touched(plant);
        assert!(self.due[node] > Due::new(node, Some(due)), "node {node} was woken at {due} and still wants to be");
        true
    }

    /// Lets something outside the plant mutate it at `now`, after everything due by then.
    ///
    /// # Panics
    /// When something is due before `now`: what comes from outside may not overtake what is on its way.
    pub fn act<P: Plant, R>(&mut self, plant: &mut P, now: Instant, act: impl FnOnce(&mut P, &mut Touched) -> R) -> R {
        let (due, node) = self.earliest();
        let due = due.at().unwrap_or(Instant::FAR_FUTURE);
        assert!(now >= self.now && due >= now, "node {node} is due at {due}, acted on at {now}");
        self.now = now;
        let result = act(plant, &mut self.touched);
        self.refresh_touched(plant);
        result
    }

    fn refresh_touched(&mut self, plant: &impl Plant) {
        while let Some(touched) = self.touched.take() {
            self.refresh_node(plant, touched);
        }
    }

    #[inline]
    fn refresh_node(&mut self, plant: &impl Plant, node: usize) {
        self.due[node] = Due::new(node, plant.deadline(node));
    }

    /// Steps until nothing is due at or before `until`; the time is `until` afterwards.
    pub fn run_until(&mut self, plant: &mut impl Plant, until: Instant) {
        while self.step(plant, until) {}
        self.now = self.now.max(until);
    }

    /// The node whose turn is next, and when that is.
    fn earliest(&self) -> (Due, usize) {
        let Some((first, others)) = self.due.split_first_chunk::<BLOCK>() else { return (Due::new(0, None), 0) };
        // Which node is next is what no predictor knows: a minimum is a selection, and no branch where it stands outside of a loop.
        let earliest = |block: &[Due; BLOCK]| block.iter().copied().fold(block[0], Due::min);
        let (mut due, mut start) = (earliest(first), 0);
        for (block, nodes) in (1..).zip(others.as_chunks().0) {
            let other = earliest(nodes);
            // Of several the first: places in different blocks are not to be compared.
            if other.0 >> PLACE_BITS < due.0 >> PLACE_BITS {
                (due, start) = (other, BLOCK * block);
            }
        }
        (due, start + due.place())
    }
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
