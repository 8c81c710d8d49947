//! Counters of a record that tables take, by name.

use airtime_lab::Record;

/// Exchanges in the connection events of the steady state.
const EXCHANGES: &str = "exchanges";
/// The fewest and the most of one event.
const EXCHANGES_RANGE: (&str, &str) = ("exchanges.min", "exchanges.max");
/// Connection events of the steady state.
const EVENTS: &str = "events";
/// Connection events of the steady state by what ended them: `event_end.tail`, ….
const EVENT_END: &str = "event_end.";
/// Credit indications of the steady state, and the K-frames they were for.
const CREDITS: (&str, &str) = ("credit_indications", "k_frames");

/// Exchanges per connection event, where the record counts both.
pub(crate) fn exchanges_per_event(record: &Record) -> Option<f64> {
    Some(count(record, EXCHANGES)? as f64 / count(record, EVENTS)? as f64)
}

/// A line for everything that was counted and explains the goodput.
pub(crate) fn facts(record: &Record) -> Vec<String> {
    let ble = [interval(record), exchanges(record), ends(record), credits(record)];
    let lines = [frames(record), packets(record), overrun(record)];
    ble.into_iter().chain(lines).flatten().collect()
}

/// The connection interval, where the central granted another one than was asked for: whoever asks reads the goodput as that of his own.
fn interval(record: &Record) -> Option<String> {
    let granted = &record.negotiated.as_ref()?.conn_interval;
    if record.params.get("ble.change_interval").is_some_and(|change| change.as_str() != Some("none")) {
        return None;
    }
    // The peripheral's request comes after the central's own choice, and replaces it.
    let asked = ["ble.request_interval", "ble.conn_interval"].iter().find_map(|key| record.params.get(key)?.as_str());
    let asked = asked.filter(|asked| asked != granted)?;
    Some(format!("connection interval: {granted} granted, {asked} asked for"))
}

/// Frames of the nRF24L01+, and the time of each.
fn frames(record: &Record) -> Option<String> {
    let (direction, frames) = most(record, "frames.")?;
    let lost = record.counters.get(&format!("frames_lost.{direction}")).copied().unwrap_or(0);
    let each = record.steady_ns as f64 / frames as f64 / 1e3;
    Some(format!("frames {direction}: {frames}, one every {each:.0} us, {lost} of them for nobody"))
}

/// IP packets through a tunnel, and where they were dropped.
fn packets(record: &Record) -> Option<String> {
    let (direction, offered) = most(record, "ip_packets_in.")?;
    let through = record.counters.get(&format!("ip_packets_out.{direction}")).copied().unwrap_or(0);
    let drops = record.counters.iter().filter(|(name, count)| name.starts_with("dropped.") && **count > 0);
    let drops: Vec<String> = drops.map(|(name, count)| format!(", {name} {count}")).collect();
    Some(format!("IP packets {direction}: {through} of {offered} came through{}", drops.concat()))
}

fn overrun(record: &Record) -> Option<String> {
    let ns = record.counters.get("overrun_ns")?;
    Some(format!("the last packet came {:.2} s after the end of the test", *ns as f64 / 1e9))
}

/// The direction with the largest of the counters called `prefix` and a direction, if any counts.
fn most<'a>(record: &'a Record, prefix: &str) -> Option<(&'a str, u64)> {
    let named = record.counters.iter().filter_map(|(name, count)| Some((name.strip_prefix(prefix)?, *count)));
    named.filter(|(_, count)| *count > 0).max_by_key(|(_, count)| *count)
}

fn exchanges(record: &Record) -> Option<String> {
    let mean = exchanges_per_event(record)?;
    let range = record.counters.get(EXCHANGES_RANGE.0).zip(record.counters.get(EXCHANGES_RANGE.1));
    let range = range.map(|(min, max)| format!(", {min} to {max}")).unwrap_or_default();
    Some(format!("exchanges per connection event: {mean:.2}{range}"))
}

fn credits(record: &Record) -> Option<String> {
    let (indications, frames) = count(record, CREDITS.0).zip(count(record, CREDITS.1))?;
    Some(format!("credit indications: {indications} for {frames} K-frames"))
}

/// Causes that ended the events, most frequent first.
fn ends(record: &Record) -> Option<String> {
    let named = record.counters.iter().filter_map(|(name, count)| Some((name.strip_prefix(EVENT_END)?, *count)));
    let mut ends: Vec<(&str, u64)> = named.filter(|(_, count)| *count > 0).collect();
    ends.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let total: u64 = ends.iter().map(|(_, count)| count).sum();
    let share = |(cause, count): &(&str, u64)| format!("{cause} {:.1} %", 100.0 * *count as f64 / total as f64);
    (total > 0).then(|| format!("events ended by: {}", ends.iter().map(share).collect::<Vec<_>>().join(", ")))
}

fn count(record: &Record, name: &str) -> Option<u64> {
    record.counters.get(name).copied().filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use airtime_lab::record::Negotiated;

    use super::*;

    #[test]
    fn an_interval_that_was_not_granted_is_told() {
        let facts_of = |asked: &[(&str, &str)]| {
            let negotiated = Negotiated { conn_interval: "30ms".into(), ..Negotiated::default() };
            let params = asked.iter().map(|(key, value)| (*key, (*value).into())).collect();
            facts(&Record { negotiated: Some(negotiated), params, ..Record::default() })
        };
        let asked = ("ble.conn_interval", "7.5ms");
        assert_eq!(facts_of(&[asked]), ["connection interval: 30ms granted, 7.5ms asked for"]);
        assert!(facts_of(&[("ble.conn_interval", "30ms")]).is_empty());
        assert!(facts_of(&[asked, ("ble.request_interval", "30ms")]).is_empty());
    }
}
