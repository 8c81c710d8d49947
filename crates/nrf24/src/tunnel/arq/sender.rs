//! The sending side: what is sent again, and when it is given up.
//!
//! In a stream, a chunk is lost when one that was sent later has arrived: the air keeps their order. The last ones have
//! nothing behind them; for those the timer sends the oldest once more, and its acknowledgement tells the rest. With
//! acknowledgements by the chip the window is what the chip and its host can hold: one more says that the first of
//! them has left.

use crate::tunnel::sooner;
use airtime_core::Instant;

use super::timer::Timer;
use super::window::{Slot, Window, places};
use super::{HELD, WINDOW};
use crate::trace::{Purpose, Upload};
use crate::tunnel::chunk::{Header, SEQ_MODULUS};
use crate::tunnel::stage::{Origin, Piece};

/// The sending side.
#[derive(Debug)]
pub(in crate::tunnel) struct Sender {
    window: Window,
    /// Chunks that may be out.
    size: u32,
    /// Set if the tunnel acknowledges, and not the chip.
    selective: bool,
    /// Number of frames with chunks that have been sent, and below it the last of them that arrived.
    order: u64,
    newest: u64,
    timer: Timer,
    /// A Sync is to be sent; the other end has to know this base before anything else is.
    sync: bool,
    sync_base: Option<u32>,
}

impl Sender {
    /// Nothing is out. `selective`: of a stream, with at most `size` chunks out.
    pub(in crate::tunnel) fn new(selective: bool, size: u32) -> Self {
        Self {
            window: Window::new(),
            size: if selective { size.clamp(1, WINDOW) } else { HELD },
            selective,
            order: 0,
            newest: 0,
            timer: Timer::new(),
            sync: false,
            sync_base: None,
        }
    }

    /// Chunks that are out and not known to be across.
    pub(in crate::tunnel) fn chunks(&self) -> u32 {
        self.window.waiting().count_ones()
    }

