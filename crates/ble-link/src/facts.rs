//! Facts about a run: exchanges, ends of events, credits.

use airtime_link::{Delivery, Told};

/// A line for everything that was counted and explains the goodput.
pub fn facts(told: &Told<'_>) -> Vec<String> {
    [exchanges(told), ends(told), credits(told), dropped(told)].into_iter().flatten().collect()
}

/// Symbols per millisecond that carry a bit. Core 6.0, Vol 6, Part A, 1 and Part B, 2.2.
pub fn phy_kbps(told: &Told<'_>) -> f64 {
    match told.negotiated.map_or("", |terms| &terms.phy) {
        "2M" => 2000.0,
        "1M" => 1000.0,
        "S2" => 500.0,
        "S8" => 125.0,
        _ => 0.0,
    }
}

/// SDUs or values of every stream; of remote calls the calls, whose frames say nothing by themselves.
pub fn delivery(told: &Told<'_>) -> Delivery {
    let total = |prefix| told.counted(prefix).map(|(_, count)| count).sum();
    match told.counters.get("calls") {
        Some(calls) => Delivery::default().with(*calls, told.count("calls.failed")),
        None => Delivery::of_streams(told).with(total("sdus."), total("sdu_gaps.") + total("dropped.")),
    }
}

fn exchanges(told: &Told<'_>) -> Option<String> {
    let (exchanges, events) = (told.count("exchanges"), told.count("events"));
    if exchanges == 0 || events == 0 {
        return None;
    }
    let range = told.counters.get("exchanges.min").zip(told.counters.get("exchanges.max"));
    let range = range.map(|(min, max)| format!(", {min} to {max}")).unwrap_or_default();
    Some(format!("exchanges per connection event: {:.2}{range}", exchanges as f64 / events as f64))
}

/// Causes that ended the events, most frequent first.
fn ends(told: &Told<'_>) -> Option<String> {
    let mut ends: Vec<(&str, u64)> = told.counted("event_end.").collect();
    ends.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let total: u64 = ends.iter().map(|(_, count)| count).sum();
    let share = |(cause, count): &(&str, u64)| format!("{cause} {:.1} %", 100.0 * *count as f64 / total as f64);
    (total > 0).then(|| format!("events ended by: {}", ends.iter().map(share).collect::<Vec<_>>().join(", ")))
}

/// Values that found no room in the sender's stack.
fn dropped(told: &Told<'_>) -> Option<String> {
    let total = |prefix| -> u64 { told.counted(prefix).map(|(_, count)| count).sum() };
    let (dropped, arrived) = (total("dropped."), total("sdus."));
    let share = || 100.0 * dropped as f64 / (dropped + arrived) as f64;
    (dropped > 0).then(|| format!("values dropped by the sender's stack: {dropped}, {:.1} % of those written", share()))
}

fn credits(told: &Told<'_>) -> Option<String> {
    let (indications, frames) = (told.count("credit_indications"), told.count("k_frames"));
    (indications > 0 && frames > 0).then(|| format!("credit indications: {indications} for {frames} K-frames"))
}
