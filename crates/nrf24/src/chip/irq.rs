//! Interrupts: the three flags of STATUS, their delay, and the line. 8.5.

use airtime_core::{Duration, Instant};

use super::Chip;
use crate::wire::register::{config, status};

/// The flags and the line.
#[derive(Debug)]
pub struct Interrupts {
    /// RX_DR, TX_DS and MAX_RT as STATUS shows them.
    flags: u8,
    /// Flags that the radio has raised and STATUS does not show yet.
    pending: u8,
    /// Instant at which they appear.
    at: Instant,
    /// State of the line when the host was last told.
    reported: bool,
}

impl Interrupts {
    /// None, and the line is high.
    pub const fn new() -> Self {
        Self { flags: 0, pending: 0, at: Instant::FAR_FUTURE, reported: false }
    }

    /// The flags as STATUS shows them.
    pub const fn flags(&self) -> u8 {
        self.flags
    }

    /// Instant at which pending flags appear; far in the future if there are none.
    pub const fn at(&self) -> Instant {
        self.at
    }

    /// Clears the flags that are 1 in `bits`.
    pub fn clear(&mut self, bits: u8) {
        self.flags &= !bits;
    }

    /// Sets `bits` at once.
    pub fn set(&mut self, bits: u8) {
        self.flags |= bits;
    }
}

impl Chip {
    /// Raises `flags` so long after `now`; what was pending before shows at once, since it is older.
    pub(super) fn announce(&mut self, now: Instant, flags: u8, delay: Duration) {
        let newest_is_hidden = flags & status::RX_DR != 0;
        if self.interrupts.pending != 0 {
            self.interrupts.flags |= self.interrupts.pending;
            if !newest_is_hidden {
                self.rx.reveal();
            }
        }
        self.interrupts.pending = flags;
        self.interrupts.at = now + delay;
    }

    /// Shows what was pending.
    pub(super) fn show_interrupts(&mut self) {
        self.interrupts.flags |= core::mem::take(&mut self.interrupts.pending);
        self.interrupts.at = Instant::FAR_FUTURE;
        self.rx.reveal();
    }

    /// State of the IRQ line: true if asserted (low), for any flag that CONFIG does not mask. The masks sit where the
    /// flags do.
    pub(super) fn line(&self) -> bool {
        const MASKS: u8 = config::MASK_RX_DR | config::MASK_TX_DS | config::MASK_MAX_RT;
        self.interrupts.flags & !(self.registers.settings().config & MASKS) != 0
    }

    /// True if the line has changed since the host was told.
    pub(super) fn line_differs(&self) -> bool {
        self.line() != self.interrupts.reported
    }

    /// The line, if it has changed since the host was told.
    pub(super) fn line_change(&mut self) -> Option<bool> {
        let line = self.line();
        (line != core::mem::replace(&mut self.interrupts.reported, line)).then_some(line)
    }
}
