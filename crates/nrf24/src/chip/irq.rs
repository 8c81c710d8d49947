//! Interrupts: the three flags of STATUS, their delay, and the line. 8.5.

use airtime_core::Instant;

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

    /// Raises `flags` at `at`; what was pending before shows at once, since it is older. Says whether a payload that is
    /// hidden until its flag shows is to be seen with that.
    #[must_use]
    pub fn announce(&mut self, at: Instant, flags: u8) -> bool {
        let older = core::mem::replace(&mut self.pending, flags);
        self.flags |= older;
        self.at = at;
        older != 0 && flags & status::RX_DR == 0
    }

    /// Shows what was pending.
    pub fn show(&mut self) {
        self.flags |= core::mem::take(&mut self.pending);
        self.at = Instant::FAR_FUTURE;
    }

    /// State of the IRQ line: true if asserted (low), for any flag that `config` does not mask. The masks sit where the
    /// flags do.
    #[inline]
    pub const fn line(&self, config: u8) -> bool {
        const MASKS: u8 = config::MASK_RX_DR | config::MASK_TX_DS | config::MASK_MAX_RT;
        self.flags & !(config & MASKS) != 0
    }

    /// True if the line has changed since the host was told.
    #[inline]
    pub const fn differs(&self, config: u8) -> bool {
        self.line(config) != self.reported
    }

    /// The line, if it has changed since the host was told.
    #[inline]
    pub fn change(&mut self, config: u8) -> Option<bool> {
        let line = self.line(config);
        (line != core::mem::replace(&mut self.reported, line)).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Instant = Instant::from_nanos(5);

    #[test]
    fn flags_show_when_their_time_has_come() {
        let mut interrupts = Interrupts::new();
        assert!(!interrupts.announce(AT, status::TX_DS));
        assert_eq!((interrupts.flags(), interrupts.at(), interrupts.line(0)), (0, AT, false));
        interrupts.show();
        assert_eq!((interrupts.flags(), interrupts.at()), (status::TX_DS, Instant::FAR_FUTURE));
        interrupts.clear(status::TX_DS);
        assert_eq!(interrupts.flags(), 0);
    }

    #[test]
    fn what_is_older_shows_at_once_and_its_payload_unless_a_newer_one_is_hidden() {
        for (newer, seen) in [(status::TX_DS, true), (status::RX_DR, false)] {
            let mut interrupts = Interrupts::new();
            assert!(!interrupts.announce(AT, status::RX_DR), "nothing was pending");
            assert_eq!(interrupts.announce(AT, newer), seen);
            assert_eq!(interrupts.flags(), status::RX_DR);
        }
    }

    #[test]
    fn a_change_of_the_line_is_told_once_and_a_masked_flag_is_none() {
        let mut interrupts = Interrupts::new();
        interrupts.set(status::MAX_RT);
        assert!(!interrupts.differs(config::MASK_MAX_RT));
        assert_eq!(interrupts.change(config::MASK_MAX_RT), None);
        assert!(interrupts.differs(0));
        assert_eq!((interrupts.change(0), interrupts.change(0)), (Some(true), None));
        assert_eq!(interrupts.change(config::MASK_MAX_RT), Some(false));
    }
}
