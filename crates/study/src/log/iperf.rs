//! Text of iperf, iperf 2 and iperf 3, of boards as of PCs.
//!
//! Amounts are cut to three digits and in units of 1024; rates are in units of 1000, so that the rate is read.

use super::lines::Program;
use super::statement::{CountingEnd, Said, Total};
use super::words::{leading, rate};

/// A line for every interval, and one for the whole.
pub const TEXT: Program = Program { name: "iperf", link: None, line };

const EXPECTED: &str = "`[ID] A-B sec  N MBytes  N Mbits/sec`, with or without the ID and the amount";

fn line(line: &str) -> Result<Vec<Said>, &'static str> {
    if let Some(end) = end(line) {
        let client = line.contains("Connecting to host ").then_some(Said::Client(true));
        let server = line.contains("Accepted connection from ").then_some(Said::Client(false));
        return Ok([Said::Begins, Said::End(end)].into_iter().chain(client).chain(server).collect());
    }
    if line.contains("Interval") && (line.contains("Bandwidth") || line.contains("Bitrate")) {
        // Only an end that sends over TCP has it, and under -R that is the server, which says nothing else of it. Of both ways at once
        // (--bidir) it is in the line as well.
        let sends = line.trim_end().ends_with("Cwnd") && !line.contains("[Role]");
        return Ok(sends.then_some(Said::End(CountingEnd::Sender)).into_iter().collect());
    }
    let Some((before, behind)) = line.split_once(" sec ") else { return Ok(vec![]) };
    let Some((from, to, name)) = span(before) else { return Ok(vec![]) };
    let (kbps, rest) = figure(behind).ok_or(EXPECTED)?;
    // iperf 3 marks what its --omit leaves out, and its totals.
    if rest.contains("(omitted)") {
        return Ok(vec![]);
    }
    let of_end = match rest.split_whitespace().last() {
        Some("sender") => Some(CountingEnd::Sender),
        Some("receiver") => Some(CountingEnd::Receiver),
        _ => None,
    };
    let seconds = to - from;
    // What is left when the test ends can be so little that no time is left of it.
    if seconds == 0.0 {
        return Ok(vec![]);
    }
    if seconds < 0.0 {
        return Err(EXPECTED);
    }
    let total = Total { line: 0, kbps, octets: None, seconds: Some(seconds), steady: false };
    Ok(vec![match of_end {
        Some(end) => Said::Total { end: Some(end), total, stream: name },
        None => Said::Span { from, to, kbps, stream: name },
    }])
}

/// Test that a line begins, and which end of it this is.
fn end(line: &str) -> Option<CountingEnd> {
    let sends = ["mode=tcp-client", "mode=udp-client", "Client connecting to ", "Connecting to host "];
    let takes = ["mode=tcp-server", "mode=udp-server", "Server listening on ", "Accepted connection from "];
    let says = |words: [&str; 4]| words.iter().any(|words| line.contains(words));
    match (says(sends), says(takes)) {
        (true, _) => Some(CountingEnd::Sender),
        (_, true) => Some(CountingEnd::Receiver),
        _ if line.starts_with("Reverse mode") => Some(CountingEnd::Receiver),
        _ => None,
    }
}

/// Interval at the end of `text`, `0.00-1.00 ` or `9-  12`, and the stream that stands before it in brackets.
fn span(text: &str) -> Option<(f64, f64, Option<String>)> {
    let (before, to) = text.rsplit_once('-')?;
    let (to, rest) = leading::<f64>(to)?;
    let before = before.trim_end();
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let from = before[start..].parse().ok()?;
    let name = before[..start].rsplit_once('[').and_then(|(_, name)| name.split_once(']')).map(|(name, _)| name.trim());
    rest.trim().is_empty().then(|| (from, to, name.map(str::to_owned)))
}

/// Rate behind an amount, or alone.
fn figure(text: &str) -> Option<(f64, &str)> {
    if let Some(found) = rate(text) {
        return Some(found);
    }
    let (_, rest) = leading::<f64>(text)?;
    let rest = rest.trim_start();
    let unit = ["GBytes", "MBytes", "KBytes", "Bytes"].into_iter().find_map(|unit| rest.strip_prefix(unit))?;
    rate(unit)
}
