//! Results handed over in the order of the points, whichever thread was first.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use airtime_lab::record::{BLOCK, Packed};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Results that wait for earlier ones, and the sink that takes them in their order.
///
/// Nobody waits: whoever brings a result while another thread is handing over leaves it to that one. Behind a point that takes a
/// thousand times as long as its neighbours whole blocks of results wait, and are packed meanwhile.
pub(super) struct Arrivals<R, F> {
    waiting: Mutex<Waiting<R>>,
    sink: Mutex<F>,
}

struct Waiting<R> {
    /// Number of the result that is handed over next.
    next: usize,
    /// Results by the number of their block.
    blocks: BTreeMap<usize, Block<R>>,
}

enum Block<R> {
    /// Those that are there, by number.
    Open(BTreeMap<usize, R>),
    /// All of it.
    Packed(Packed<R>),
}

impl<R, F> Arrivals<R, F>
where
    R: Clone + PartialEq + Serialize + DeserializeOwned,
    F: FnMut(usize, R),
{
    /// Nothing has arrived yet.
    pub fn new(sink: F) -> Self {
        let waiting = Waiting { next: 0, blocks: BTreeMap::new() };
        Self { waiting: Mutex::new(waiting), sink: Mutex::new(sink) }
    }

    /// Takes the result of this number, and hands over what is no longer waited for.
    pub fn arrived(&self, number: usize, result: R) {
        let to_pack = self.waiting().insert(number, result);
        if let Some((block, results)) = to_pack {
            let packed = Block::Packed(results.into_values().collect());
            self.waiting().blocks.insert(block, packed);
        }
        self.hand_over();
    }

    /// Hands over whatever is left; numbers that never came are passed over.
    pub fn end(self) {
        let mut sink = self.sink.into_inner().unwrap_or_else(PoisonError::into_inner);
        let waiting = self.waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (block, results) in waiting.blocks {
            results.each(block, &mut sink);
        }
    }

    fn hand_over(&self) {
        // What arrives between the last look and the end of the hold on the sink is seen by looking once more.
        while self.waiting().is_ready() {
            let Ok(mut sink) = self.sink.try_lock() else { return };
            loop {
                // The lock is not held while the sink takes what is ready.
                let ready = self.waiting().take();
                let Some((block, results)) = ready else { break };
                results.each(block, &mut *sink);
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<R>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R> Waiting<R> {
    /// Adds a result; with the block that is to be packed, if it is full and not to be handed over soon.
    fn insert(&mut self, number: usize, result: R) -> Option<(usize, BTreeMap<usize, R>)> {
        let block = number / BLOCK;
        let Block::Open(results) = self.blocks.entry(block).or_insert_with(|| Block::Open(BTreeMap::new())) else {
            return None;
        };
        results.insert(number, result);
        if results.len() < BLOCK || block <= self.next / BLOCK + 1 {
            return None;
        }
        match self.blocks.remove(&block) {
            Some(Block::Open(results)) => Some((block, results)),
            _ => None,
        }
    }

    /// Tells if the next one is there.
    fn is_ready(&self) -> bool {
        match self.blocks.get(&(self.next / BLOCK)) {
            Some(Block::Open(results)) => results.contains_key(&self.next),
            Some(Block::Packed(_)) => true,
            None => false,
        }
    }

    /// The next ones, as many of one block as are there, with the number of that block.
    fn take(&mut self) -> Option<(usize, Block<R>)> {
        let block = self.next / BLOCK;
        match self.blocks.remove(&block)? {
            Block::Open(mut results) => {
                let begin = self.next;
                while results.contains_key(&self.next) {
                    self.next += 1;
                }
                let later = results.split_off(&self.next);
                if !later.is_empty() || self.next < (block + 1) * BLOCK {
                    self.blocks.insert(block, Block::Open(later));
                }
                (self.next > begin).then_some((block, Block::Open(results)))
            }
            Block::Packed(results) => {
                self.next = (block + 1) * BLOCK;
                Some((block, Block::Packed(results)))
            }
        }
    }
}

impl<R: Clone + DeserializeOwned> Block<R> {
    /// Calls `sink` with each result of this block and its number.
    fn each(self, block: usize, mut sink: impl FnMut(usize, R)) {
        match self {
            Self::Open(results) => results.into_iter().for_each(|(number, result)| sink(number, result)),
            Self::Packed(results) => {
                (block * BLOCK..).zip(&results).for_each(|(number, result)| sink(number, result.into_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results that `arrive` has handed over, and the number of them before the end.
    fn handed_over(arrive: impl Fn(&Arrivals<u32, &mut dyn FnMut(usize, u32)>)) -> (Vec<(usize, u32)>, usize) {
        let taken = Mutex::new(Vec::new());
        let mut push = |number: usize, result: u32| taken.lock().unwrap().push((number, result));
        let arrivals = Arrivals::new(&mut push as &mut dyn FnMut(usize, u32));
        arrive(&arrivals);
        let before = taken.lock().unwrap().len();
        arrivals.end();
        (taken.into_inner().unwrap(), before)
    }

    fn numbers(count: usize) -> Vec<(usize, u32)> {
        (0..count).map(|number| (number, number as u32 * 3)).collect()
    }

    #[test]
    fn everything_waits_for_the_first() {
        let count = 5 * BLOCK + 7;
        let (taken, before) = handed_over(|arrivals| {
            for number in (0..count).rev() {
                if number == 0 {
                    let waiting = arrivals.waiting();
                    let packed = waiting.blocks.values().filter(|block| matches!(block, Block::Packed(_))).count();
                    assert_eq!(packed, 3, "all full blocks but those next in turn");
                }
                arrivals.arrived(number, number as u32 * 3);
            }
        });
        assert_eq!(taken, numbers(count));
        assert_eq!(before, count);
    }

    #[test]
    fn what_is_in_order_is_handed_over_at_once() {
        let (taken, before) = handed_over(|arrivals| {
            (0..2 * BLOCK).for_each(|number| arrivals.arrived(number, number as u32 * 3));
            assert!(arrivals.waiting().blocks.is_empty());
        });
        assert_eq!((taken, before), (numbers(2 * BLOCK), 2 * BLOCK));
    }

    #[test]
    fn what_never_came_is_passed_over_in_the_end() {
        let (taken, before) = handed_over(|arrivals| {
            [1, 2, 0, 4, 900].into_iter().for_each(|number| arrivals.arrived(number, number as u32 * 3));
        });
        assert_eq!(taken, [(0, 0), (1, 3), (2, 6), (4, 12), (900, 2_700)]);
        assert_eq!(before, 3);
    }
}
