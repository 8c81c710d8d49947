//! Faults: counts of all that an end has dropped or refused.

use crate::extended;

/// Counted by cause, since the connection began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Faults {
    /// Frames or messages that make no sense, or not where they came.
    pub malformed: u64,
    /// Frames that came twice, late or out of order, and gaps between them.
    pub out_of_order: u64,
    /// Messages or frames that are not genuine, or came in the open where they must not.
    pub not_genuine: u64,
    /// Messages of a call that is over or never was.
    pub stale: u64,
    /// Calls refused because as many were under way as the server takes.
    pub busy: u64,
    /// Calls of methods that do not exist.
    pub unknown: u64,
    /// Calls that the service did not want or could not finish.
    pub refused: u64,
}

impl Faults {
    /// Faults of both modes together.
    pub(crate) fn with(mut self, extended: extended::Faults) -> Self {
        self.malformed += extended.malformed + extended.misplaced + extended.unknown_records + extended.overruns;
        self.out_of_order += extended.old + extended.missed;
        self.not_genuine += extended.not_genuine;
        self.stale += extended.stale;
        self.busy += extended.busy + extended.unanswered;
        self.unknown += extended.unknown_methods;
        self
    }
}
