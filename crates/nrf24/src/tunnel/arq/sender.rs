//! The sending window: chunks that are not known to be across.
//!
//! In a stream, a chunk is lost when one that was sent later has arrived: the air keeps their order. The last ones have
//! nothing behind them; for those the timer sends the oldest once more, and its acknowledgement tells the rest. With
//! acknowledgements by the chip the window is the chip's FIFO: what is written when three are out says that the first of
//! them has left.

use airtime_core::Instant;

use super::timer::Timer;
use super::{FIFO, WINDOW};
use crate::trace::{Purpose, Upload};
use crate::tunnel::chunk::{Header, SEQ_MODULUS};
use crate::tunnel::stage::{Origin, Piece};

/// A chunk that is out.
#[derive(Clone, Copy, Debug)]
struct Slot {
    frame: [u8; 32],
    len: u8,
    upload: Upload,
    origin: Origin,
    sent: Instant,
    /// The place of its last copy among all frames sent.
    order: u64,
    repeated: bool,
}

/// The sending window.
#[derive(Debug)]
pub(in crate::tunnel) struct Sender {
    slots: [Slot; WINDOW as usize],
    /// The oldest chunk that is out.
    base: u32,
    /// The next new chunk.
    next: u32,
    /// Bit i: chunk `base + i` is across.
    across: u32,
    /// Bit i: chunk `base + i` is to be sent again.
    lost: u32,
    /// How many frames with chunks have been sent, and the last of them that arrived.
    order: u64,
    newest: u64,
    /// Whether the tunnel acknowledges, and not the chip.
    selective: bool,
    window: u32,
    timer: Timer,
    /// A Sync is to be sent; the other end has to know this base before anything else is.
    sync: bool,
    sync_base: Option<u32>,
}

impl Sender {
    /// An empty window. `selective`: of a stream; else it is as long as the chip's FIFO.
    pub(in crate::tunnel) fn new(selective: bool, window: u32) -> Self {
        let origin = Origin { packet: 0, octets: 0, until: Instant::ZERO };
        let upload = Upload::default();
        let slot = Slot { frame: [0; 32], len: 0, upload, origin, sent: Instant::ZERO, order: 0, repeated: false };
        Self {
            slots: [slot; WINDOW as usize],
            base: 0,
            next: 0,
            across: 0,
            lost: 0,
            order: 0,
            newest: 0,
            selective,
            window: if selective { window.clamp(1, WINDOW) } else { FIFO },
            timer: Timer::new(),
            sync: false,
            sync_base: None,
        }
    }

    /// Chunks that are out and not known to be across.
    pub(in crate::tunnel) fn chunks(&self) -> u32 {
        (self.out() & !self.across).count_ones()
    }

    /// Whether it cannot take a new chunk.
    pub(in crate::tunnel) fn is_full(&self) -> bool {
        self.selective && (self.len() >= self.window || self.sync_base.is_some())
    }

    /// Whether it has something to send besides new chunks.
    pub(in crate::tunnel) fn has_more(&self) -> bool {
        self.sync || self.sync_base.is_none() && self.lost != 0
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
        if !self.selective && self.len() >= self.window {
            self.across |= 1;
            self.slide();
        }
        let header = Header { seq: (self.next % SEQ_MODULUS) as u8, first: piece.first, last: piece.last };
        let len = 1 + piece.body.len();
        frame[0] = header.octet();
        frame[1..len].copy_from_slice(piece.body);
        self.order += 1;
        self.slots[(self.next % WINDOW) as usize] = Slot {
            frame: *frame,
            len: len as u8,
            upload: Upload { purpose: Purpose::Repeat, ..piece.upload },
            origin,
            sent: now,
            order: self.order,
            repeated: false,
        };
        self.next = self.next.wrapping_add(1);
        self.sent_one(now);
        len as u8
    }

    /// The next chunk that is to be sent again, written to `frame`: its length and what it is made of.
    pub(in crate::tunnel) fn repeat(&mut self, now: Instant, frame: &mut [u8; 32]) -> Option<(u8, Upload)> {
        if self.sync_base.is_some() || self.lost == 0 {
            return None;
        }
        let at = self.lost.trailing_zeros();
        self.lost &= !(1 << at);
        self.order += 1;
        let slot = &mut self.slots[(self.base.wrapping_add(at) % WINDOW) as usize];
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
        Some(self.sync_base.unwrap_or(self.base) as u16)
    }