    /// The packets that are out, oldest first; for whoever has to say that they are lost.
    pub(in crate::tunnel) fn packets(&self) -> impl Iterator<Item = Origin> + '_ {
        self.window.packets()
    }

    /// True if it cannot take a new chunk.
    pub(in crate::tunnel) fn is_full(&self) -> bool {
        self.selective && (self.window.len() >= self.size || self.sync_base.is_some())
    }

    /// True if it has something to send besides new chunks.
    pub(in crate::tunnel) fn has_more(&self) -> bool {
        self.sync || self.sync_base.is_none() && self.window.lost() != 0
    }

    /// Takes a new chunk, and writes its frame.
    pub(in crate::tunnel) fn send(
        &mut self,
        now: Instant,
        piece: Piece<'_>,
        origin: Origin,
        frame: &mut [u8; 32],
    ) -> u8 {
        assert!(!self.is_full(), "asked before");
        if !self.selective && self.window.len() >= self.size {
            self.window.settle(1);
            self.window.slide();
        }
        let header = Header { seq: (self.window.next() % SEQ_MODULUS) as u8, first: piece.first, last: piece.last };
        let len = 1 + piece.body.len();
        frame[0] = header.octet();
        frame[1..len].copy_from_slice(piece.body);
        self.order += 1;
        self.window.push(Slot {
            frame: *frame,
            len: len as u8,
            upload: Upload { purpose: Purpose::Repeat, ..piece.upload },
            origin,
            sent: now,
            order: self.order,
            repeated: false,
        });
        self.sent_one(now);
        len as u8
    }

    /// The next chunk that is to be sent again, written to `frame`: its length and what it is made of.
    pub(in crate::tunnel) fn repeat(&mut self, now: Instant, frame: &mut [u8; 32]) -> Option<(u8, Upload)> {
        if self.sync_base.is_some() {
            return None;
        }
        let slot = self.window.take_lost()?;
        self.order += 1;
        (slot.order, slot.sent, slot.repeated) = (self.order, now, true);
        *frame = slot.frame;
        let sent = (slot.len, slot.upload);
        self.sent_one(now);
        Some(sent)
    }

    /// The base that a Sync is due with.
    pub(in crate::tunnel) fn take_sync(&mut self, now: Instant) -> Option<u16> {
        if !core::mem::take(&mut self.sync) {
            return None;
        }
        self.sent_one(now);
        Some(self.sync_base.unwrap_or(self.window.base()) as u16)
    }

    /// An acknowledgement of the tunnel: `base` is missing, bit i of `bitmap` is chunk `base + 1 + i`.
    pub(in crate::tunnel) fn acknowledged(&mut self, now: Instant, base: u16, bitmap: u32) {
        let ahead = i32::from(base.wrapping_sub(self.window.base() as u16) as i16);
        if !self.selective || ahead > self.window.len() as i32 || ahead < -(WINDOW as i32) {
            return;
        }
        // The other end waits for what will never be sent again: an old acknowledgement, or it missed something.
        self.sync |= ahead < 0;
        let bitmap = u64::from(bitmap);
        let there = match ahead {
            0.. => ((1 << ahead) - 1) | bitmap << (ahead + 1),
            behind => bitmap >> (-behind - 1),
        };
        self.arrived(now, there as u32 & self.window.waiting());
        if self.sync_base.is_some_and(|wanted| ahead >= wanted.wrapping_sub(self.window.base()) as i32) {
            self.sync_base = None;
            self.window.lose(u32::MAX);
        }
        self.slide();
    }

    /// Takes note that all that was written has left the chip's FIFO as delivered.
    pub(in crate::tunnel) fn drained(&mut self) {
        if !self.selective {
            self.window.settle(!self.window.lost());
            self.slide();
        }
    }

    /// The chip has given up and its FIFO was flushed: all that was in it goes again, except for a packet that has been tried
    /// for too long, which this is.
    pub(in crate::tunnel) fn gave_up(&mut self, now: Instant) -> Option<Origin> {
        self.window.lose(u32::MAX);
        self.abandon(now)
    }

    /// Forgets the oldest packet if it is too old; what it was.
    pub(in crate::tunnel) fn abandon(&mut self, now: Instant) -> Option<Origin> {
        let oldest = self.window.oldest().filter(|oldest| oldest.until <= now)?;
        let is_of_it = |at: &u32| self.window.slot(*at).origin.packet == oldest.packet;
        let chunks = (0..self.window.len()).take_while(is_of_it).fold(0, |chunks, at| chunks | 1 << at);
        self.window.settle(chunks);
        self.slide();
        if self.selective {
            self.sync = true;
            self.sync_base = Some(self.window.base());
            self.timer.start(now);
        }
        Some(oldest)
    }

    /// The timer may have ended: the oldest goes again, or the Sync.
    pub(in crate::tunnel) fn wake(&mut self, now: Instant) {
        if !self.timer.has_ended(now) {
            return;
        }
        let waiting = self.window.waiting();
        if self.sync_base.is_some() {
            self.sync = true;
        } else if waiting != 0 {
            self.window.lose(waiting & waiting.wrapping_neg());
        } else {
            self.timer.stop();
        }
    }

    /// Instant at which it wants to be woken.
    pub(in crate::tunnel) fn deadline(&self) -> Option<Instant> {
        let oldest = self.window.oldest().filter(|_| self.selective).map(|oldest| oldest.until);
        sooner(self.timer.ends(), oldest)
    }

    /// Takes note that these chunks have just become known to be across.
    fn arrived(&mut self, now: Instant, chunks: u32) {
        let slots = places(chunks).map(|at| self.window.slot(at));
        let Some(newest) = slots.max_by_key(|slot| slot.order) else { return };
        self.newest = self.newest.max(newest.order);
        // The answer to something that was sent twice says nothing about time. RFC 6298, 3.
        if !newest.repeated {
            self.timer.measured(now.saturating_since(newest.sent));
        }
        self.window.settle(chunks);
        self.timer.relax();
        self.timer.start(now);
        let is_passed = |&at: &u32| self.window.slot(at).order < self.newest;
        let passed = places(self.window.waiting()).filter(is_passed).fold(0, |passed, at| passed | 1 << at);
        self.window.lose(passed);
    }

    fn sent_one(&mut self, now: Instant) {
        if self.selective {
            self.timer.start(now);
        }
    }

    fn slide(&mut self) {
        self.window.slide();
        if self.window.len() == 0 && self.sync_base.is_none() {
            self.timer.stop();
        }
    }
}
