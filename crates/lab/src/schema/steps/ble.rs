//! Steps of the keys of a Bluetooth LE link.

use airtime_ble::air::T_IFS;
use airtime_core::Duration;

use super::halved_and_doubled;
use crate::plan::ble::{Scenario, Transport};

/// Octets of an L2CAP basic header. Core 6.0, Vol 3, Part A, 3.1.
const L2CAP_HEADER: u64 = 4;

/// Octets of the SDU length in the first K-frame of an SDU. Core 6.0, Vol 3, Part A, 3.4.3.
const SDU_LENGTH: u64 = 2;

/// Counts near `now`.
pub fn counts(name: &str, now: u64, scenario: &Scenario) -> Vec<u64> {
    let (below, above) = (now.saturating_sub(1), now.saturating_add(1));
    let (half, double) = (now / 2, now.saturating_mul(2));
    let pdu = u64::from(scenario.data_length);
    match name {
        "coc.sdu" => sdus(now, scenario),
        // What fits the PDUs exactly, and what a host without data length extension takes.
        "coc.mps" | "gatt.mtu" => fitting(now, |n| (n * pdu).saturating_sub(L2CAP_HEADER)),
        "gatt.payload" => fitting(now, |n| (n * pdu).saturating_sub(L2CAP_HEADER + 3)),
        "ble.data_length" => vec![251, half.max(27), 27],
        "ble.latency" => vec![0, above],
        "ble.peripherals" | "coc.channels" => vec![below, above],
        "rpc.outstanding" => vec![1, half, double, airtime_rpc::CALLS_MAX as u64],
        "rpc.frame" => frames(now, scenario),
        // A pair, and what the published firmware has.
        "rpc.in_flight" => vec![2, half, double, 20],
        "rpc.payload" | "rpc.calls" | "rpc.warmup" => Vec::new(),
        "acl.count" => vec![below, above, double],
        "acl.size" => vec![pdu, half, double],
        _ => vec![half, double],
    }
}

/// What a time is stepped from when it has no value: an interval nobody asked for yet, from the one at the start.
pub fn missing(name: &str, scenario: &Scenario) -> Option<Duration> {
    name.ends_with("_interval").then_some(scenario.conn_interval)
}

/// The sizes of a series just below and just above `now`.
fn fitting(now: u64, series: impl Fn(u64) -> u64) -> Vec<u64> {
    let above = (1..).map(&series).take(3_000).find(|size| *size > now);
    let below = (1..).map(&series).take(3_000).take_while(|size| *size < now).last();
    below.into_iter().chain(above).collect()
}

/// Frames of calls that fill whole PDUs: of a characteristic, and of a channel whose K-frames fit them.
fn frames(now: u64, scenario: &Scenario) -> Vec<u64> {
    let pdu = u64::from(scenario.data_length);
    match scenario.transport() {
        Transport::Gatt => fitting(now, |n| (n * pdu).saturating_sub(L2CAP_HEADER + 3)),
        Transport::Coc => {
            let mps = u64::from(scenario.central.host.coc_mps.min(scenario.peripheral.host.coc_mps));
            fitting(now, |n| (n * mps).saturating_sub(SDU_LENGTH))
        }
    }
}

/// SDU sizes that fit whole K-frames (`n * MPS - 2`), and such that a K-frame longer than a PDU fits
/// whole PDUs, just below and above `now`.
fn sdus(now: u64, scenario: &Scenario) -> Vec<u64> {
    let mps = u64::from(scenario.receiver().host.coc_mps);
    let pdu = u64::from(scenario.data_length);
    let mut found = fitting(now, |n| (n * mps).saturating_sub(SDU_LENGTH));
    if mps + L2CAP_HEADER > pdu {
        let whole = fitting(now, |n| (n * pdu).saturating_sub(L2CAP_HEADER + SDU_LENGTH));
        found.extend(whole.into_iter().filter(|sdu| sdu + SDU_LENGTH <= mps));
    }
    found
}

/// Times near `now`.
pub fn spans(name: &str, now: Duration, scenario: &Scenario) -> Vec<Duration> {
    match name {
        "ble.conn_interval" | "ble.request_interval" | "ble.change_interval.to" => intervals(now, scenario),
        "ble.frame_space" => {
            let ends = [&scenario.central, &scenario.peripheral];
            let shortest = ends.iter().filter_map(|end| end.controller.frame_space_min).max();
            shortest.into_iter().chain([T_IFS]).collect()
        }
        _ => halved_and_doubled(now),
    }
}

/// The next shorter and longer intervals the central grants, and half and twice as long.
fn intervals(now: Duration, scenario: &Scenario) -> Vec<Duration> {
    let granted = scenario.central.host.intervals;
    let grid = granted.multiple_of.as_nanos().max(1);
    let ns = now.as_nanos();
    let shorter = ns.saturating_sub(1) / grid * grid;
    let longer = (ns / grid + 1) * grid;
    let half = (ns / 2).div_ceil(grid) * grid;
    let double = ns.saturating_mul(2) / grid * grid;
    let range = granted.min..=granted.max;
    [shorter, longer, half, double].map(Duration::from_nanos).into_iter().filter(|i| range.contains(i)).collect()
}
