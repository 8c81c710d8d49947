//! Books of time: every nanosecond between two instants is booked to exactly one account.

use crate::{Duration, Instant};

/// The accounts of one link, as a fieldless enum.
pub trait Account: Copy + 'static {
    /// Every account, in the order of the books; `ALL[a.index()]` is `a`.
    const ALL: &'static [Self];
    /// Sums of all accounts, in the same order.
    type Sums: AsRef<[u64]> + AsMut<[u64]> + Clone + Eq + core::fmt::Debug;
    /// Sums of books in which nothing is booked to any account.
    const NOTHING: Self::Sums;
    /// Position of the account in [`ALL`](Account::ALL).
    fn index(self) -> usize;
    /// Stable name, as it appears in records: `payload.p2c`, `idle.credits`, …
    fn name(self) -> &'static str;
}

/// Declares the accounts of a link: an enum with an [`Account`](crate::ledger::Account) for each line `Variant = "name", "what is
/// booked to it";`, in the order of the books, and `meaning` for that text.
#[macro_export]
macro_rules! accounts {
    ($(#[$outer:meta])* pub enum $accounts:ident { $($variant:ident = $name:literal, $doc:literal;)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $accounts { $(#[doc = $doc] $variant,)* }

        impl $crate::ledger::Account for $accounts {
            const ALL: &'static [Self] = &[$(Self::$variant,)*];
            type Sums = [u64; [$($accounts::$variant,)*].len()];
            const NOTHING: Self::Sums = [0; [$($accounts::$variant,)*].len()];
            fn index(self) -> usize {
                self as usize
            }
            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }

        impl $accounts {
            /// Every account by name with one line on what is booked there, in the order of the books.
            pub const LEGEND: &'static [(&'static str, &'static str)] = &[$(($name, $doc),)*];

            /// One line on what is booked here.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

/// A cursor on the time line and the sums it has left behind.
///
/// Booking moves the cursor, a transfer moves time from one account to another, and there is no other way to change
/// a sum: the books balance by construction, and [`Ledger::balances`] proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger<A: Account> {
    start: Instant,
    cursor: Instant,
    booked: A::Sums,
}

impl<A: Account> Ledger<A> {
    /// Empty books that begin at `start`.
    pub fn new(start: Instant) -> Self {
        Self { start, cursor: start, booked: A::NOTHING }
    }

    /// Up to when everything is booked.
    pub fn cursor(&self) -> Instant {
        self.cursor
    }

    /// Books everything from the cursor to `until` to `account`; what is booked stays booked, so
    /// an `until` behind the cursor does nothing.
    pub fn book(&mut self, account: A, until: Instant) {
        self.booked.as_mut()[account.index()] += until.saturating_since(self.cursor).as_nanos();
        self.cursor = self.cursor.max(until);
    }

    /// Moves `span` of what was booked to `from` over to `to`: for what turns out later to have been something else.
    ///
    /// # Panics
    /// When less than `span` was booked to `from`.
    pub fn transfer(&mut self, from: A, to: A, span: Duration) {
        let left = self.of(from).as_nanos().checked_sub(span.as_nanos());
        let booked = self.booked.as_mut();
        booked[from.index()] = left.expect("no more can be moved than was booked");
        booked[to.index()] += span.as_nanos();
    }

    /// Time booked to `account`.
    pub fn of(&self, account: A) -> Duration {
        Duration::from_nanos(self.booked.as_ref()[account.index()])
    }

    /// Time between the start of the books and the cursor.
    pub fn elapsed(&self) -> Duration {
        self.cursor - self.start
    }

    /// True if the accounts sum to the elapsed time.
    pub fn balances(&self) -> bool {
        A::ALL.iter().map(|a| self.of(*a)).sum::<Duration>() == self.elapsed()
    }

    /// Every account with what was booked to it, in the order of the books.
    pub fn entries(&self) -> impl Iterator<Item = (A, Duration)> + '_ {
        A::ALL.iter().map(|a| (*a, self.of(*a)))
    }

    /// Amounts booked after `earlier`, a snapshot of these same books.
    pub fn since(&self, earlier: &Self) -> Self {
        let mut booked = self.booked.clone();
        for (now, then) in booked.as_mut().iter_mut().zip(earlier.booked.as_ref()) {
            *now -= then;
        }
        Self { start: earlier.cursor, cursor: self.cursor, booked }
    }

    /// These books with those of a `later` time, without the time between them.
    #[must_use]
    pub fn joined(&self, later: &Self) -> Self {
        let mut booked = self.booked.clone();
        for (sum, more) in booked.as_mut().iter_mut().zip(later.booked.as_ref()) {
            *sum += more;
        }
        Self { start: self.start, cursor: self.cursor + later.elapsed(), booked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    crate::accounts! {
        /// Two accounts.
        pub enum Two {
            A = "a", "the first";
            B = "b", "the second";
        }
    }

    #[test]
    fn accounts_are_in_the_order_of_the_books() {
        let said = |account: &Two| (account.index(), account.name(), account.meaning());
        assert!(Two::ALL.iter().map(said).eq([(0, "a", "the first"), (1, "b", "the second")]));
        assert_eq!(Two::LEGEND, [("a", "the first"), ("b", "the second")]);
    }

    #[test]
    fn books_are_as_long_as_the_list_of_accounts() {
        assert_eq!(Two::NOTHING.len(), Two::ALL.len());
        assert_eq!(size_of::<Ledger<Two>>(), 4 * size_of::<u64>(), "start, cursor, two sums");
    }

    proptest! {
        #[test]
        fn books_always_balance(bookings in proptest::collection::vec((any::<bool>(), 0u64..1_000), 0..100)) {
            let mut ledger = Ledger::new(Instant::from_nanos(500));
            for (a, until) in bookings {
                ledger.book(if a { Two::A } else { Two::B }, Instant::from_nanos(until));
                prop_assert!(ledger.balances());
            }
        }
    }

    #[test]
    fn a_transfer_keeps_the_balance() {
        let mut ledger = Ledger::new(Instant::ZERO);
        ledger.book(Two::A, Instant::from_nanos(10));
        ledger.transfer(Two::A, Two::B, Duration::from_nanos(4));
        assert_eq!((ledger.of(Two::A).as_nanos(), ledger.of(Two::B).as_nanos()), (6, 4));
        assert!(ledger.balances());
    }

    #[test]
    #[should_panic(expected = "than was booked")]
    fn no_more_is_moved_than_was_booked() {
        Ledger::new(Instant::ZERO).transfer(Two::A, Two::B, Duration::from_nanos(1));
    }

    #[test]
    fn a_snapshot_splits_the_books() {
        let mut ledger = Ledger::new(Instant::ZERO);
        ledger.book(Two::A, Instant::from_nanos(10));
        let then = ledger.clone();
        ledger.book(Two::B, Instant::from_nanos(15));
        let since = ledger.since(&then);
        assert_eq!((since.of(Two::A).as_nanos(), since.of(Two::B).as_nanos()), (0, 5));
        assert!(since.balances());
        let joined = then.joined(&since);
        assert_eq!((joined.of(Two::A), joined.elapsed()), (then.of(Two::A), ledger.elapsed()));
        assert!(joined.balances());
    }
}
