//! Faults: counts of all that an end of the extension has dropped or refused.

/// Counted by cause, since the connection began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Faults {
    /// Frames whose header or records make no sense.
    pub malformed: u64,
    /// Frames that had come before, or came late.
    pub old: u64,
    /// Frames that are not genuine.
    pub not_genuine: u64,
    /// Frames that never came, as the numbers of others show.
    pub missed: u64,
    /// Records of calls that are over, or never were.
    pub stale: u64,
    /// Records that make no sense where they came.
    pub misplaced: u64,
    /// Records of kinds that this version does not know.
    pub unknown_records: u64,
    /// Calls whose other end sent more than it was allowed.
    pub overruns: u64,
    /// Calls refused because as many were under way as the server takes.
    pub busy: u64,
    /// Calls of methods that do not exist.
    pub unknown_methods: u64,
    /// Refusals that were not even answered, because too many waited.
    pub unanswered: u64,
}
