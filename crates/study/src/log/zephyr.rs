//! Bluetooth LE samples of Zephyr and of nRF Connect SDK.

use super::lines::Program;
use super::statement::{CountingEnd, Said, Total};
use super::words::{behind, hexadecimal, leading, phy};

/// nRF Connect SDK, `samples/bluetooth/throughput`: one total by each end.
pub const SAMPLE: Program = Program { name: "ncs-throughput", link: Some("ble-gatt"), line: sample };

/// Zephyr, `samples/bluetooth/central_gatt_write` and its peripheral: a line each second.
pub const WRITES: Program = Program { name: "zephyr-gatt-write", link: Some("ble-gatt"), line: writes };

/// Lines of Zephyr's host and boot, whatever the sample.
pub const HOST: Program = Program { name: "zephyr", link: None, line: host };

fn sample(line: &str) -> Result<Vec<Said>, &'static str> {
    if line.contains("==== Starting throughput test ====") {
        return Ok(vec![Said::Begins, Said::Direction("c2p")]);
    }
    if let Some((units, _)) = behind(line, "Conn. interval is ").filter(|(_, rest)| rest.starts_with(" units")) {
        return Ok(vec![Said::Interval(units)]);
    }
    if let Some((_, rest)) = line.split_once("LE PHY updated: TX PHY LE ") {
        let name = rest.split(',').next().unwrap_or_default();
        let phy = ["1M", "2M"].into_iter().find(|phy| *phy == name).or(name.starts_with("Coded").then_some("S8"));
        return Ok(phy.map(Said::Phy).into_iter().collect());
    }
    if let Some((out, rest)) = behind(line, "LE data len updated: TX (len: ") {
        let back = behind(rest, "RX (len: ").map(|(back, _)| Said::DataLength(out, back));
        return Ok(back.into_iter().collect());
    }
    if let Some((_, rest)) = line.split_once("[local] sent ") {
        const EXPECTED: &str = "`[local] sent N bytes (N KB) in N ms at N kbps`";
        let (octets, rest) = leading::<u64>(rest).ok_or(EXPECTED)?;
        let (ms, rest) = behind::<u64>(rest, ") in ").filter(|(ms, _)| *ms > 0).ok_or(EXPECTED)?;
        behind::<u64>(rest, " ms at ").filter(|(_, rest)| rest.starts_with(" kbps")).ok_or(EXPECTED)?;
        // The rate is cut to whole kbps; octets and time are exact.
        let kbps = octets as f64 * 8.0 / ms as f64;
        return Ok(vec![total(CountingEnd::Sender, octets, kbps, Some(ms as f64 / 1e3))]);
    }
    for word in ["[peer] received ", "[local] received "] {
        let Some((_, rest)) = line.split_once(word) else { continue };
        const EXPECTED: &str = "`[peer] received N bytes (N KB) in N GATT writes at N bps`";
        let (octets, rest) = leading::<u64>(rest).ok_or(EXPECTED)?;
        let (_, rest) = behind::<u64>(rest, ") in ").ok_or(EXPECTED)?;
        let (bps, rest) = behind::<u64>(rest, " GATT writes at ").ok_or(EXPECTED)?;
        rest.strip_prefix(" bps").ok_or(EXPECTED)?;
        return Ok(vec![total(CountingEnd::Receiver, octets, bps as f64 / 1e3, None)]);
    }
    Ok(vec![])
}

fn total(end: CountingEnd, octets: u64, kbps: f64, seconds: Option<f64>) -> Said {
    let total = Total { line: 0, kbps, octets: Some(octets), seconds, steady: false };
    Said::Total { end: Some(end), total, stream: None }
}

fn writes(line: &str) -> Result<Vec<Said>, &'static str> {
    let Some((_, rest)) = line.split_once(": count= ") else { return Ok(vec![]) };
    const EXPECTED: &str = "`write_cmd_cb: count= N, len= N, rate= N bps.`";
    let (_, rest) = leading::<u64>(rest).ok_or(EXPECTED)?;
    let (octets, rest) = behind::<u64>(rest, ", len= ").ok_or(EXPECTED)?;
    let (bps, rest) = behind::<u64>(rest, ", rate= ").filter(|(bps, _)| *bps > 0 || octets == 0).ok_or(EXPECTED)?;
    rest.strip_prefix(" bps").ok_or(EXPECTED)?;
    if bps == 0 {
        return Ok(vec![]);
    }
    // Completed writes, which the far controller has acknowledged: they arrived. The time is what octets and rate come to.
    let seconds = octets as f64 * 8.0 / bps as f64;
    let stretch = Said::Stretch { seconds, kbps: bps as f64 / 1e3, stream: None };
    Ok(vec![Said::End(CountingEnd::Receiver), Said::Direction("c2p"), stretch])
}

fn host(line: &str) -> Result<Vec<Said>, &'static str> {
    if let Some((_, rest)) = line.split_once("*** Booting ") {
        let version = rest.trim_end_matches(['*', ' ', '\r']).trim();
        return Ok(vec![Said::Begins, Said::Firmware(version.to_owned())]);
    }
    if let Some(units) = hexadecimal(line, "le_param_updated: int 0x") {
        return Ok(vec![Said::Interval(units)]);
    }
    if line.contains("LE PHY Updated: ")
        && let Some(number) = hexadecimal(line, " Tx 0x")
    {
        return Ok(phy(number).map(Said::Phy).into_iter().collect());
    }
    if let Some((_, rest)) = line.split_once("Firmware: ")
        && rest.contains(" controller (0x")
    {
        return Ok(vec![Said::Controller(rest.trim().to_owned())]);
    }
    Ok(vec![])
}
