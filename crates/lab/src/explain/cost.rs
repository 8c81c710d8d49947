//! Prices of a change: what gets worse with it, beside the goodput that it gains.

use airtime_core::Duration;

use super::worth::Worth;
use crate::links;
use crate::record::Record;

/// Growth of a delay from which it is told, *assumed*: less than a tenth is a packet more in a queue.
const DELAY_GROWTH: f64 = 1.1;
/// Loss of a stream in percent from which it is told, *assumed*, as the least gain is.
const LOSS_PCT: f64 = 1.0;
/// Growth of the share of units lost from which it is told, *assumed*.
const LOST_MORE: f64 = 0.001;

/// Growth of a delay that no small gain is worth, *assumed*.
const SLOWER: f64 = 2.0;

/// Tells if packets take much longer than before: the 99th percentile of those of the stream, or the wait of a single one for an event.
pub fn is_slower(before: &Record, after: &Record) -> bool {
    let delay = before.latency_ms.zip(after.latency_ms).map(|(was, is)| (was.p99, is.p99));
    let interval =
        |record: &Record| Some(record.negotiated.as_ref()?.conn_interval.parse::<Duration>().ok()?.as_nanos() as f64);
    let wait = interval(before).zip(interval(after));
    [delay, wait].into_iter().flatten().any(|(was, is)| is > was * SLOWER)
}

/// Prices that two records tell of, a phrase each: delay, loss, the link that carries least, RAM, and what its link knows besides.
pub fn costs(before: &Record, after: &Record) -> Vec<String> {
    let mut found = Vec::new();
    if let (Some(was), Some(is)) = (before.latency_ms, after.latency_ms)
        && is.p99 > was.p99 * DELAY_GROWTH
    {
        found.push(format!("delay p99 {:.1} → {:.1} ms", was.p99, is.p99));
    }
    let (was, is) = (Worth::of(before), Worth::of(after));
    if is.lost_share() > was.lost_share() + LOST_MORE {
        found.push(format!("loss {:.1} → {:.1} %", 100.0 * was.lost_share(), 100.0 * is.lost_share()));
    }
    if let (Some(was), Some(is)) = (was.worst_kbps, is.worst_kbps)
        && is < was * (1.0 - LOSS_PCT / 100.0)
    {
        found.push(format!("the worst link {was:.1} → {is:.1} kbps"));
    }
    found.extend(ram(before, after));
    found.extend(links::find(&before.link).into_iter().flat_map(|link| link.prices(&before.told(), &after.told())));
    found
}

/// RAM of each chip that is taken besides.
fn ram(before: &Record, after: &Record) -> Vec<String> {
    let octets = |record: &Record, chip: &str| -> u64 {
        record.ram.iter().filter(|ram| ram.chip == chip).map(|ram| ram.octets).sum()
    };
    let mut chips: Vec<&str> = after.ram.iter().map(|ram| ram.chip.as_str()).collect();
    chips.dedup();
    let more = chips.into_iter().filter_map(|chip| {
        let more = octets(after, chip).checked_sub(octets(before, chip)).filter(|more| *more > 0)?;
        Some(format!("{more} octets of RAM of the {chip}"))
    });
    more.collect()
}

/// Phrase on the stream the other way, which carried `was` before a change and `is` with it, in 10³ bit/s; none where it loses nothing.
pub fn other_way(was: f64, is: f64) -> Option<String> {
    (is < was * (1.0 - LOSS_PCT / 100.0)).then(|| format!("the other direction {was:.1} → {is:.1} kbps"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Latency, Negotiated};

    #[test]
    fn a_longer_interval_is_a_price_whatever_the_stream_shows_of_it() {
        let of = |interval: &str| {
            let negotiated = Negotiated { conn_interval: interval.into(), ..Negotiated::default() };
            Record { link: "ble-coc".into(), negotiated: Some(negotiated), ..Record::default() }
        };
        assert_eq!(costs(&of("15ms"), &of("480ms")), ["a packet between two events waits up to 480ms, not 15ms"]);
        assert_eq!(costs(&of("480ms"), &of("15ms")), [""; 0]);
        assert_eq!(costs(&of("15ms"), &of("15ms")), [""; 0]);
    }

    #[test]
    fn a_wait_of_twice_as_long_is_slower() {
        let of = |interval: &str, p99: f64| Record {
            negotiated: Some(Negotiated { conn_interval: interval.into(), ..Negotiated::default() }),
            latency_ms: Some(Latency { p50: 1.0, p95: 2.0, p99 }),
            ..Record::default()
        };
        assert!(is_slower(&of("15ms", 10.0), &of("31.25ms", 10.0)) && is_slower(&of("15ms", 10.0), &of("15ms", 21.0)));
        assert!(!is_slower(&of("15ms", 10.0), &of("30ms", 20.0)) && !is_slower(&of("30ms", 30.0), &of("15ms", 10.0)));
    }

    #[test]
    fn a_longer_delay_is_a_price_and_a_shorter_one_is_none() {
        let of = |p99: f64| Record {
            link: "ble-coc".into(),
            latency_ms: Some(Latency { p50: 1.0, p95: 2.0, p99 }),
            ..Record::default()
        };
        assert_eq!(costs(&of(12.1), &of(480.0)), ["delay p99 12.1 → 480.0 ms"]);
        assert_eq!(costs(&of(480.0), &of(12.1)), [""; 0]);
        assert_eq!(costs(&of(480.0), &of(490.0)), [""; 0]);
        assert_eq!(other_way(32_600.0, 5_500.0).unwrap(), "the other direction 32600.0 → 5500.0 kbps");
        assert_eq!(other_way(100.0, 99.5), None);
    }
}
