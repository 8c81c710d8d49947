//! JSON of iperf3, whatever the test was. [`crate::perf::iperf3`] reads that of a test that was asked for.

use serde::Deserialize;

use super::LogError;
use super::statement::{CountingEnd, Stretch, Test, Total};
use crate::perf::Sent;

/// The document.
#[derive(Deserialize)]
pub struct Document {
    error: Option<String>,
    #[serde(default)]
    start: Start,
    #[serde(default)]
    intervals: Vec<Interval>,
    #[serde(default)]
    end: Ended,
}

#[derive(Deserialize, Default)]
struct Start {
    version: Option<String>,
    system_info: Option<String>,
    timestamp: Option<Stamp>,
    test_start: Option<Asked>,
    connecting_to: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Stamp {
    time: String,
}

#[derive(Deserialize)]
struct Asked {
    protocol: String,
    blksize: u64,
    #[serde(default)]
    omit: u32,
    #[serde(default)]
    reverse: u8,
}

#[derive(Deserialize)]
struct Interval {
    sum: Sum,
}

#[derive(Deserialize)]
struct Sum {
    bytes: u64,
    seconds: f64,
    #[serde(default)]
    omitted: bool,
}

#[derive(Deserialize, Default)]
struct Ended {
    sum_sent: Option<Sent>,
    sum_received: Option<Sent>,
}

/// The one test of a document.
pub fn tests(document: Document) -> Result<Vec<Test>, LogError> {
    if let Some(error) = document.error {
        return Err(LogError::Refused(error));
    }
    let asked = document.start.test_start.ok_or(LogError::Unknown)?;
    let client = document.start.connecting_to.is_some();
    let takes = client == (asked.reverse != 0);
    let total = |sent: Sent| Total {
        line: 1,
        kbps: sent.kbps(),
        octets: Some(sent.bytes),
        seconds: Some(sent.seconds),
        steady: asked.omit > 0,
    };
    // A server's own document has nothing of the other end, and zeros in its place.
    let counted = |sent: &Sent| sent.bytes > 0 && sent.seconds > 0.0;
    let stretches = document.intervals.iter().filter(|one| !one.sum.omitted && one.sum.seconds > 0.0).map(|one| {
        let sent = Sent { bytes: one.sum.bytes, seconds: one.sum.seconds };
        Stretch { line: 1, seconds: sent.seconds, kbps: sent.kbps() }
    });
    let mut test = Test {
        program: "iperf3",
        end: Some(if takes { CountingEnd::Receiver } else { CountingEnd::Sender }),
        stretches: stretches.collect(),
        sent: document.end.sum_sent.filter(counted).map(total),
        received: document.end.sum_received.filter(counted).map(total),
        unit_octets: (asked.protocol == "UDP").then_some(asked.blksize),
        notes: document.start.version.into_iter().collect(),
        ..Test::default()
    };
    test.environment.os = document.start.system_info;
    test.environment.date = document.start.timestamp.map(|stamp| stamp.time);
    match test.stretches.is_empty() && test.sent.is_none() && test.received.is_none() {
        true => Err(LogError::Unknown),
        false => Ok(vec![test]),
    }
}
