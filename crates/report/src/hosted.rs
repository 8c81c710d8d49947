//! Facts about a run of Wi-Fi through an ESP-hosted co-processor: the air, the sender, drops by name, RAM.

use airtime_lab::Record;
use airtime_lab::record::Ram;

use crate::cells::figure;

/// A line for everything that was counted and explains the goodput; nothing for other links.
pub(crate) fn facts(record: &Record) -> Vec<String> {
    if record.link != "wifi-hosted" {
        return Vec::new();
    }
    let lines = [air(record), busy(record), sender(record), tcp(record), drops(record)];
    lines.into_iter().flatten().chain(ram(record)).collect()
}

fn count(record: &Record, name: &str) -> u64 {
    record.counters.get(name).copied().unwrap_or(0)
}

fn air(record: &Record) -> Option<String> {
    let (ppdus, mpdus) = (count(record, "ppdus"), count(record, "mpdus"));
    (ppdus > 0).then(|| {
        let (lost, collided) = (count(record, "mpdus.lost"), count(record, "ppdus.collided"));
        let each = mpdus as f64 / ppdus as f64;
        format!("air: {ppdus} PPDUs with {each:.1} MPDUs each, {collided} collided, {lost} MPDUs lost")
    })
}

/// Share of the steady state for which each stage was at work, from the air backwards.
fn busy(record: &Record) -> Option<String> {
    let stages = [
        ("air", "busy.air_ns"),
        ("co-processor", "busy.coprocessor_ns"),
        ("bus", "busy.bus_ns"),
        ("host's CPU", "busy.host_cpu_ns"),
    ];
    let share = |name: &str, counter: &str| {
        let time = *record.counters.get(counter)?;
        Some(format!("{name} {:.0} %", 100.0 * time as f64 / record.steady_ns.max(1) as f64))
    };
    let shares: Vec<String> = stages.iter().filter_map(|(name, counter)| share(name, counter)).collect();
    (!shares.is_empty()).then(|| format!("busy: {}", shares.join(", ")))
}

/// Goodput that the sender's stack took, beside the one that arrived.
fn sender(record: &Record) -> Option<String> {
    let (calls, errors) = (count(record, "calls"), count(record, "call_errors"));
    let accepted = record.accepted_kbps.map(|kbps| format!("{} kbps accepted, ", figure(kbps))).unwrap_or_default();
    (calls > 0).then(|| format!("sender: {accepted}{errors} of {calls} calls failed"))
}

fn tcp(record: &Record) -> Option<String> {
    let segments = count(record, "segments");
    (segments > 0).then(|| {
        let [again, timeouts, collapses, fast] =
            ["retransmissions", "timeouts", "cwnd_collapses", "fast_retransmits"].map(|name| count(record, name));
        format!(
            "TCP: {segments} segments, {again} of them again; {timeouts} timeouts, {collapses} collapses of the window, \
             {fast} fast retransmissions"
        )
    })
}

fn drops(record: &Record) -> Option<String> {
    let dropped = record.counters.iter().filter(|(name, count)| name.starts_with("drops.") && **count > 0);
    let dropped: Vec<String> = dropped.map(|(name, count)| format!("{} {count}", &name["drops.".len()..])).collect();
    (!dropped.is_empty()).then(|| format!("dropped: {}", dropped.join(", ")))
}

/// For each memory a line on how much of it the buffers may take, and below it a line for each class of them: how many, and what
/// twice as many would take on top, which is the step that explanations try.
fn ram(record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let same = |a: &Ram, b: &Ram| (&a.chip, &a.memory) == (&b.chip, &b.memory);
    for (position, first) in record.ram.iter().enumerate() {
        if record.ram[..position].iter().any(|earlier| same(earlier, first)) {
            continue;
        }
        let group: Vec<&Ram> = record.ram.iter().filter(|class| same(class, first)).collect();
        let octets: u64 = group.iter().map(|class| class.octets).sum();
        lines.push(format!(
            "{} RAM of the {}: {} of {} kB, {:.0} %",
            first.memory,
            first.chip,
            figure(octets as f64 / 1e3),
            figure(first.of as f64 / 1e3),
            100.0 * octets as f64 / first.of.max(1) as f64
        ));
        lines.extend(group.into_iter().map(class));
    }
    lines
}

fn class(class: &Ram) -> String {
    let kilooctets = figure(class.octets as f64 / 1e3);
    format!(
        "  {}: {} x {} octets = {kilooctets} kB; {} -> {}: +{kilooctets} kB",
        class.class,
        class.count,
        class.each,
        class.count,
        class.count * 2
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let class = |class: &str, count| Ram {
            chip: "co-processor".into(),
            class: class.into(),
            count,
            each: 1_600,
            octets: count * 1_600,
            memory: "internal".into(),
            of: 524_288,
        };
        let record = Record {
            link: "wifi-hosted".into(),
            steady_ns: 1_000,
            counters: counters.into_iter().collect(),
            ram: vec![class("static", 10), Ram { memory: "external".into(), ..class("pbuf", 1) }, class("dynamic", 32)],
            ..Record::default()
        };
        let lines = facts(&record);
        assert_eq!(lines[0], "air: 10 PPDUs with 2.8 MPDUs each, 0 collided, 0 MPDUs lost");
        assert_eq!(lines[1], "busy: air 99 %, co-processor 100 %");
        assert_eq!(lines[2], "sender: 2 of 5 calls failed");
        assert!(lines[3].contains("1 timeouts") && lines[4] == "dropped: wifi_rx 3", "{lines:?}");
        assert_eq!(lines[5], "internal RAM of the co-processor: 67.2 of 524.3 kB, 13 %");
        assert_eq!(lines[6], "  static: 10 x 1600 octets = 16.0 kB; 10 -> 20: +16.0 kB");
        assert_eq!(lines[7], "  dynamic: 32 x 1600 octets = 51.2 kB; 32 -> 64: +51.2 kB");
        assert_eq!(lines[8], "external RAM of the co-processor: 1.6 of 524.3 kB, 0 %");
        assert_eq!(lines.len(), 10);
        assert!(facts(&Record { link: "nrf24-ip".into(), ..record }).is_empty());
    }
}
