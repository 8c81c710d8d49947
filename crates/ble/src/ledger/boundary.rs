//! Begin and end of the time that is measured.

use airtime_core::transit::Transit;
use airtime_core::{Instant, Ledger};

use super::{Account, Books, Counts};

impl Books {
    /// Ends the warm-up: forgets what was counted, and leaves what is under way where it is booked. The accounts up to `now`, as
    /// [`ledger_at`](Self::ledger_at) has them, for [`Ledger::since`].
    pub fn begin_measuring(&mut self, now: Instant) -> Ledger<Account> {
        self.counts = Counts::default();
        self.leave_under_way();
        self.ledger.book(self.passing(), now);
        self.ledger.clone()
    }

    /// Leaves what is under way where it is booked, whatever becomes of it.
    pub fn leave_under_way(&mut self) {
        self.transits.iter_mut().flatten().for_each(Transit::begin);
    }

    /// The accounts up to `now`. A packet on the air is a gap so far.
    pub fn ledger_at(&self, now: Instant) -> Ledger<Account> {
        let mut standing = self.ledger.clone();
        standing.book(self.passing(), now);
        standing
    }

    /// Account of the air that passes since the last packet.
    fn passing(&self) -> Account {
        let closing = &self.closings[usize::from(self.counter & 1)];
        match (self.over, self.streaming) {
            (true, _) => Account::Disconnected,
            (_, false) => Account::Setup,
            _ if closing.central.is_some() || closing.peripheral.is_some() => self.cause(closing),
            _ => Account::Ifs,
        }
    }
}
