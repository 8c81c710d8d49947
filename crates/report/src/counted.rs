//! What tables take from a record's counters, by name.

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
    let lines = [exchanges(record), ends(record), credits(record)];
    lines.into_iter().flatten().collect()
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

/// What ended the events, most frequent first.
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
