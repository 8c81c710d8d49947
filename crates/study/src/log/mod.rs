//! Logs of real boards and programs, and the records that come of them.
//!
//! A log is text as a serial console, a terminal or a JSON file has it. A line that begins like a figure of a known program has to be
//! one: a log that was cut or garbled there says the line and is not guessed at. Everything else is left alone.
//!
//! ```
//! use airtime_study::log::{Options, read};
//!
//! let text = "le_param_updated: int 0x0028 lat 0 to 42
//! write_cmd_cb: count= 160, len= 39040, rate= 312329 bps.
//! write_cmd_cb: count= 160, len= 39040, rate= 312339 bps.";
//! let records = read(text, &Options::default())?;
//! assert_eq!(records[0].goodput_kbps.median, 312.3, "the first second is the warm-up");
//! assert_eq!(records[0].params.get("ble.conn_interval").unwrap(), "50ms");
//!
//! let error = read("write_cmd_cb: count= 160, le", &Options::default()).unwrap_err();
//! assert!(error.to_string().starts_with("line 1: "), "{error}");
//! # Ok::<(), airtime_study::log::LogError>(())
//! ```

mod document;
mod firmware;
mod glance;
mod hosted;
mod iperf;
mod iperf3;
mod lines;
mod record;
mod row;
mod statement;
mod terms;
mod words;
mod zephyr;
mod zperf;

use airtime_core::Duration;
use airtime_lab::Record;
use airtime_lab::record::Environment;
use thiserror::Error;

pub use glance::{Told, firmware, since_start, told};
pub use record::verdict;
pub use row::row;
pub use statement::{CountingEnd, Test};

/// Things that are known of a log and that it does not say itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Name of the records; that of the log's program where nothing is said.
    pub name: Option<String>,
    /// Kind of link: `ble-gatt`, `wifi-hosted`, …
    pub link: Option<String>,
    /// End of the stream that wrote the log.
    pub end: Option<CountingEnd>,
    /// Time from the first figure on that does not count.
    pub warmup: Duration,
    /// Source of the log, in words: a publication, or a file.
    pub source: String,
    /// Surroundings; what is given goes before what the log says.
    pub environment: Environment,
}

impl Default for Options {
    /// Those of a log of which nothing is known, with the warm-up of a plan: 1 s.
    fn default() -> Self {
        Self {
            name: None,
            link: None,
            end: None,
            warmup: Duration::from_secs(1),
            source: "a log".to_owned(),
            environment: Environment::default(),
        }
    }
}

/// Reason that a log has become no record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogError {
    /// A line begins like a figure, and is none.
    #[error("line {line}: `{text}` is cut or garbled: expected {expected}")]
    Damaged {
        /// Number of the line, from 1.
        line: usize,
        /// The line, as far as it fits.
        text: String,
        /// The whole form of such a line.
        expected: &'static str,
    },
    /// A document is cut or garbled.
    #[error("line {line}, column {column}: {why}")]
    Json {
        /// Number of the line, from 1.
        line: usize,
        /// Number of the column, from 1.
        column: usize,
        /// Mistake in the line, in words.
        why: String,
    },
    /// A document of iperf3 is of a test that failed.
    #[error("iperf3 gave up: {0}")]
    Refused(String),
    /// Nothing in it is known.
    #[error(
        "no line has a throughput that is known: of the images in firmware/, Zephyr's central_gatt_write and zperf, nRF Connect SDK's \
         throughput sample, the published nRF54L15 test (TX: and RX:), iperf, iperf 2 and iperf 3 as text, iperf 3 with -J, \
         `airtime hw sink --json`, `airtime perf --json`"
    )]
    Unknown,
    /// A document of our own has no stream, or none with a figure.
    #[error("it is a report without a stream that has a figure: nothing arrived while it was written")]
    Empty,
    /// The kind of link is not in it.
    #[error(
        "it does not say over which kind of link this was: --link ble-coc, ble-gatt, nrf24-ip, wifi-hosted or ieee802154"
    )]
    Link,
    /// The end of the stream is not in it.
    #[error("line {line}: it does not say which end wrote this: --end sender or --end receiver")]
    End {
        /// Number of the first line with a figure.
        line: usize,
    },
    /// Several streams at once.
    #[error(
        "line {line}: a second stream, `{id}`, and no [SUM]: give the log of one stream, or that of a run with -P and its [SUM] lines"
    )]
    Streams {
        /// Number of the line.
        line: usize,
        /// Name of the stream.
        id: String,
    },
    /// A rate or a time is none that a link has.
    #[error("line {line}: the figures come to no rate that a link has")]
    Figure {
        /// Number of the first line with a figure.
        line: usize,
    },
    /// Nothing is left behind the warm-up.
    #[error(
        "line {line}: the figures cover {covered_s} s, and the warm-up takes {warmup_s} s of them: a shorter --warmup, or a longer log"
    )]
    Short {
        /// Number of the first line with a figure.
        line: usize,
        /// Time that they cover, in seconds.
        covered_s: f64,
        /// Warm-up, in seconds.
        warmup_s: f64,
    },
}

/// Reads `text`, the whole of a log, into one record for each test in it.
///
/// # Errors
/// Where the log is damaged, or what it does not say; see [`LogError`].
pub fn read(text: &str, options: &Options) -> Result<Vec<Record>, LogError> {
    // Editors of Windows begin a file with it, and PowerShell's Out-File.
    let text = text.trim_start_matches('\u{feff}');
    let tests = if text.trim_start().starts_with('{') { document::read(text)? } else { lines::read(text)? };
    if tests.is_empty() {
        return Err(LogError::Empty);
    }
    let many = tests.len() > 1;
    tests.iter().enumerate().map(|(index, test)| record::of(test, options, many.then_some(index + 1))).collect()
}
