//! Facts about a run: the air, the sender, drops by name.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_link::{Delivery, Told};
use airtime_net::traffic::Traffic;

use crate::ledger::{FOLLOWED, MSDUS};
use crate::run::{STUCK, busy, doze};
use crate::trace::DropPoint;

/// A line for everything that was counted and explains the goodput.
pub fn facts(told: &Told<'_>) -> Vec<String> {
    let lines =
        [air(told), shared(told), dozing(told), at_work(told), sender(told), tcp(told), throttle(told), drops(told)];
    lines.into_iter().flatten().collect()
}

/// Datagrams that arrived, and packets dropped behind the sender's stack; what an interface refused has never left, and what is still
/// under way is not lost. What a stream of TCP sends again is not lost either, unless it was given up.
pub fn delivery(told: &Told<'_>) -> Delivery {
    let total = |prefix| told.counted(prefix).map(|(_, count)| count).sum::<u64>();
    let refused = DropPoint::all().filter(|at| at.refused()).map(|at| told.count(at.name())).sum();
    let lost = match told.text(Traffic::KIND) {
        Some("tcp") => 0,
        _ => total("drops.").saturating_sub(refused),
    };
    Delivery::of_streams(told).with(total("datagrams."), lost + told.count("streams_aborted"))
}

fn air(told: &Told<'_>) -> Option<String> {
    let (ppdus, mpdus) = (told.count("ppdus"), told.count("mpdus"));
    (ppdus > 0).then(|| {
        let (lost, collided) = (told.count("mpdus.lost"), told.count("ppdus.collided"));
        let each = mpdus as f64 / ppdus as f64;
        format!("air: {ppdus} PPDUs with {each:.1} MPDUs each, {collided} collided, {lost} MPDUs lost")
    })
}

/// MSDUs to an MPDU, and PPDUs that needed no contention, where there are such.
fn shared(told: &Told<'_>) -> Option<String> {
    let (msdus, mpdus) = (told.count(MSDUS), told.count("mpdus.new"));
    let amsdu = (msdus > mpdus).then(|| format!("A-MSDU: {:.1} MSDUs to an MPDU", msdus as f64 / mpdus.max(1) as f64));
    let (followed, ppdus) = (told.count(FOLLOWED), told.count("ppdus"));
    let txop = (followed > 0).then(|| format!("TXOP: {followed} of {ppdus} PPDUs a SIFS behind another"));
    let both: Vec<String> = [amsdu, txop].into_iter().flatten().collect();
    (!both.is_empty()).then(|| both.join("; "))
}

/// Part of the time for which the station dozed.
fn dozing(told: &Told<'_>) -> Option<String> {
    let asleep = *told.counters.get(doze::ASLEEP_NS)?;
    let share = 100.0 * asleep as f64 / told.steady.as_nanos().max(1) as f64;
    Some(format!("power save: the station dozed {share:.0} % of the time"))
}

/// Share of the steady state for which each stage was at work, from the air backwards.
fn at_work(told: &Told<'_>) -> Option<String> {
    let stages =
        [("air", busy::AIR), ("co-processor", busy::COPROCESSOR), ("bus", busy::BUS), ("host's CPU", busy::HOST_CPU)];
    let share = |name: &str, counter: &str| {
        let time = *told.counters.get(counter)?;
        Some(format!("{name} {:.0} %", 100.0 * time as f64 / told.steady.as_nanos().max(1) as f64))
    };
    let shares: Vec<String> = stages.iter().filter_map(|(name, counter)| share(name, counter)).collect();
    (!shares.is_empty()).then(|| format!("busy: {}", shares.join(", ")))
}

/// Goodput that the sender's stack took, beside the one that arrived.
fn sender(told: &Told<'_>) -> Option<String> {
    let (calls, errors) = (told.count("calls"), told.count("call_errors"));
    let accepted = told.accepted_kbps.map(|kbps| format!("{kbps:.1} kbps accepted, ")).unwrap_or_default();
    (calls > 0).then(|| format!("sender: {accepted}{errors} of {calls} calls failed"))
}

fn tcp(told: &Told<'_>) -> Option<String> {
    let segments = told.count("segments");
    (segments > 0).then(|| {
        let [again, timeouts, collapses, fast] =
            ["retransmissions", "timeouts", "cwnd_collapses", "fast_retransmits"].map(|name| told.count(name));
        format!(
            "TCP: {segments} segments, {again} of them again; {timeouts} timeouts, {collapses} collapses of the window, \
             {fast} fast retransmissions"
        )
    })
}

fn throttle(told: &Told<'_>) -> Option<String> {
    let stuck = told.count(STUCK) > 0;
    stuck.then(|| "throttle: on when the run ended, and without a frame to the host nothing of SPI ends it".into())
}

fn drops(told: &Told<'_>) -> Option<String> {
    let dropped = told.counters.iter().filter(|(name, count)| name.starts_with("drops.") && **count > 0);
    let dropped: Vec<String> = dropped.map(|(name, count)| format!("{} {count}", &name["drops.".len()..])).collect();
    (!dropped.is_empty()).then(|| format!("dropped: {}", dropped.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Duration;
    use airtime_link::Ordered;

    #[test]
    fn every_fact_that_counts_is_told() {
        let counters = [
            ("ppdus", 10),
            ("mpdus", 28),
            ("busy.air_ns", 990),
            ("busy.coprocessor_ns", 1_000),
            ("calls", 5),
            ("call_errors", 2),
            ("segments", 7),
            ("timeouts", 1),
            ("drops.wifi_rx", 3),
            ("drops.ap_queue", 0),
        ];
        let counters = counters.into_iter().collect();
        let params = Ordered::new();
        let steady = Duration::from_nanos(1_000);
        let told = Told { counters: &counters, steady, accepted_kbps: None, negotiated: None, params: &params };
        let lines = facts(&told);
        assert_eq!(lines[0], "air: 10 PPDUs with 2.8 MPDUs each, 0 collided, 0 MPDUs lost");
        assert_eq!(lines[1], "busy: air 99 %, co-processor 100 %");
        assert_eq!(lines[2], "sender: 2 of 5 calls failed");
        assert!(lines[3].contains("1 timeouts") && lines[4] == "dropped: wifi_rx 3", "{lines:?}");
        assert_eq!(lines.len(), 5);
        let counters =
            [("ppdus", 10), ("ppdus.followed", 8), ("mpdus.new", 20), ("msdus.new", 50)].into_iter().collect();
        let told = Told { counters: &counters, steady, accepted_kbps: None, negotiated: None, params: &params };
        assert_eq!(facts(&told)[1], "A-MSDU: 2.5 MSDUs to an MPDU; TXOP: 8 of 10 PPDUs a SIFS behind another");
    }
}
