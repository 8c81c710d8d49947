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
        self.ledger = self.ledger_at(now);
        self.ledger.clone()
    }

    /// Leaves what is under way where it is booked, whatever becomes of it.
    pub fn leave_under_way(&mut self) {
        self.transits.iter_mut().flatten().for_each(Transit::begin);
    }

    /// The accounts up to `now`. A packet on the air is a gap so far.
    pub fn ledger_at(&self, now: Instant) -> Ledger<Account> {
        let mut standing = self.ledger.clone();
        let account = self.passing();
        if self.streaming && !self.over {
            pass(&mut standing, self.closings[usize::from(self.counter & 1)].unused, account, now);
        }
        standing.book(account, now);
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

/// Books the air behind an event up to `now`: what is idle before events that nobody uses has the cause of the last one, `account`.
pub(super) fn pass(ledger: &mut Ledger<Account>, unused: Option<(Instant, Instant)>, account: Account, now: Instant) {
    if let Some((from, until)) = unused {
        ledger.book(account, from.min(now));
        ledger.book(Account::Latency, until.min(now));
    }
}
