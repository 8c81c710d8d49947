//! Output of ping(8) of iputils with `-D`.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Reason that the output of ping says nothing.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PingError {
    /// A line about a reply is not of the form that is known.
    #[error("cannot read `{line}` of ping")]
    Line {
        /// Line of ping that was not understood.
        line: String,
    },
}

/// Echo requests of a stretch of time, and the round trips of those that were answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Probes {
    /// Requests from the first that was answered to the last.
    pub sent: u64,
    /// Round trips in milliseconds, in the order of the replies.
    pub round_trips_ms: Vec<f64>,
}

/// A line about a reply.
struct Reply {
    number: u64,
    round_trip_ms: f64,
    /// Unix time in seconds.
    sent_at: f64,
}

impl Probes {
    /// The requests that were sent within `time`, in seconds of Unix time, by what ping has printed so far.
    ///
    /// By their times and not by their numbers: ping(8) waits longer between two requests than it was asked to, under load two or
    /// three times as long.
    ///
    /// # Errors
    /// When ping is not the one of iputils.
    pub fn read(text: &str, time: RangeInclusive<f64>) -> Result<Self, PingError> {
        let replies = replies(text)?;
        let within: Vec<&Reply> = replies.iter().filter(|reply| time.contains(&reply.sent_at)).collect();
        let numbers = || within.iter().map(|reply| reply.number);
        let sent = numbers().max().zip(numbers().min()).map_or(0, |(last, first)| last - first + 1);
        Ok(Self { sent, round_trips_ms: within.iter().map(|reply| reply.round_trip_ms).collect() })
    }

    /// Tells if a request that was sent after `time` has been answered: those sent before it are through or lost, in a
    /// queue that keeps the order.
    pub fn reach(text: &str, time: f64) -> bool {
        replies(text).is_ok_and(|replies| replies.iter().any(|reply| reply.sent_at > time))
    }
}

/// Every reply in whole lines; repetitions and errors are none.
fn replies(text: &str) -> Result<Vec<Reply>, PingError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines =
        whole.lines().filter(|line| line.contains("icmp_seq=") && line.contains("time=") && !line.contains("DUP!"));
    lines.map(|line| reply(line).ok_or_else(|| PingError::Line { line: line.to_owned() })).collect()
}

fn reply(line: &str) -> Option<Reply> {
    let words = || line.split_ascii_whitespace();
    let field = |name: &str| words().find_map(|word| word.strip_prefix(name));
    let finite = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    let came_at = finite(words().next()?.strip_prefix('[')?.strip_suffix(']')?)?;
    let round_trip_ms = finite(field("time=")?)?;
    let unit = words().skip_while(|word| !word.starts_with("time=")).nth(1)?;
    let sent_at = came_at - round_trip_ms / 1e3;
    (unit == "ms").then_some(Reply { number: field("icmp_seq=")?.parse().ok()?, round_trip_ms, sent_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PING: &str = include_str!("samples/ping.txt");
    const EVER: RangeInclusive<f64> = 0.0..=f64::INFINITY;

    #[test]
    fn a_run_over_loopback() {
        let probes = Probes::read(PING, EVER).unwrap();
        assert_eq!(probes.sent, 10);
        assert_eq!(probes.round_trips_ms[..3], [0.031, 0.035, 0.037]);
        assert_eq!(probes.round_trips_ms.len(), 10);
    }

    #[test]
    fn requests_count_by_the_time_they_were_sent() {
        let line = |number: u32, came: f64, ms: f64| {
            format!("[{came:.6}] 24 bytes from 10.0.0.2: icmp_seq={number} ttl=64 time={ms} ms\n")
        };
        // The third was sent at 100.2 and came half a second later; the fourth is lost.
        let text = [line(1, 99.95, 1.0), line(2, 100.1, 50.0), line(3, 100.7, 500.0), line(5, 100.9, 400.0)].concat();
        assert_eq!(
            Probes::read(&text, 100.0..=100.6).unwrap(),
            Probes { sent: 4, round_trips_ms: vec![50.0, 500.0, 400.0] }
        );
        assert!(Probes::reach(&text, 100.4) && !Probes::reach(&text, 100.6));
        let cut = &text[..text.len() - 8];
        assert!(!Probes::reach(cut, 100.4), "the last line is not whole yet");
    }

    #[test]
    fn repetitions_and_errors_are_no_replies() {
        let text = "[1.5] 64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=3.2 ms\n\
            [1.6] 64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=9.9 ms (DUP!)\n\
            [1.7] From 10.0.0.1 icmp_seq=2 Destination Host Unreachable\n\n\
            3 packets transmitted, 1 received, +1 duplicates, +1 errors, 66% packet loss, time 100ms\n";
        assert_eq!(Probes::read(text, EVER).unwrap(), Probes { sent: 1, round_trips_ms: vec![3.2] });
        assert_eq!(Probes::read("ping: unknown host\n", EVER).unwrap(), Probes::default());
    }

    #[test]
    fn another_ping_is_refused() {
        for text in [
            "[1.5] 64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=3.2 s\n",
            "64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=3.2 ms\n",
            "[1.5] 64 bytes from 10.0.0.2: icmp_seq=x ttl=64 time=3.2 ms\n",
        ] {
            assert!(matches!(Probes::read(text, EVER), Err(PingError::Line { .. })), "{text}");
        }
    }
}
