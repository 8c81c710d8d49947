//! Zephyr's `zperf upload`.
//!
//! Rates are computed from packets and time: they are cut to two digits, and in a log of 2019 (Zephyr's issue 20315: 227 packets of 1024 octets
//! in 1.08 s as 1.63 Mbps) fit units of 1024.

use super::lines::Program;
use super::statement::{CountingEnd, Said};
use super::words::{behind, leading};

/// The shell's words, with `-i` a line every so often.
pub const UPLOAD: Program = Program { name: "zperf", link: None, line };

fn line(line: &str) -> Result<Vec<Said>, &'static str> {
    let line = line.trim();
    if line.contains("zperf tcp upload") || line.contains("zperf udp upload") {
        return Ok(vec![Said::Begins, Said::End(CountingEnd::Sender)]);
    }
    if let Some((octets, _)) = line.strip_prefix("Packet size:").and_then(leading) {
        return Ok(vec![Said::Unit(octets)]);
    }
    if !line.contains("| Packets:") {
        return Ok(vec![]);
    }
    const EXPECTED: &str = "`Duration: N.NN s | Packets: N | Errors: N | Rate: N.NN Mbps`";
    let (seconds, rest) = behind::<f64>(line, "Duration:").filter(|(seconds, _)| *seconds > 0.0).ok_or(EXPECTED)?;
    let (packets, rest) = behind::<u64>(rest, "| Packets:").ok_or(EXPECTED)?;
    let (_, rest) = behind::<u64>(rest, "| Errors:").ok_or(EXPECTED)?;
    let (_, rest) = rest.split_once("| Rate:").ok_or(EXPECTED)?;
    super::words::rate(rest).ok_or(EXPECTED)?;
    Ok(vec![Said::End(CountingEnd::Sender), Said::Packets { seconds, packets }])
}
