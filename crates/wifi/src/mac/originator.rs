//! The sending end of a Block Ack agreement: MPDUs that wait or are under way to one receiver. IEEE Std 802.11-2020, 10.25.6.7.

use alloc::collections::VecDeque;

use airtime_core::Instant;

use super::Queued;
use crate::air::DELIMITER;
use crate::trace::TxFailure;

/// Number of an MPDU of one sender and receiver; on the air it is this modulo 4096.
pub type Sequence = u32;

/// MPDUs of the largest window here: the bitmap of a compressed Block Ack has 64 bits. 9.3.1.8.3.
pub const WINDOW_MAX: u16 = 64;

/// Room for the next PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// MPDUs from the oldest that is not settled, those that are settled among them; 1: no A-MPDU.
    pub window: u16,
    /// Octets of the PSDU.
    pub psdu: u32,
    /// Octets of a PSDU besides its only MPDU.
    pub alone: u32,
    /// Octets of an A-MSDU.
    pub amsdu: u32,
    /// Octets of an MPDU that are not of the MSDU or A-MSDU in it.
    pub overhead: u32,
}

/// Selection of MPDUs for the next PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Bit `i`: MPDU `first + i` of the window.
    pub sent: u64,
    /// Number of MPDUs.
    pub mpdus: u32,
    /// Octets of the PSDU.
    pub octets: u32,
}

/// News that the receiver has to hear of MPDUs that were given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flush {
    /// Nothing.
    Done,
    /// A Block Ack request, which so many times was in vain.
    Due { failures: u8 },
    /// The same, once it answers again.
    Pending,
}

/// MPDUs of one sender for one receiver, in order; those in front that are settled are gone.
#[derive(Debug)]
pub struct Originator {
    queue: VecDeque<Queued>,
    /// Number of the MPDU in front: `WinStartO`.
    first: Sequence,
    waiting: usize,
    flush: Flush,
    /// MPDUs whose Block Ack has not come, and whose fate a request asks for: bit `i` is the one at place `i` of the window.
    asked: u64,
    /// Requests for them that were in vain.
    vain: u8,
    agreement: bool,
}

impl Originator {
    /// A sender with or without a Block Ack agreement: without, no receiver waits for what was given up.
    pub fn new(agreement: bool) -> Self {
        Self { queue: VecDeque::new(), first: 0, waiting: 0, flush: Flush::Done, asked: 0, vain: 0, agreement }
    }

    /// Takes an MPDU.
    pub fn push(&mut self, mpdu: Queued) {
        self.waiting += 1;
        self.queue.push_back(mpdu);
    }

    /// Number of the oldest MPDU that is not settled.
    pub fn first(&self) -> Sequence {
        self.first
    }

    /// MPDUs that wait for their first or next transmission.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// MPDUs that are not settled, the oldest first.
    pub fn unsettled(&self) -> impl Iterator<Item = &Queued> {
        self.queue.iter().filter(|mpdu| !mpdu.settled)
    }

    /// True if a Block Ack request is due: MPDUs were given up and the receiver does not know yet, or the Block Ack of some has not
    /// come and they are [asked](Self::ask) for. 10.25.6.7.
    pub fn must_request(&self) -> bool {
        matches!(self.flush, Flush::Due { .. }) || self.asked != 0
    }

    /// No Block Ack has come for the MPDUs `sent`: a request asks what has become of them before any of them is sent again.
    pub fn ask(&mut self, sent: u64) {
        (self.asked, self.vain) = (sent, 0);
    }

    /// MPDUs that the request under way asks for; none if it only tells of what was given up.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// The request was answered: the receiver waits no longer for what was given up. Returns the MPDUs that it asked for, which the
    /// answer settles.
    pub fn answered(&mut self) -> u64 {
        self.flush = Flush::Done;
        core::mem::take(&mut self.asked)
    }

    /// The request was not answered. Returns the MPDUs that it asked for once that was so `limit` times: they count as not acknowledged.
    pub fn asked_in_vain(&mut self, limit: Option<u8>) -> u64 {
        self.vain = self.vain.saturating_add(u8::from(self.asked != 0));
        if limit.is_some_and(|limit| self.vain >= limit) { core::mem::take(&mut self.asked) } else { 0 }
    }

    /// The request was not answered; says whether that was so `limit` times, and data go on without it.
    pub fn request_failed(&mut self, limit: u8) -> bool {
        let Flush::Due { failures } = &mut self.flush else { return false };
        *failures = failures.saturating_add(1);
        let given_up = *failures >= limit;
        if given_up {
            self.flush = Flush::Pending;
        }
        given_up
    }

