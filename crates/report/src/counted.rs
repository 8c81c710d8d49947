//! Counters of a record that tables take, by name.

use airtime_lab::Record;

/// Exchanges per connection event, where the record counts both.
pub(crate) fn exchanges_per_event(record: &Record) -> Option<f64> {
    Some(count(record, "exchanges")? as f64 / count(record, "events")? as f64)
}

/// The time by which a bounded test overran, where it was waited for.
pub(crate) fn overrun(record: &Record) -> Option<String> {
    let ns = record.counters.get("overrun_ns")?;
    Some(format!("the last packet came {:.2} s after the end of the test", *ns as f64 / 1e9))
}

fn count(record: &Record, name: &str) -> Option<u64> {
    record.counters.get(name).copied().filter(|count| *count > 0)
}
