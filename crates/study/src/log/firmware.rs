//! Firmware of throughput tests over channels and, of ours, in values: the images in `firmware/`, and the published test for the nRF54L15.

use super::lines::Program;
use super::statement::{CountingEnd, Said, Total};
use super::words::{behind, leading, phy};

/// `firmware/nrf54l15-coc` and `firmware/zephyr-coc`, over channels unless a line says that values have an MTU, whose lines a probe, and Zephyr, print with their own words in front of them.
pub const OURS: Program = Program { name: "airtime-coc", link: Some("ble-coc"), line: ours };

/// The published test for the nRF54L15, the board's console: `danahern/nrf_tests`, `nrf54l15_l2cap_test/src/main.c`.
pub const SENDER: Program = Program { name: "nrf54l15-coc", link: Some("ble-coc"), line: sender };

/// The same, the Mac's console: `l2cap_throughput_test.py`.
pub const RECEIVER: Program = Program { name: "nrf54l15-coc", link: Some("ble-coc"), line: receiver };

fn ours(line: &str) -> Result<Vec<Said>, &'static str> {
    if let Some(rest) = line.split_once("airtime ").and_then(|(_, rest)| rest.split_once(" of plan ")) {
        let (role, plan) = rest;
        let plan = plan.split([',', ' ']).next().unwrap_or_default();
        return Ok(vec![Said::Begins, Said::Firmware(format!("airtime {role}, plan {plan}"))]);
    }
    if let Some((link, rest)) = behind::<u32>(line, "link ") {
        return of_link(link, rest);
    }
    if let Some((_, rest)) = behind::<u32>(line, "conn ") {
        return of_connection(rest);
    }
    Ok(vec![])
}

fn of_link(link: u32, rest: &str) -> Result<Vec<Said>, &'static str> {
    let stream = Some(format!("link {link}"));
    if let Some((_, rest)) = behind::<u64>(rest, " second ") {
        let figure =
            rest.strip_prefix(": ").and_then(leading::<f64>).filter(|(_, rest)| rest.starts_with(" kbps delivered"));
        let (kbps, _) = figure.ok_or("`link N second N: N.N kbps delivered`")?;
        return Ok(vec![Said::End(CountingEnd::Receiver), Said::Stretch { seconds: 1.0, kbps, stream }]);
    }
    if let Some(rest) = rest.strip_prefix(" RESULT ") {
        const EXPECTED: &str = "`link N RESULT goodput_kbps N.N delivered_bytes N sdus N lost N …`";
        let (kbps, _) = behind(rest, "goodput_kbps ").ok_or(EXPECTED)?;
        let (octets, _) = behind(rest, "delivered_bytes ").ok_or(EXPECTED)?;
        behind::<u64>(rest, " lost ").ok_or(EXPECTED)?;
        let total = Total { line: 0, kbps, octets: Some(octets), seconds: None, steady: true };
        return Ok(vec![Said::Total { end: Some(CountingEnd::Receiver), total, stream }]);
    }
    Ok(vec![])
}

fn of_connection(rest: &str) -> Result<Vec<Said>, &'static str> {
    if let Some((us, _)) = behind::<u32>(rest, "interval ") {
        return Ok(vec![Said::Interval(us / 1_250)]);
    }
    if let Some((out, rest)) = behind(rest, " data length out ") {
        let (back, _) = behind(rest, " in ").ok_or("`conn N data length out N in N`")?;
        return Ok(vec![Said::DataLength(out, back)]);
    }
    if let Some(name) = rest.strip_prefix(" PHY out ") {
        let phy = match name.trim() {
            name if name.starts_with("Le1M") => "1M",
            name if name.starts_with("Le2M") => "2M",
            name if name.starts_with("LeCodedS2") => "S2",
            name if name.starts_with("LeCoded") => "S8",
            _ => return Ok(vec![]),
        };
        return Ok(vec![Said::Phy(phy)]);
    }
    if let Some((mtu, _)) = behind(rest, " ATT MTU ") {
        return Ok(vec![Said::Link("ble-gatt"), Said::Mtu(mtu)]);
    }
    if let Some((mtu, rest)) = behind(rest, " open, peer's MTU ") {
        let (mps, _) = behind(rest, " MPS ").ok_or("`conn N channel 0xN open, peer's MTU N MPS N`")?;
        return Ok(vec![Said::Mtu(mtu), Said::Mps(mps)]);
    }
    Ok(vec![])
}

fn sender(line: &str) -> Result<Vec<Said>, &'static str> {
    let line = line.trim();
    if let Some(rest) = line.split_once("L2CAP channel connected: ").map(|(_, rest)| rest) {
        let mtu = behind(rest, "tx.mtu=").map(|(mtu, _)| Said::Mtu(mtu));
        let mps = behind(rest, "tx.mps=").map(|(mps, _)| Said::Mps(mps));
        return Ok([Said::Begins, Said::Direction("p2c")].into_iter().chain(mtu).chain(mps).collect());
    }
    if let Some((units, _)) = behind(line, "Conn params updated: interval=") {
        return Ok(vec![Said::Interval(units)]);
    }
    if let Some((number, _)) = behind(line, "PHY updated: TX=") {
        return Ok(phy(number).map(Said::Phy).into_iter().collect());
    }
    if let Some((out, rest)) = behind(line, "Data Length updated: TX len=") {
        let back = behind(rest, "RX len=").map(|(back, _)| Said::DataLength(out, back));
        return Ok(back.into_iter().collect());
    }
    if !line.starts_with("TX: ") || line.starts_with("TX: (") {
        return Ok(vec![]);
    }
    const EXPECTED: &str = "`TX: N bytes total, N kbps`";
    let (_, rest) = behind::<u64>(line, "TX: ").ok_or(EXPECTED)?;
    let (kbps, rest) = behind::<f64>(rest, " bytes total, ").ok_or(EXPECTED)?;
    rest.strip_prefix(" kbps").ok_or(EXPECTED)?;
    // Its clock is a sleep of a second, and what it counts is taken by L2CAP, not on the air yet.
    Ok(vec![Said::End(CountingEnd::Sender), Said::Stretch { seconds: 1.0, kbps, stream: None }])
}

fn receiver(line: &str) -> Result<Vec<Said>, &'static str> {
    let line = line.trim();
    if line == "L2CAP channel opened!" {
        return Ok(vec![Said::Begins, Said::Direction("p2c")]);
    }
    if !line.starts_with("RX: ") {
        return Ok(vec![]);
    }
    const EXPECTED: &str = "`RX: N kbps (avg: N kbps) | N bytes in N.Ns`";
    let (kbps, rest) = behind::<f64>(line, "RX: ").ok_or(EXPECTED)?;
    let (_, rest) = behind::<f64>(rest, " kbps (avg: ").ok_or(EXPECTED)?;
    behind::<f64>(rest, " bytes in ").filter(|(_, rest)| rest.starts_with('s')).ok_or(EXPECTED)?;
    // A timer of a second, late by as much as its run loop is; the rate is by the clock.
    Ok(vec![Said::End(CountingEnd::Receiver), Said::Stretch { seconds: 1.0, kbps, stream: None }])
}
