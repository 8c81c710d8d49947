//! Advice for `sdkconfig` from an explanation: the lines that must stay as they are, and those that do not matter.
//!
//! Nothing is known beforehand: a line is worth what the run with it came to. Those that gain are in the [block](super::block).

use std::sync::LazyLock;

use crate::links;
use crate::plan::Point;
use crate::schema::{self, Key};

use super::block::option_line;
use super::{Candidate, GAIN_MIN_PCT};

/// Number of lines to keep that are shown with what another value costs.
const KEEPS_SHOWN: usize = 4;

/// A change, and its gain in percent.
pub type Tried<'a> = (&'a Candidate, f64);

/// Tells if the key of this name has a line in an `sdkconfig`.
pub fn has_line(name: &str) -> bool {
    keys().iter().any(|key| key.name == name)
}

/// The changes that cost most among those `tried` at keys with a line, none of which gains: they tell what their lines must not become.
/// The nearest of each key, the worst first.
fn harmful<'a>(tried: &[Tried<'a>]) -> Vec<Tried<'a>> {
    let mut worst: Vec<Tried<'a>> = Vec::new();
    for key in keys() {
        let own: Vec<Tried<'a>> = tried.iter().filter(|(candidate, _)| candidate.key == key.name).copied().collect();
        let gains = own.iter().any(|(_, gain)| *gain >= GAIN_MIN_PCT);
        // The nearest of them, for that is the change that somebody might make.
        let harmful = own.into_iter().filter(|(_, gain)| *gain <= -GAIN_MIN_PCT).min_by_key(|(one, _)| one.rung);
        worst.extend(harmful.filter(|_| !gains));
    }
    worst.sort_by(|a, b| a.1.total_cmp(&b.1));
    worst.truncate(KEEPS_SHOWN);
    worst
}

/// The lines of `sdkconfig` at the end of an explanation of `point`: those that must stay, with what another value costs, and those of
/// keys of which nothing `tried` made a difference. Nothing for links without an `sdkconfig`.
pub fn advice(point: &Point, tried: &[Tried<'_>]) -> Vec<String> {
    let now =
        |key: &Key| point.scenario.params.get(key.name).and_then(|value| option_line(&point.scenario, key, value));
    let keep = |(candidate, gain): &Tried<'_>| {
        let key = schema::find(candidate.key)?;
        let (side, text) = now(key)?;
        let (_, other) = option_line(&point.scenario, key, candidate.point.scenario.params.get(candidate.key)?)?;
        Some(format!("{text}  # {}: keep it, {} gives {gain:+.1} %", side.name(), instead(&text, &other)))
    };
    let mut lines: Vec<String> = harmful(tried).iter().filter_map(keep).collect();
    let matters = |key: &Key| {
        let mut own = tried.iter().filter(|(candidate, _)| candidate.key == key.name).peekable();
        own.peek().is_none() || own.any(|(_, gain)| gain.abs() >= GAIN_MIN_PCT)
    };
    let same: Vec<String> = keys().iter().filter(|key| !matters(key)).filter_map(|key| Some(now(key)?.1)).collect();
    if !same.is_empty() {
        lines.push(format!("# no difference of {GAIN_MIN_PCT} % here: {}", same.join(", ")));
    }
    if !lines.is_empty() {
        lines.extend(point.scenario.remarks());
    }
    lines
}

/// Keys that have a line which is said to be kept, once each.
fn keys() -> &'static [&'static Key] {
    static KEYS: LazyLock<Vec<&'static Key>> = LazyLock::new(|| {
        let kept = links::ALL.iter().filter_map(|link| link.configurations()).flat_map(|own| own.kept());
        let mut keys: Vec<&'static Key> = kept.map(|(key, _)| key).collect();
        keys.dedup_by_key(|key| key.name);
        keys
    });
    &KEYS
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

    /// Advice for a plan whose changes gain what `gain` says of them, in short runs and long ones.
    fn advised(text: &str, gain: fn(&str) -> f64) -> Vec<String> {
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        let candidates = candidates(&plan, &point);
        let tried: Vec<Tried<'_>> = candidates.iter().map(|candidate| (candidate, gain(&candidate.set))).collect();
        advice(&point, &tried)
    }

    #[test]
    fn lines_are_sorted_by_what_their_runs_came_to() {
        let text = "link = \"wifi-hosted\"\n[traffic]\nkind = \"tcp\"\n[lwip]\nrto_time = \"300ms\"\nso_sndbuf = \"131072B\"\n";
        let lines = advised(text, |set| match set {
            "lwip.rto_time=1.5s" => 50.0,
            "lwip.rto_time=3s" => -45.0,
            "lwip.snd_buf=5760" => -75.0,
            "hosted.sdio_lines=1" => -80.0,
            _ => 0.0,
        });
        assert_eq!(
            lines[0],
            "CONFIG_ESP_HOSTED_SDIO_4_BIT_BUS=y  # host: keep it, CONFIG_ESP_HOSTED_SDIO_1_BIT_BUS=y gives -80.0 %"
        );
        assert_eq!(lines[1], "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534  # host: keep it, 5760 gives -75.0 %");
        assert!(lines[2].starts_with("# no difference of 1 % here: "), "{lines:?}");
        assert!(lines[2].contains("CONFIG_WIFI_RMT_RX_BA_WIN=32"), "{lines:?}");
        assert!(!lines[2].contains("RTO_TIME"), "what gains is no line to keep: {lines:?}");
        assert!(lines[3].starts_with("# SO_SNDBUF (131072B) has no effect"), "{lines:?}");
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn other_links_have_no_sdkconfig() {
        assert!(advised("", |_| -50.0).is_empty());
    }
}
