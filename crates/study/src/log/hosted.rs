//! `firmware/esp32p4-host`: datagrams and a stream of a host of ESP-hosted, by the second.

use super::lines::Program;
use super::statement::{CountingEnd, Said, Total};
use super::words::{behind, leading};

/// The image, whose lines `esp_println` begins with a level.
pub const HOST: Program = Program { name: "airtime-host", link: Some("wifi-hosted"), line };

fn line(line: &str) -> Result<Vec<Said>, &'static str> {
    let Some((_, rest)) = line.split_once("flow ") else { return Ok(vec![]) };
    let of = |kind: &'static str| rest.strip_prefix(kind)?.strip_prefix(' ').map(|rest| (kind, rest));
    let Some((kind, rest)) = of("udp").or_else(|| of("tcp")) else { return Ok(vec![]) };
    if let Some(rest) = rest.strip_prefix("begins: ") {
        const EXPECTED: &str = "`flow udp begins: N octets at a time to ADDRESS:PORT, for N s`";
        let (octets, rest) = leading(rest).ok_or(EXPECTED)?;
        behind::<u64>(rest, ", for ").filter(|(_, rest)| rest.starts_with(" s")).ok_or(EXPECTED)?;
        return Ok(vec![Said::Begins, Said::Traffic(kind), Said::End(CountingEnd::Sender), Said::Unit(octets)]);
    }
    let stream = Some(kind.to_owned());
    if let Some(rest) = rest.strip_prefix("second ") {
        let figure = behind::<f64>(rest, ": ").filter(|(_, rest)| rest.starts_with(" kbps accepted"));
        let (kbps, _) = figure.ok_or("`flow udp second N: N.N kbps accepted`")?;
        return Ok(vec![Said::Stretch { seconds: 1.0, kbps, stream }]);
    }
    if let Some(rest) = rest.strip_prefix("RESULT ") {
        const EXPECTED: &str = "`flow udp RESULT accepted_kbps N.N accepted_bytes N …`";
        let (kbps, _) = behind(rest, "accepted_kbps ").ok_or(EXPECTED)?;
        let (octets, _) = behind(rest, "accepted_bytes ").ok_or(EXPECTED)?;
        let total = Total { line: 0, kbps, octets: Some(octets), seconds: None, steady: false };
        return Ok(vec![Said::Total { end: Some(CountingEnd::Sender), total, stream }]);
    }
    Ok(vec![])
}
