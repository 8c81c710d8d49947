//! Words that several modules share, so that none of them need look at another for what it calls things.

/// A station of the cell, by its place in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StationId(pub u16);

impl StationId {
    /// Place of the station in the configuration.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}