    /// The MPDUs of the next PPDU: the oldest that wait, within `window` of the oldest that is not settled, at least one, and no more
    /// octets than `psdu_max` unless one alone has more.
    pub fn select(&self, window: u16, psdu_max: u32) -> Selection {
        let mut selection = Selection { sent: 0, mpdus: 0, octets: 0 };
        // Octets so far with the padding behind each subframe, and without that behind the last.
        let mut padded = 0;
        for (index, mpdu) in self.queue.iter().enumerate().take(usize::from(window.min(WINDOW_MAX))) {
            if mpdu.settled {
                continue;
            }
            let octets = padded + DELIMITER + u32::from(mpdu.octets);
            if selection.mpdus > 0 && octets > psdu_max {
                break;
            }
            selection.sent |= 1 << index;
            selection.mpdus += 1;
            selection.octets = octets;
            padded = octets.next_multiple_of(4);
        }
        if selection.mpdus == 1 {
            // A single MPDU is not aggregated.
            selection.octets -= DELIMITER;
        }
        selection
    }

    /// Joins MSDUs that have never been sent, in their order, to A-MSDUs that fill `room`: those of the next PPDU, which is to be
    /// [selected](Self::select) with the same window and PSDU. What was sent stays as it was.
    pub fn join(&mut self, room: &Room) {
        let (mut padded, mut chosen, mut index) = (0, 0, 0);
        while index < self.queue.len().min(room.window.into()) {
            if self.queue[index].settled {
                index += 1;
                continue;
            }
            let before = if room.window > 1 { padded + DELIMITER } else { room.alone };
            if self.queue[index].is_fresh() {
                self.join_at(index, room, before);
            }
            let octets = before + u32::from(self.queue[index].octets);
            if chosen > 0 && octets > room.psdu {
                return;
            }
            padded = octets.next_multiple_of(4);
            chosen += 1;
            index += 1;
        }
    }

    /// Joins to the MPDU at `index`, which lies behind `before` octets of the PSDU, those that follow it.
    fn join_at(&mut self, index: usize, room: &Room, before: u32) {
        let most = (room.amsdu + room.overhead).min(room.psdu.saturating_sub(before));
        let fits = |queue: &VecDeque<Queued>| {
            let next = queue.get(index + 1).filter(|next| next.is_fresh() && next.more.is_empty());
            next.is_some_and(|next| queue[index].joined_octets(next, room.overhead) <= most)
        };
        while fits(&self.queue) {
            let Some(next) = self.queue.remove(index + 1) else { return };
            self.queue[index].join(next, room.overhead);
            self.waiting -= 1;
        }
    }

    /// Octets of the oldest MPDU that waits.
    pub fn oldest_octets(&self) -> Option<u16> {
        self.unsettled().next().map(|mpdu| mpdu.octets)
    }

    /// The MPDU at place `index` of the window.
    pub fn mpdu(&self, index: u32) -> &Queued {
        &self.queue[index as usize]
    }

    /// The MPDU at place `index` of the window, which has arrived: its MSDU may be taken.
    pub fn mpdu_mut(&mut self, index: u32) -> &mut Queued {
        &mut self.queue[index as usize]
    }

    /// No CTS has come for the MPDUs `held`, which stayed off the air: that is a failure of each like any other. 10.3.4.4.
    pub fn no_cts(&mut self, held: u64, limit: Option<u8>, done: impl FnMut(&Queued, Option<TxFailure>)) {
        for (index, mpdu) in self.queue.iter_mut().enumerate().take(usize::from(WINDOW_MAX)) {
            mpdu.rts_failures = mpdu.rts_failures.saturating_add((held >> index & 1) as u8);
        }
        self.settle(held, 0, limit, done);
    }

    /// Settles the MPDUs `sent` as the response says: those in `acked` are done, the others have failed once more, and
    /// are given up after `limit` failures. `done` is told of each that is settled.
    pub fn settle(
        &mut self,
        sent: u64,
        acked: u64,
        limit: Option<u8>,
        mut done: impl FnMut(&Queued, Option<TxFailure>),
    ) {
        if acked != 0 && self.flush == Flush::Pending {
            self.flush = Flush::Due { failures: 0 };
        }
        let mut rest = sent;
        while rest != 0 {
            let index = rest.trailing_zeros();
            rest &= rest - 1;
            let mpdu = &mut self.queue[index as usize];
            if acked & (1 << index) != 0 {
                mpdu.settled = true;
                self.waiting -= 1;
                done(mpdu, None);
                continue;
            }
            mpdu.failures = mpdu.failures.saturating_add(1);
            if limit.is_some_and(|limit| mpdu.failures >= limit) {
                self.give_up(index as usize, TxFailure::Retries, &mut done);
            }
        }
        self.advance();
    }

    /// Gives up MPDUs that were queued before `before`. `done` is told of each.
    pub fn expire(&mut self, before: Instant, mut done: impl FnMut(&Queued, Option<TxFailure>)) {
        let old = self.queue.partition_point(|mpdu| mpdu.offered < before);
        if old == 0 {
            return;
        }
        for index in 0..old {
            if !self.queue[index].settled {
                self.give_up(index, TxFailure::Lifetime, &mut done);
            }
        }
        self.advance();
    }

