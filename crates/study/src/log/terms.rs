//! Terms of a connection as a log tells them, and how they change while it is measured.

use airtime_core::Duration;

/// Microseconds of a unit of the connection interval. Core 6.0, Vol 4, Part E, 7.8.18.
const INTERVAL_UNIT_US: u64 = 1_250;

/// Terms of a connection, as far as they were told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// Connection interval in units of 1.25 ms.
    pub interval_units: Option<u32>,
    /// PHY of what the sender sends.
    pub phy: Option<&'static str>,
    /// Octets of an LL payload the sender may send, and those it takes.
    pub data_length: Option<(u16, u16)>,
}

/// A term that became another between two figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The term, in words.
    pub term: &'static str,
    /// Value before it; none where nothing was told of it before.
    pub before: Option<String>,
    /// Value that has been in force since.
    pub since: String,
    /// Figures before it.
    pub behind: usize,
}

impl Terms {
    /// Connection interval, a span of time.
    pub fn interval(&self) -> Option<Duration> {
        self.interval_units.map(|units| Duration::from_micros(u64::from(units) * INTERVAL_UNIT_US))
    }

    /// Changes from these terms to `since`, behind so many figures.
    pub fn changes(&self, since: &Self, behind: usize) -> Vec<Change> {
        let all = self.in_words().into_iter().zip(since.in_words());
        all.filter_map(|((term, before), (_, since))| {
            let since = since.filter(|since| before.as_ref() != Some(since))?;
            Some(Change { term, before, since, behind })
        })
        .collect()
    }

    fn in_words(&self) -> [(&'static str, Option<String>); 3] {
        [
            ("the connection interval", self.interval().map(|interval| interval.to_string())),
            ("the PHY", self.phy.map(str::to_owned)),
            ("the data length", self.data_length.map(|(out, back)| format!("{out}/{back}"))),
        ]
    }
}

impl Change {
    /// The change in a sentence, without its full stop.
    pub fn says(&self) -> String {
        let Self { term, since, behind, .. } = self;
        let figures = if *behind == 1 { "figure" } else { "figures" };
        match &self.before {
            Some(before) => format!("{term} changed from {before} to {since} behind {behind} {figures}"),
            None => format!("{term}, {since}, is told behind {behind} {figures} and not before"),
        }
    }
}
