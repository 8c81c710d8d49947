//! The ladder of an explanation as lines: today, rung upon rung, the limit.

use airtime_lab::explain::{Rung, gained};

use crate::cells::figure;
use crate::{Table, Tone, Waterfall};

/// Adds the ladder of `waterfall` to the remarks of its table.
pub(crate) fn ladder(waterfall: &Waterfall, table: &mut Table) {
    let Some(limit) = &waterfall.limit else { return };
    if waterfall.ladder.is_empty() {
        return;
    }
    let today = waterfall.ladder.first().map_or(waterfall.goodput_kbps, |first| first.before_kbps);
    table.remarks.push(format!("today: {} kbps", figure(today)));
    for (index, (rung, (line, tone))) in waterfall.ladder.iter().zip(numbered(&waterfall.ladder)).enumerate() {
        table.remark(line, tone);
        // The first sentence is the cause, which stands above.
        if index > 0 && !rung.says.is_empty() {
            table.remarks.push(format!("     {}", rung.says));
        }
        if !rung.costs.is_empty() {
            table.remarks.push(format!("     costs: {}", rung.costs.join(", ")));
        }
    }
    let says = if limit.says.is_empty() { String::new() } else { format!("; {}", limit.says) };
    table.remark(format!("limit: {} kbps{says}", figure(limit.goodput_kbps)), Tone::Headline);
}

/// A line for each rung with its number and the account that it frees; one that nobody can turn has none.
fn numbered(ladder: &[Rung]) -> impl Iterator<Item = (String, Tone)> {
    lines(ladder, |rung| {
        let frees = rung.account.as_ref().map(|account| format!("; frees {account}")).unwrap_or_default();
        format!("{} ({}{frees})", line(rung), who(rung))
    })
}

/// The same without the account.
pub(crate) fn short(ladder: &[Rung]) -> impl Iterator<Item = (String, Tone)> {
    lines(ladder, |rung| format!("{} ({})", line(rung), who(rung)))
}

fn lines(ladder: &[Rung], line: impl Fn(&Rung) -> String) -> impl Iterator<Item = (String, Tone)> {
    let mut number = 0;
    ladder.iter().map(move |rung| {
        number += u32::from(rung.turnable);
        let head = if rung.turnable { format!("{number}.") } else { "–".to_owned() };
        let tone = if rung.turnable { Tone::Gain } else { Tone::Warning };
        (format!("  {head} {}", line(rung)), tone)
    })
}

fn who(rung: &Rung) -> String {
    if rung.turnable { rung.who() } else { "nobody can turn it".to_owned() }
}

/// `ble.data_length 27 → 251: 1311.9 kbps, +245.0 %`.
fn line(rung: &Rung) -> String {
    let changes: Vec<String> = rung.changes.iter().map(|turned| turned.says()).collect();
    let worst = match (rung.worst_before_kbps, rung.worst_kbps) {
        (Some(before), Some(worst)) if rung.evens => {
            format!(", the worst link {} → {} kbps", figure(before), figure(worst))
        }
        (_, worst) => worst.map(|worst| format!(", the worst link {}", figure(worst))).unwrap_or_default(),
    };
    let gain = gained(rung.before_kbps, rung.goodput_kbps);
    let figures = if gain.starts_with("from ") { gain } else { format!("{} kbps, {gain}", figure(rung.goodput_kbps)) };
    let only = if rung.applied { "" } else { "without it " };
    format!("{}: {only}{figures}{worst}", changes.join(", "))
}
