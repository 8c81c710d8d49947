//! Facts about a run of Wi-Fi through an ESP-hosted co-processor: the air, the sender, drops by name, RAM.

use airtime_lab::Record;

use crate::cells::figure;

/// A line for everything that was counted and explains the goodput; nothing for other links.
pub(crate) fn facts(record: &Record) -> Vec<String> {
    if record.link != "wifi-hosted" {
        return Vec::new();
    }
    let lines = [air(record), sender(record), tcp(record), drops(record)];
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

/// What the sender's stack took beside what arrived.
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

/// A line for each memory: how much of it the buffers may take, and the classes of it.
fn ram(record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for group in record.ram.chunk_by(|a, b| (&a.chip, &a.memory) == (&b.chip, &b.memory)) {
        let [first, ..] = group else { continue };
        let octets: u64 = group.iter().map(|class| class.octets).sum();
        let classes: Vec<String> =
            group.iter().map(|class| format!("{} x {} {}", class.count, class.each, class.class)).collect();
        lines.push(format!(
            "{} RAM of the {}: {} of {} kB, {:.0} %: {}",
            first.memory,
            first.chip,
            figure(octets as f64 / 1e3),
            figure(first.of as f64 / 1e3),
            100.0 * octets as f64 / first.of.max(1) as f64,
            classes.join(", ")
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_lab::record::Ram;

    #[test]
    fn every_fact_that_counts_is_told() {
        let counters = [
            ("ppdus", 10),
            ("mpdus", 28),
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
            counters: counters.into_iter().collect(),
            ram: vec![class("static", 10), class("dynamic", 32)],
            ..Record::default()
        };
        let lines = facts(&record);
        assert_eq!(lines[0], "air: 10 PPDUs with 2.8 MPDUs each, 0 collided, 0 MPDUs lost");
        assert_eq!(lines[1], "sender: 2 of 5 calls failed");
        assert!(lines[2].contains("1 timeouts") && lines[3] == "dropped: wifi_rx 3", "{lines:?}");
        assert_eq!(
            lines[4],
            "internal RAM of the co-processor: 67.2 of 524.3 kB, 13 %: 10 x 1600 static, 32 x 1600 dynamic"
        );
        assert!(facts(&Record { link: "nrf24-ip".into(), ..record }).is_empty());
    }
}
