//! Steps: values worth trying instead of the one in effect.

/// A value worth trying, from the one in effect. Counts step in whole numbers, times in nanoseconds, sizes in octets and
/// clocks in hertz; what is out of the key's range is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Half of the value in effect.
    Half,
    /// Twice the value in effect.
    Double,
    /// Twice the value in effect, but no more than this.
    DoubleUpTo(u64),
    /// The value in effect less this step, never below the key's lowest.
    Less(u64),
    /// The value in effect and this step more.
    More(u64),
    /// This value, whatever is in effect.
    To(u64),
    /// Values that follow from the rest of the scenario; the link knows them.
    Fitting,
}

impl Step {
    /// The value this step leads to from `now`, for a key that is at least `least`; none for [`Fitting`](Self::Fitting).
    pub fn from(self, now: u64, least: u64) -> Option<u64> {
        match self {
            Self::Half => Some(now / 2),
            Self::Double => Some(now.saturating_mul(2)),
            Self::DoubleUpTo(most) => Some(now.saturating_mul(2).min(most)),
            Self::Less(by) => Some(now.max(least.saturating_add(by)) - by),
            Self::More(by) => Some(now.saturating_add(by)),
            Self::To(value) => Some(value),
            Self::Fitting => None,
        }
    }
}
