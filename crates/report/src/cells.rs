//! Figures as cells. A missing figure is an empty cell.

use airtime_lab::record::{Asked, Goodput, Measured};
use airtime_lab::{Record, links};
use serde_json::Value;

use crate::counted;

/// `1285.3`.
pub(crate) fn figure(value: f64) -> String {
    format!("{value:.1}")
}

/// Tenths that [`figure`] shows: what looks equal is equal.
pub(crate) fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

/// `+1.9 %`; a change that rounds to nothing has no sign.
pub(crate) fn signed_pct(value: f64) -> String {
    match format!("{value:+.1}").as_str() {
        "+0.0" | "-0.0" => "0.0 %".to_owned(),
        text => format!("{} %", text.replace('-', "−")),
    }
}

/// Median goodput; empty when nothing was run.
pub(crate) fn goodput(goodput: &Goodput) -> String {
    if goodput.runs == 0 { String::new() } else { figure(goodput.median) }
}

/// `1278.4–1290.2`; empty for a single run, which has no range.
pub(crate) fn range(goodput: &Goodput) -> String {
    if goodput.runs < 2 { String::new() } else { format!("{}–{}", figure(goodput.low), figure(goodput.high)) }
}

/// Cell of the headroom: the excess of the goodput over the application's need.
pub(crate) fn headroom(record: &Record, need_kbps: Option<(f64, f64)>) -> String {
    let Some((least, most)) = need_kbps.filter(|(least, _)| *least > 0.0 && record.goodput_kbps.runs > 0) else {
        return String::new();
    };
    let median = record.goodput_kbps.median;
    if most > least {
        return format!("{:.1} to {:.1} times", median / most, median / least);
    }
    signed_pct(100.0 * (median - least) / least)
}

/// Cell of the goodput that the senders' stacks took, where it is not the one that arrived.
pub(crate) fn accepted(record: &Record) -> String {
    record.accepted_kbps.map(figure).unwrap_or_default()
}

/// Cell of the RAM that buffers take of the host and of the co-processor, in 10³ octets.
pub(crate) fn ram(record: &Record) -> String {
    let of = |chip: &str| {
        let classes = record.ram.iter().filter(|ram| ram.chip == chip);
        figure(classes.map(|ram| ram.octets).sum::<u64>() as f64 / 1e3)
    };
    if record.ram.is_empty() { String::new() } else { format!("{}, {}", of("host"), of("co-processor")) }
}

/// Tells if the record is of a link that carries IP.
fn carries_ip(record: &Record) -> bool {
    links::find(&record.link).is_some_and(|link| !link.traffic().is_empty())
}

/// `~530 kbps`; empty when no figure was published.
pub(crate) fn measured(measured: Option<&Measured>) -> String {
    let Some(measured) = measured else { return String::new() };
    format!("{}{} {}", if measured.approx { "~" } else { "" }, measured.value, measured.unit)
}

/// The lab's figure in the unit of the measured one; its goodput where nothing was published; nothing where the lab has no
/// such figure, for a goodput beside megabytes would be taken for one.
pub(crate) fn lab(record: &Record) -> String {
    let Some(lab) = &record.lab else {
        return if record.measured.is_some() { String::new() } else { goodput(&record.goodput_kbps) };
    };
    if record.unlogged.is_empty() {
        return figure(lab.value);
    }
    format!("{} ({}–{})", figure(lab.value), figure(lab.low), figure(lab.high))
}

/// `error_pct` with its sign.
pub(crate) fn error(record: &Record) -> String {
    record.error_pct.map(signed_pct).unwrap_or_default()
}

/// `conn_interval 7.5ms: 30ms by iphone`, for every key whose value in effect is not the one asked for.
pub(crate) fn asked(record: &Record) -> String {
    let one = |asked: &Asked| {
        let key = asked.key.rsplit('.').next().unwrap_or(&asked.key);
        let granted = if asked.granted.is_null() { "nothing".to_owned() } else { value(&asked.granted) };
        let by = if asked.by.is_empty() { String::new() } else { format!(" by {}", asked.by) };
        format!("{key} {}: {granted}{by}", value(&asked.asked))
    };
    record.asked.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Exchanges per connection event, where they were counted.
pub(crate) fn exchanges_per_event(record: &Record) -> String {
    counted::exchanges_per_event(record).map(|n| format!("{n:.2}")).unwrap_or_default()
}

/// The sentence on what limits the run, or how the run failed; with its reason where the sentence begins with that.
pub(crate) fn says(record: &Record) -> String {
    let (outcome, says) = (&record.outcome, &record.bottleneck.says);
    let has_reason = says.get(..outcome.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(outcome));
    if failed(record) && !has_reason { outcome.clone() } else { says.clone() }
}

/// True if the run ended otherwise than it should. A link that was lost and came back is `ok after` its reason.
pub fn failed(record: &Record) -> bool {
    !(record.outcome.is_empty() || record.outcome.starts_with("ok"))
}

/// A parameter's value as it is written in a plan, without the quotation marks.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Delays of IP packets through a tunnel, half and nearly all of which are shorter.
pub(crate) fn delay(record: &Record) -> String {
    let of_tunnel = record.latency_ms.filter(|_| carries_ip(record));
    of_tunnel.map(|latency| format!("{}, {}", figure(latency.p50), figure(latency.p99))).unwrap_or_default()
}

/// Cell of the time by which a bounded test overruns, in s, where it was waited for.
pub(crate) fn overrun(record: &Record) -> String {
    record.counters.get("overrun_ns").map(|ns| format!("{:.2}", *ns as f64 / 1e9)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_its_reason_where_its_sentence_has_it() {
        let mut record = Record { outcome: "nothing arrived".into(), ..Record::default() };
        record.bottleneck.says = "Nothing arrived: no frame was sent.".into();
        assert_eq!(says(&record), "Nothing arrived: no frame was sent.");
        record.bottleneck.says = "40 % of the air: headers.".into();
        assert_eq!(says(&record), "nothing arrived");
        record.outcome = "ok".into();
        assert_eq!(says(&record), "40 % of the air: headers.");
    }

    #[test]
    fn changes_carry_their_sign() {
        assert_eq!(signed_pct(1.88), "+1.9 %");
        assert_eq!(signed_pct(-12.0), "−12.0 %");
        assert_eq!(signed_pct(-0.04), "0.0 %");
    }
}
