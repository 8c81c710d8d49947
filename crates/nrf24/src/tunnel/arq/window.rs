//! Chunks that are out: between the first that is not known to be across and the next new one.

use airtime_core::Instant;

use super::WINDOW;
use crate::trace::{Purpose, Upload};
use crate::tunnel::stage::Origin;

/// A chunk that is out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) frame: [u8; 32],
    pub(super) len: u8,
    /// Composition of the chunk, as something that is sent again.
    pub(super) upload: Upload,
    pub(super) origin: Origin,
    /// Instant at which it was sent last.
    pub(super) sent: Instant,
    /// The place of its last copy among all frames sent.
    pub(super) order: u64,
    pub(super) repeated: bool,
}

impl Slot {
    const EMPTY: Self = Self {
        frame: [0; 32],
        len: 0,
        upload: Upload { packet: 0, payload: 0, headers: 0, tunnel: 0, purpose: Purpose::Repeat },
        origin: Origin { packet: 0, octets: 0, until: Instant::ZERO },
        sent: Instant::ZERO,
        order: 0,
        repeated: false,
    };
}

/// The chunks, and what is known of them. Bit i of a set of chunks is chunk `base + i`.
#[derive(Debug)]
pub(super) struct Window {
    slots: [Slot; WINDOW as usize],
    base: u32,
    next: u32,
    across: u32,
    lost: u32,
}

impl Window {
    pub(super) const fn new() -> Self {
        Self { slots: [Slot::EMPTY; WINDOW as usize], base: 0, next: 0, across: 0, lost: 0 }
    }

    /// The number of the oldest chunk that is out, counted from the start of the session.
    pub(super) fn base(&self) -> u32 {
        self.base
    }

    /// The number of the next new chunk.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    /// Chunks from the base to the next new one.
    pub(super) fn len(&self) -> u32 {
        self.next.wrapping_sub(self.base)
    }

    /// The chunk `base + at`.
    pub(super) fn slot(&self, at: u32) -> &Slot {
        &self.slots[(self.base.wrapping_add(at) % WINDOW) as usize]
    }

    /// Chunks that are not known to be across.
    pub(super) fn waiting(&self) -> u32 {
        self.out() & !self.across
    }

    /// Chunks that are to be sent again.
    pub(super) fn lost(&self) -> u32 {
        self.lost
    }

    /// Packet that the oldest chunk is of.
    pub(super) fn oldest(&self) -> Option<Origin> {
        (self.len() > 0).then(|| self.slot(0).origin)
    }

    /// The packets that are out, oldest first.
    pub(super) fn packets(&self) -> impl Iterator<Item = Origin> + '_ {
        let mut last = None;
        (0..self.len()).filter_map(move |at| {
            let origin = self.slot(at).origin;
            (last.replace(origin.packet) != Some(origin.packet)).then_some(origin)
        })
    }

    /// Appends a new chunk. There has to be room.
    pub(super) fn push(&mut self, slot: Slot) {
        assert!(self.len() < WINDOW, "asked before");
        self.slots[(self.next % WINDOW) as usize] = slot;
        self.next = self.next.wrapping_add(1);
    }

    /// Marks these chunks to be sent again, as far as they wait.
    pub(super) fn lose(&mut self, chunks: u32) {
        self.lost |= chunks & self.waiting();
    }

    /// The first chunk that is to be sent again; it then is not any more.
    pub(super) fn take_lost(&mut self) -> Option<&mut Slot> {
        if self.lost == 0 {
            return None;
        }
        let at = self.lost.trailing_zeros();
        self.lost &= self.lost - 1;
        Some(&mut self.slots[(self.base.wrapping_add(at) % WINDOW) as usize])
    }

    /// Settles these chunks: they are across, or nobody wants them any more.
    pub(super) fn settle(&mut self, chunks: u32) {
        self.across |= chunks & self.out();
        self.lost &= !self.across;
    }

    /// Moves the base to the first chunk that waits.
    pub(super) fn slide(&mut self) {
        let by = self.across.trailing_ones();
        self.base = self.base.wrapping_add(by);
        self.across = self.across.checked_shr(by).unwrap_or(0);
        self.lost = self.lost.checked_shr(by).unwrap_or(0);
    }

    /// Chunks that there are.
    fn out(&self) -> u32 {
        ((1_u64 << self.len()) - 1) as u32
    }
}

/// The places of these chunks, counted from the base.
pub(super) fn places(mut chunks: u32) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let at = (chunks != 0).then(|| chunks.trailing_zeros())?;
        chunks &= chunks - 1;
        Some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_slides_past_what_is_across_and_numbers_wrap() {
        let mut window = Window { base: u32::MAX - 1, next: u32::MAX - 1, ..Window::new() };
        for order in 0..32 {
            window.push(Slot { order, ..Slot::EMPTY });
        }
        assert_eq!((window.len(), window.waiting()), (32, u32::MAX));
        window.lose(0b1011);
        window.settle(0b0101);
        window.slide();
        assert_eq!((window.base(), window.len(), window.lost()), (u32::MAX, 31, 0b101));
        assert!(places(window.waiting()).take(3).eq([0, 2, 3]));
        assert_eq!(window.take_lost().map(|slot| slot.order), Some(1));
        assert_eq!(window.take_lost().map(|slot| slot.order), Some(3));
        assert!(window.take_lost().is_none());
        window.settle(u32::MAX);
        window.slide();
        assert_eq!((window.base(), window.len(), window.waiting()), (30, 0, 0));
    }
}