    fn give_up(&mut self, index: usize, why: TxFailure, done: &mut impl FnMut(&Queued, Option<TxFailure>)) {
        let mpdu = &mut self.queue[index];
        mpdu.settled = true;
        mpdu.empty();
        self.waiting -= 1;
        if self.agreement {
            self.flush = Flush::Due { failures: 0 };
        }
        done(mpdu, Some(if mpdu.arrived { TxFailure::Unheard } else { why }));
    }

    fn advance(&mut self) {
        let settled = self.queue.iter().take_while(|mpdu| mpdu.settled).count();
        self.queue.drain(..settled);
        self.first = self.first.wrapping_add(settled as Sequence);
        self.asked = self.asked.checked_shr(settled as u32).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn queue(count: u32, octets: u16) -> Originator {
        let mut originator = Originator::new(true);
        (0..count).for_each(|_| originator.push(Queued::generated(Instant::ZERO, octets)));
        originator
    }

    #[test]
    fn window_octets_and_queue_limit_a_ppdu() {
        let full = queue(70, 1_482);
        assert_eq!(full.select(6, 65_535), Selection { sent: 0x3f, mpdus: 6, octets: 6 * 1_486 + 10 });
        assert_eq!(full.select(64, 65_535).mpdus, 44);
        assert_eq!(full.select(64, 1_486 + 1_488), Selection { sent: 3, mpdus: 2, octets: 2_974 });
        assert_eq!(full.select(64, 2_973), Selection { sent: 1, mpdus: 1, octets: 1_482 });
        assert_eq!(full.select(64, 10), Selection { sent: 1, mpdus: 1, octets: 1_482 });
        assert_eq!(queue(3, 100).select(64, 65_535).mpdus, 3);
        assert_eq!(queue(0, 100).select(64, 65_535).mpdus, 0);
    }

    #[test]
    fn the_window_stands_at_the_oldest_that_is_not_settled() {
        let mut originator = queue(10, 100);
        let mut done = Vec::new();
        originator.settle(0xf, 0b1010, Some(3), |_, failure| done.push(failure));
        assert_eq!((originator.first(), done.as_slice()), (0, &[None, None][..]));
        // Places 0 and 2 again, and 4 to 5 for the first time: a window of 6.
        assert_eq!(originator.select(6, 65_535).sent, 0b11_0101);
        originator.settle(0b11_0101, 0b01_0001, Some(3), |_, _| ());
        assert_eq!(originator.first(), 2);
        assert_eq!(originator.mpdu(0).failures, 2);
        originator.settle(0b1, 0, Some(3), |_, failure| assert_eq!(failure, Some(TxFailure::Retries)));
        assert!(originator.must_request());
        assert_eq!((originator.first(), originator.waiting()), (5, 5));
    }

    /// MSDUs of 100 octets: MPDUs of 130, subframes of 114, padded to 116 but for the last.
    #[test]
    fn msdus_that_were_never_sent_join_an_amsdu() {
        let octets = |originator: &Originator| originator.unsettled().map(|mpdu| mpdu.octets).collect::<Vec<_>>();
        let room = Room { window: 3, psdu: 65_535, alone: 0, amsdu: 346, overhead: 30 };
        let mut originator = queue(7, 130);
        originator.join(&room);
        assert_eq!(octets(&originator), [376, 376, 130], "subframes of 116, 116 and 114, twice");
        assert_eq!((originator.waiting(), originator.mpdu(0).msdus()), (3, 3));
        assert_eq!(originator.select(3, 65_535), Selection { sent: 7, mpdus: 3, octets: 2 * 380 + 134 });
        // The second and the third are to be sent again: nothing joins them, only what comes behind.
        originator.settle(7, 1, Some(7), |_, _| ());
        (0..3).for_each(|_| originator.push(Queued::generated(Instant::ZERO, 130)));
        originator.join(&room);
        assert_eq!(octets(&originator), [376, 130, 376]);
        // A PSDU that ends before.
        let mut originator = queue(7, 130);
        originator.join(&Room { psdu: 380 + 4 + 30 + 116 + 114, ..room });
        assert_eq!(octets(&originator)[..3], [376, 260, 130]);
        // Without A-MPDU, and without any room.
        let mut originator = queue(3, 130);
        originator.join(&Room { window: 1, psdu: 260, ..room });
        assert_eq!(octets(&originator), [260, 130]);
        originator.join(&Room { window: 1, psdu: 0, ..room });
        assert_eq!(octets(&originator), [260, 130]);
    }

    #[test]
    fn old_ones_expire() {
        let mut originator = Originator::new(true);
        for us in 0..4 {
            originator.push(Queued::generated(Instant::from_nanos(us), 100));
        }
        let mut failures = Vec::new();
        originator.expire(Instant::from_nanos(2), |_, failure| failures.push(failure));
        assert_eq!(failures, [Some(TxFailure::Lifetime); 2]);
        assert_eq!((originator.first(), originator.waiting()), (2, 2));
    }
}
