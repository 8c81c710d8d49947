//! Facts about a run: granted intervals, exchanges, ends of events, credits.

use airtime_ble::plan::{ChangeInterval, Intervals};
use airtime_link::{Delivery, Told};

/// A line for everything that was counted and explains the goodput.
pub fn facts(told: &Told<'_>) -> Vec<String> {
    [interval(told), exchanges(told), ends(told), credits(told)].into_iter().flatten().collect()
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
        None => Delivery::of_streams(told).with(total("sdus."), total("sdu_gaps.")),
    }
}

/// The connection interval, where the central granted another one than was asked for: whoever asks reads the goodput as that of
/// his own.
fn interval(told: &Told<'_>) -> Option<String> {
    let granted = &told.negotiated?.conn_interval;
    // A plan that changes the interval has another one at the end on purpose.
    if told.text(ChangeInterval::TO).is_some() {
        return None;
    }
    // The peripheral's request comes after the central's own choice, and replaces it.
    let asked = [Intervals::REQUEST_INTERVAL, Intervals::CONN_INTERVAL].iter().find_map(|key| told.text(key));
    let asked = asked.filter(|asked| asked != granted)?;
    Some(format!("connection interval: {granted} granted, {asked} asked for"))
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

fn credits(told: &Told<'_>) -> Option<String> {
    let (indications, frames) = (told.count("credit_indications"), told.count("k_frames"));
    (indications > 0 && frames > 0).then(|| format!("credit indications: {indications} for {frames} K-frames"))
}

#[cfg(test)]
mod tests {
    use airtime_core::Duration;
    use airtime_link::Ordered;
    use airtime_link::figures::Negotiated;

    use super::*;

    #[test]
    fn an_interval_that_was_not_granted_is_told() {
        let facts_of = |asked: &[(&str, &str)]| {
            let negotiated = Negotiated { conn_interval: "30ms".into(), ..Negotiated::default() };
            let params = asked.iter().map(|(key, value)| (*key, (*value).into())).collect();
            let (counters, steady) = (Ordered::new(), Duration::from_secs(1));
            facts(&Told {
                counters: &counters,
                steady,
                accepted_kbps: None,
                negotiated: Some(&negotiated),
                params: &params,
            })
        };
        let asked = ("ble.conn_interval", "7.5ms");
        assert_eq!(facts_of(&[asked]), ["connection interval: 30ms granted, 7.5ms asked for"]);
        assert!(facts_of(&[("ble.conn_interval", "30ms")]).is_empty());
        assert!(facts_of(&[asked, ("ble.request_interval", "30ms")]).is_empty());
    }
}
