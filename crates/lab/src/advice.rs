//! Advice for `sdkconfig` from an explanation: the lines that change the result, and those that do not.
//!
//! Nothing is known beforehand: a line is worth what the run with it came to.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::explain::{Candidate, GAIN_MIN_PCT};
use crate::plan::Point;
use crate::record::{Record, error_pct};
use crate::schema::Key;
use crate::schema::sdkconfig::{OPTIONS, line};

/// The lines of `sdkconfig` at the end of an explanation of `base`, which `point` came to, from the changes that were `tried`:
/// what gains, what must stay as it is, what makes no difference. Nothing for links without an `sdkconfig`.
pub fn advice(point: &Point, base: &Record, tried: &[(Candidate, Record)]) -> Vec<String> {
    let mut worth: BTreeMap<&str, Vec<(f64, &Value)>> = BTreeMap::new();
    for (candidate, record) in tried {
        let value = candidate.point.scenario.params.get(candidate.key);
        let gain = error_pct(record.goodput_kbps.median, base.goodput_kbps.median);
        if let (Some(value), Some(gain)) = (value, gain) {
            worth.entry(candidate.key).or_default().push((gain, value));
        }
    }
    let (mut gains, mut keeps, mut same) = (Vec::new(), Vec::new(), Vec::new());
    let mut keys: Vec<&Key> = OPTIONS.iter().map(|(key, _)| *key).collect();
    keys.dedup_by_key(|key| key.name);
    for key in keys {
        let Some(found) = worth.get(key.name) else { continue };
        let best = found.iter().max_by(|a, b| a.0.total_cmp(&b.0)).expect("a key was tried at least once");
        let worst = found.iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a key was tried at least once");
        let now = point.scenario.params.get(key.name).and_then(|value| line(key, value));
        if best.0 >= GAIN_MIN_PCT {
            let Some((side, text)) = line(key, best.1) else { continue };
            gains.push((best.0, format!("{text}  # {}: {:+.1} %", side.name(), best.0)));
        } else if worst.0 <= -GAIN_MIN_PCT {
            let (Some((side, text)), Some((_, other))) = (now, line(key, worst.1)) else { continue };
            keeps.push(format!(
                "{text}  # {}: keep it, {} gives {:+.1} %",
                side.name(),
                instead(&text, &other),
                worst.0
            ));
        } else if let Some((_, text)) = now {
            same.push(text);
        }
    }
    gains.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut lines: Vec<String> = gains.into_iter().map(|(_, text)| text).collect();
    lines.extend(keeps);
    if !same.is_empty() {
        lines.push(format!("# no difference of {GAIN_MIN_PCT} % here: {}", same.join(", ")));
    }
    if !lines.is_empty() {
        lines.extend(point.scenario.remarks());
    }
    lines
}

/// Part of the line `other` in which it differs from `text`: the value, or all of it where another option says it.
fn instead<'a>(text: &str, other: &'a str) -> &'a str {
    match (text.split_once('='), other.split_once('=')) {
        (Some((name, _)), Some((same, value))) if name == same => value,
        _ => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::candidates;
    use crate::personality::Library;
    use crate::plan::Plan;
    use crate::record::Goodput;

    fn goodput(kbps: f64) -> Record {
        Record { goodput_kbps: Goodput { median: kbps, low: kbps, high: kbps, runs: 1 }, ..Record::default() }
    }

    #[test]
    fn lines_are_sorted_by_what_their_runs_came_to() {
        let text = "link = \"wifi-hosted\"\n[traffic]\nkind = \"tcp\"\n[lwip]\nrto_time = \"300ms\"\nso_sndbuf = \"131072B\"\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        let tried: Vec<(Candidate, Record)> = candidates(&plan, &point)
            .into_iter()
            .map(|candidate| {
                let kbps = match candidate.set.as_str() {
                    "lwip.rto_time=1.5s" => 30_000.0,
                    "lwip.rto_time=3s" => 29_000.0,
                    "lwip.snd_buf=5760" => 5_000.0,
                    _ => 20_000.0,
                };
                (candidate, goodput(kbps))
            })
            .collect();
        let lines = advice(&point, &goodput(20_000.0), &tried);
        assert_eq!(lines[0], "CONFIG_LWIP_TCP_RTO_TIME=1500  # host: +50.0 %");
        assert_eq!(lines[1], "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534  # host: keep it, 5760 gives -75.0 %");
        assert!(lines[2].starts_with("# no difference of 1 % here: "), "{lines:?}");
        assert!(lines[2].contains("CONFIG_WIFI_RMT_RX_BA_WIN=32"), "{lines:?}");
        assert!(lines[3].starts_with("# SO_SNDBUF (131072B) has no effect"), "{lines:?}");
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn what_was_tried_is_told_where_another_option_says_it() {
        let plan = Plan::parse("x.toml", "link = \"wifi-hosted\"\n", &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        let tried = |candidate: Candidate| {
            let kbps = if candidate.set == "hosted.sdio_lines=1" { 12_000.0 } else { 20_000.0 };
            (candidate, goodput(kbps))
        };
        let tried: Vec<(Candidate, Record)> = candidates(&plan, &point).into_iter().map(tried).collect();
        let keep =
            "CONFIG_ESP_HOSTED_SDIO_4_BIT_BUS=y  # host: keep it, CONFIG_ESP_HOSTED_SDIO_1_BIT_BUS=y gives -40.0 %";
        assert_eq!(advice(&point, &goodput(20_000.0), &tried)[0], keep);
    }

    #[test]
    fn other_links_have_no_sdkconfig() {
        let plan = Plan::parse("x.toml", "", &Library::builtin(), &[]).unwrap();
        assert!(advice(&plan.point(0).unwrap(), &goodput(1.0), &[]).is_empty());
    }
}
