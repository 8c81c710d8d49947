//! Splitting one grid or search over several machines.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The `index`-th of `count` equal parts of a grid; indices begin at 1.
///
/// Points are dealt like cards, so that every part holds easy and hard corners of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// Reason that a shard could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no part of a grid: expected i/n with 1 <= i <= n, such as 2/4")]
pub struct ShardError {
    text: String,
}

impl Shard {
    /// The whole grid.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Number of the part, from 1.
    pub const fn index(self) -> usize {
        self.index
    }

    /// Number of parts.
    pub const fn count(self) -> usize {
        self.count
    }

    /// Number of points of this part, of so many in all.
    pub const fn points_of(self, total: usize) -> usize {
        (total + self.count - self.index) / self.count
    }

    /// Position in the grid of the point of this number, counted from zero.
    pub const fn position(self, number: usize) -> usize {
        number * self.count + self.index - 1
    }

    /// Tells if this part holds the point at `position`, counted from zero.
    pub fn holds(self, position: usize) -> bool {
        position % self.count == self.index - 1
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let error = || ShardError { text: text.to_owned() };
        let (index, count) = text.split_once('/').ok_or_else(error)?;
        let index = index.trim().parse().map_err(|_| error())?;
        let count = count.trim().parse().map_err(|_| error())?;
        if (1..=count).contains(&index) { Ok(Self { index, count }) } else { Err(error()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_point_is_in_exactly_one_part(count in 1usize..20, position in 0usize..1_000) {
            let parts = (1..=count).map(|index| Shard { index, count });
            prop_assert_eq!(parts.filter(|part| part.holds(position)).count(), 1);
        }
    }

    #[test]
    fn parts_are_read_as_they_are_written() {
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
        for wrong in ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b"] {
            let error = wrong.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("such as 2/4"), "{error}");
        }
    }
}