    /// An acknowledgement of the tunnel: `base` is missing, bit i of `bitmap` is chunk `base + 1 + i`.
    pub(in crate::tunnel) fn acknowledged(&mut self, now: Instant, base: u16, bitmap: u32) {
        if !self.selective {
            return;
        }
        let ahead = i32::from(base.wrapping_sub(self.base as u16) as i16);
        let out = self.len() as i32;
        if ahead > out || ahead < -(WINDOW as i32) {
            return;
        }
        // The other end waits for what will never be sent again: an old acknowledgement, or it missed something.
        self.sync |= ahead < 0;
        let bitmap = u64::from(bitmap);
        let arrived = match ahead {
            0.. => ((1 << ahead) - 1) | bitmap << (ahead + 1),
            behind => bitmap >> (-behind - 1),
        };
        self.arrived(now, arrived as u32 & self.out() & !self.across);
        if self.sync_base.is_some_and(|wanted| ahead >= wanted.wrapping_sub(self.base) as i32) {
            self.sync_base = None;
            self.lost = self.out() & !self.across;
        }
        self.slide();
    }

    /// All that was written has left the chip's FIFO as delivered.
    pub(in crate::tunnel) fn drained(&mut self) {
        if !self.selective {
            self.across |= self.out() & !self.lost;
            self.slide();
        }
    }

    /// The chip has given up and its FIFO was flushed: all that was in it goes again, except for a packet that has been tried
    /// for too long, whose number and octets this is.
    pub(in crate::tunnel) fn gave_up(&mut self, now: Instant) -> Option<Origin> {
        self.lost = self.out() & !self.across;
        self.abandon(now)
    }

    /// Forgets the oldest packet if it is too old; what it was.
    pub(in crate::tunnel) fn abandon(&mut self, now: Instant) -> Option<Origin> {
        let oldest = self.oldest().filter(|oldest| oldest.until <= now)?;
        let mut at = 0;
        while at < self.len() && self.slot(at).origin.packet == oldest.packet {
            self.across |= 1 << at;
            at += 1;
        }
        self.slide();
        if self.selective {
            self.sync = true;
            self.sync_base = Some(self.base);
            self.timer.start(now);
        }
        Some(oldest)
    }

    /// The timer may have ended: the oldest goes again, or the Sync.
    pub(in crate::tunnel) fn wake(&mut self, now: Instant) {
        if !self.timer.has_ended(now) {
            return;
        }
        if self.sync_base.is_some() {
            self.sync = true;
        } else {
            let waiting = self.out() & !self.across;
            self.lost |= waiting & waiting.wrapping_neg();
        }
    }

    /// When it wants to be woken.
    pub(in crate::tunnel) fn deadline(&self) -> Option<Instant> {
        let oldest = self.oldest().filter(|_| self.selective).map(|oldest| oldest.until);
        [self.timer.ends(), oldest].into_iter().flatten().min()
    }

    /// The packets that are out, oldest first; for whoever has to say that they are lost.
    pub(in crate::tunnel) fn packets(&self) -> impl Iterator<Item = Origin> + '_ {
        let mut last = None;
        (0..self.len()).filter_map(move |at| {
            let origin = self.slot(at).origin;
            (last.replace(origin.packet) != Some(origin.packet)).then_some(origin)
        })
    }

    fn arrived(&mut self, now: Instant, arrived: u32) {
        let mut rest = arrived;
        let mut newest: Option<(u64, Instant, bool)> = None;
        while rest != 0 {
            let slot = self.slot(rest.trailing_zeros());
            rest &= rest - 1;
            if newest.is_none_or(|(order, ..)| slot.order > order) {
                newest = Some((slot.order, slot.sent, slot.repeated));
            }
        }
        let Some((order, sent, repeated)) = newest else { return };
        self.across |= arrived;
        self.lost &= !arrived;
        self.newest = self.newest.max(order);
        if !repeated {
            self.timer.measured(now.saturating_since(sent));
        }
        self.timer.relax();
        let mut waiting = self.out() & !self.across;
        if waiting == 0 && self.sync_base.is_none() {
            self.timer.stop();
        } else {
            self.timer.start(now);
        }
        while waiting != 0 {
            let at = waiting.trailing_zeros();
            waiting &= waiting - 1;
            if self.slot(at).order < self.newest {
                self.lost |= 1 << at;
            }
        }
    }

    fn sent_one(&mut self, now: Instant) {
        if self.selective {
            self.timer.start(now);
        }
    }

    fn len(&self) -> u32 {
        self.next.wrapping_sub(self.base)
    }

    fn oldest(&self) -> Option<Origin> {
        (self.base != self.next).then(|| self.slot(0).origin)
    }

    fn slot(&self, at: u32) -> &Slot {
        &self.slots[(self.base.wrapping_add(at) % WINDOW) as usize]
    }

    /// Bit i: there is a chunk `base + i`.
    fn out(&self) -> u32 {
        ((1_u64 << self.len()) - 1) as u32
    }

    fn slide(&mut self) {
        let by = self.across.trailing_ones();
        self.base = self.base.wrapping_add(by);
        self.across = self.across.checked_shr(by).unwrap_or(0);
        self.lost = self.lost.checked_shr(by).unwrap_or(0);
        if self.base == self.next && self.sync_base.is_none() {
            self.timer.stop();
        }
    }
}
