//! The receiving end of a Block Ack agreement: scoreboard and reorder buffer. IEEE Std 802.11-2020, 10.25.6.6.

use alloc::vec::Vec;

use airtime_core::Packet;

use super::Sequence;
use super::originator::WINDOW_MAX;
use crate::trace::MpduFate;

/// Places of the buffer.
const PLACES: u32 = WINDOW_MAX as u32;

/// Reorder buffer of a receiver for one sender. MPDUs leave in order, each with the `M` in it.
#[derive(Debug)]
pub struct Recipient<M = Packet> {
    /// Number of the next MSDU to hand over: `WinStartB`.
    next: Sequence,
    /// Bit `i`: `next + i` has arrived and waits.
    arrived: u64,
    /// Content of MPDU `n`, at place `n` modulo [`PLACES`]. Empty until the first one is out of order.
    waiting: Vec<Option<M>>,
    window: u32,
}

impl<M> Recipient<M> {
    /// A receiver that grants a window of `window` MPDUs.
    pub fn new(window: u16) -> Self {
        Self { next: 0, arrived: 0, waiting: Vec::new(), window: u32::from(window.clamp(1, WINDOW_MAX)) }
    }

    /// Tells if MPDU `number` has arrived, as a Block Ack says it.
    pub fn has(&self, number: Sequence) -> bool {
        match self.place(number) {
            None => true,
            Some(place) => place < PLACES && self.arrived & (1 << place) != 0,
        }
    }

    /// MSDUs that wait for one before them.
    pub fn held(&self) -> u32 {
        self.arrived.count_ones()
    }

    /// MPDU `number` has arrived; `msdu` takes its MSDU if it is new. `out` takes what is in order now.
    pub fn receive(
        &mut self,
        number: Sequence,
        msdu: impl FnOnce() -> Option<M>,
        mut out: impl FnMut(Option<M>),
    ) -> MpduFate {
        if self.has(number) {
            return MpduFate::Duplicate;
        }
        if number == self.next && self.arrived == 0 {
            self.next = self.next.wrapping_add(1);
            out(msdu());
            return MpduFate::New;
        }
        let place = number.wrapping_sub(self.next);
        if place >= self.window {
            self.skip_to(number.wrapping_add(1).wrapping_sub(self.window), &mut out);
        }
        if self.waiting.is_empty() {
            self.waiting.resize_with(PLACES as usize, || None);
        }
        self.arrived |= 1 << number.wrapping_sub(self.next);
        self.waiting[(number % PLACES) as usize] = msdu();
        self.release(&mut out);
        MpduFate::New
    }

    /// A Block Ack request names `number` as the next one that can come: `out` takes what waited for less.
    pub fn request(&mut self, number: Sequence, mut out: impl FnMut(Option<M>)) {
        if self.place(number).is_some_and(|place| place > 0) {
            self.skip_to(number, &mut out);
            self.release(&mut out);
        }
    }

    /// Distance of `number` ahead of the next one; none if it lies behind.
    fn place(&self, number: Sequence) -> Option<u32> {
        let place = number.wrapping_sub(self.next);
        (place < 1 << 31).then_some(place)
    }

    /// Moves the window to `number`: what waited below goes out.
    fn skip_to(&mut self, number: Sequence, out: &mut impl FnMut(Option<M>)) {
        while self.next != number {
            if self.arrived == 0 {
                self.next = number;
                return;
            }
            if self.arrived & 1 != 0 {
                out(self.waiting[(self.next % PLACES) as usize].take());
            }
            self.arrived >>= 1;
            self.next = self.next.wrapping_add(1);
        }
    }

    /// Hands over what is in order.
    fn release(&mut self, out: &mut impl FnMut(Option<M>)) {
        while self.arrived & 1 != 0 {
            out(self.waiting[(self.next % PLACES) as usize].take());
            self.arrived >>= 1;
            self.next = self.next.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Pool;

    /// Feeds the numbers to a receiver with a window of `window`; returns what came out and what became of each.
    fn feed(window: u16, numbers: &[u8]) -> (Vec<u8>, Vec<MpduFate>) {
        let pool = Pool::new();
        let mut recipient = Recipient::new(window);
        let mut out = Vec::new();
        let fates = numbers
            .iter()
            .map(|&n| recipient.receive(n.into(), || Some(pool.copy(&[n])), |msdu| out.push(msdu.unwrap()[0])))
            .collect();
        (out, fates)
    }

    #[test]
    fn order_is_restored_within_the_window() {
        assert_eq!(feed(8, &[0, 1, 2]).0, [0, 1, 2]);
        assert_eq!(feed(8, &[0, 2, 3, 1, 4]).0, [0, 1, 2, 3, 4]);
        assert_eq!(feed(8, &[1, 2, 3]).0, [0; 0]);
    }

    #[test]
    fn what_lies_beyond_the_window_moves_it() {
        // 0 never comes; 4 lies beyond a window of 4, so the window starts at 1.
        assert_eq!(feed(4, &[1, 2, 4, 3]).0, [1, 2, 3, 4]);
        assert_eq!(feed(4, &[1, 100, 101]).0, [1]);
    }

    #[test]
    fn duplicates_are_known_in_and_before_the_window() {
        let (out, fates) = feed(8, &[0, 2, 0, 2, 1, 2]);
        assert_eq!(out, [0, 1, 2]);
        let new = [true, true, false, false, true, false];
        assert_eq!(fates, new.map(|new| if new { MpduFate::New } else { MpduFate::Duplicate }));
    }

    #[test]
    fn a_request_lets_go_of_what_waited() {
        let pool = Pool::new();
        let mut recipient = Recipient::new(64);
        for n in [1u8, 2, 5] {
            recipient.receive(n.into(), || Some(pool.copy(&[n])), |_| panic!("0 has not come"));
        }
        let mut out = Vec::new();
        recipient.request(3, |msdu| out.push(msdu.unwrap()[0]));
        assert_eq!((out.as_slice(), recipient.held()), (&[1, 2][..], 1));
        recipient.request(1, |_| panic!("that lies behind"));
        assert!(recipient.has(2) && !recipient.has(3) && recipient.has(5) && !recipient.has(70));
    }
}
