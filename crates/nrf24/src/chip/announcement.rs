//! A transaction whose start is known ahead.
//!
//! What CSN sees when it falls is what the chip is then, and the chip changes only when something happens to it. So a
//! fall that is announced ahead can be carried out late: before the first thing that happens to the chip after it, or
//! when CSN rises. Nobody can tell it from one at its own time, and it takes no step of the event loop.

use airtime_core::Instant;

use super::Chip;

/// Octets of the longest command: a payload behind its first octet.
const OCTETS_MAX: usize = 33;

/// The transaction that was announced.
#[derive(Debug)]
pub struct Announcement {
    /// Instant at which CSN falls; far in the future once it has, or if nothing is announced.
    at: Instant,
    first: u8,
    len: u8,
    /// Octets that were read, if CSN has fallen before they were asked for.
    read: Option<[u8; OCTETS_MAX]>,
}

impl Announcement {
    /// Nothing is announced.
    pub const fn new() -> Self {
        Self { at: Instant::FAR_FUTURE, first: 0, len: 0, read: None }
    }
}

impl Chip {
    /// CSN will fall at `at`, not in the past, and [`deselect_at`](Self::deselect_at) end what begins then. What was
    /// announced before and has not ended is forgotten.
    #[inline]
    pub fn select_at(&mut self, at: Instant, mosi: &[u8]) {
        let first = mosi.first().copied().unwrap_or_default();
        (self.announced.at, self.announced.first, self.announced.read) = (at, first, None);
        self.announced.len = mosi.len().min(OCTETS_MAX) as u8;
    }

    /// CSN rises now: the announced command acts, and what it has read since CSN fell is in `miso`, which is as long as
    /// `mosi`.
    pub fn deselect_at(&mut self, now: Instant, mosi: &[u8], miso: &mut [u8]) {
        let at = core::mem::replace(&mut self.announced.at, Instant::FAR_FUTURE);
        match self.announced.read.take() {
            Some(read) => {
                miso.fill(0);
                miso.iter_mut().zip(read).for_each(|(to, octet)| *to = octet);
            }
            None => self.select(at.min(now), mosi, miso),
        }
        self.deselect(now, mosi);
    }

    /// As [`deselect_at`](Self::deselect_at), and what was read replaces what was written.
    #[inline]
    pub fn deselect_in_place(&mut self, now: Instant, octets: &mut [u8]) {
        let at = core::mem::replace(&mut self.announced.at, Instant::FAR_FUTURE);
        if self.announced.read.is_some() {
            self.give_read(now, octets);
        } else {
            self.exchange(at.min(now), now, octets);
        }
    }

    /// CSN rises behind a fall that was carried out. Apart because it is rare.
    #[inline(never)]
    fn give_read(&mut self, now: Instant, octets: &mut [u8]) {
        self.deselect(now, octets);
        octets.fill(0);
        octets.iter_mut().zip(self.announced.read.take().into_iter().flatten()).for_each(|(to, octet)| *to = octet);
    }

    /// Something happens to the chip at `now`: CSN has fallen before, if it was to. At the same instant it falls afterwards.
    pub(super) fn before(&mut self, now: Instant) {
        if self.announced.at < now {
            let at = core::mem::replace(&mut self.announced.at, Instant::FAR_FUTURE);
            let len = usize::from(self.announced.len);
            let (mut mosi, mut miso) = ([0; OCTETS_MAX], [0; OCTETS_MAX]);
            mosi[0] = self.announced.first;
            self.select(at, &mosi[..len], &mut miso[..len]);
            self.announced.read = Some(miso);
        }
    }
}
