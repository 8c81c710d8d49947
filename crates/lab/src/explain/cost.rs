//! Prices of a change: what gets worse with it, beside the goodput that it gains.

use super::worth::{DOUBLE_PCT, Worth};
use crate::links;
use crate::record::Record;

/// Growth of a delay from which it is told, *assumed*: less than a tenth is a packet more in a queue.
const DELAY_GROWTH: f64 = 1.1;
/// Loss of a stream in percent from which it is told, *assumed*, as the least gain is.
const LOSS_PCT: f64 = 1.0;
/// Part of what the link that carries most carried below which it gives way to others, *assumed*.
const GIVEN_WAY: f64 = 0.9;
/// Growth of the share of units lost from which it is told, *assumed*.
const LOST_MORE: f64 = 0.001;

/// Doublings of the delay of a stream behind which it is another stream, and the gain in percent that this is worth, *assumed*. The delay of
/// a saturated stream is that of its queue: a few times as much says little.
const FAR: (f64, f64) = (6.0, 20.0);

/// Gain in percent below which a change is not worth the time that packets take with it: those of the stream, and a single one that waits
/// for an event.
pub fn least_gain_pct(before: &Record, after: &Record) -> f64 {
    let delays = before.latency_ms.zip(after.latency_ms).filter(|(was, _)| was.p99 > 0.0);
    let of_delay = match delays.map_or(0.0, |(was, is)| (is.p99 / was.p99).log2()) {
        far if far >= FAR.0 => FAR.1,
        longer if longer > 1.0 => DOUBLE_PCT,
        _ => 0.0,
    };
    of_delay.max(Worth::of(after).wait_pct(&Worth::of(before)))
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
    if let (Some(was), Some(is)) = (was.most_kbps(), is.most_kbps())
        && is < was * GIVEN_WAY
    {
        found.push(format!("the link that carries most gives way, {was:.1} → {is:.1} kbps"));
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
    fn a_longer_wait_has_to_be_worth_it() {
        let of = |interval: &str, p99: f64| Record {
            negotiated: Some(Negotiated { conn_interval: interval.into(), ..Negotiated::default() }),
            latency_ms: Some(Latency { p50: 1.0, p95: 2.0, p99 }),
            ..Record::default()
        };
        let pct =
            |before: (&str, f64), after: (&str, f64)| least_gain_pct(&of(before.0, before.1), &of(after.0, after.1));
        assert_eq!(format!("{:.1}", pct(("15ms", 10.0), ("60ms", 10.0))), "10.0");
        assert_eq!(format!("{:.1}", pct(("15ms", 10.0), ("28.75ms", 10.0))), "4.7");
        assert_eq!(format!("{:.1}", pct(("15ms", 10.0), ("28.75ms", 80.0))), "5.0");
        assert_eq!(format!("{:.1}", pct(("15ms", 10.0), ("15ms", 4_000.0))), "20.0");
        assert_eq!(format!("{:.1}", pct(("30ms", 30.0), ("15ms", 10.0))), "0.0");
        assert!(least_gain_pct(&Record::default(), &of("15ms", 10.0)).abs() < 1e-9);
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
