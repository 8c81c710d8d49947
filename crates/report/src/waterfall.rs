//! Waterfall of the air, from the PHY's rate down to goodput, as a table with bars.

use airtime_lab::explain::{Block, Cause, Change, Limit, Rung, Stopped, Together};
use airtime_lab::record::Asked;
use airtime_lab::{Record, links};
use serde::Serialize;

use crate::cells::{self, figure};
use crate::explanation::to_paste;
use crate::ram::ram;
use crate::rungs;
use crate::{Align, Spot, Table, Tone};
use crate::{calls, counted, links as shared};

/// Blocks of a bar that stands for the PHY's whole rate.
const BAR: u64 = 40;

/// Waterfall of a run: the accounts of its air, and the changes that would gain.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Waterfall {
    /// Name of the run.
    pub title: String,
    /// The PHY's rate, 10³ bit/s.
    pub phy_kbps: f64,
    /// The accounts that took air, in the order they are to be shown; goodput is what they leave.
    pub steps: Vec<Step>,
    /// Goodput, 10³ bit/s of application payload.
    pub goodput_kbps: f64,
    /// Plain facts, a line each: exchanges per event, what ended the events, credit round trips.
    pub facts: Vec<String>,
    /// Rungs that somebody can turn, each with those before it, as changes of the run.
    pub changes: Vec<Change>,
    /// Verdict on the limit of the run, in one sentence.
    pub verdict: String,
    /// Conclusion from the changes, in one sentence; empty when none was run.
    pub conclusion: String,
    /// Lines of `sdkconfig` that follow from them, if the link has one.
    pub config: Vec<String>,
    /// Effects of faster machines, a sentence each, though nobody can turn them.
    pub machine: Vec<String>,
    /// All of those together, where there are several.
    pub together: Option<Together>,
    /// Those as lines to paste.
    pub paste: Vec<Block>,
    /// Extent of the search for changes, if it was stopped from outside.
    pub stopped: Option<Stopped>,
    /// Cause of what is lost; none where nothing gains.
    pub cause: Option<Cause>,
    /// The ladder: rung upon rung from this run to its limit.
    pub ladder: Vec<Rung>,
    /// End of the ladder; none where nothing was searched.
    pub limit: Option<Limit>,
}

/// Step of the waterfall: the share of one account.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Step {
    /// Name of the account.
    pub account: String,
    /// Air booked to it, in nanoseconds.
    pub ns: u64,
    /// Its share of the air, 0 to 1.
    pub share: f64,
    /// Cost of the account, 10³ bit/s.
    pub kbps: f64,
}

impl Waterfall {
    /// Waterfall of the record's steady state: its goodput is what payload is booked for, and every other account took something
    /// from the PHY's rate, the largest first. Where several links share a radio, it is that of the slowest. A run of which nothing
    /// went by air has no PHY's rate to begin with.
    pub fn of(record: &Record) -> Self {
        let link = links::find(&record.link);
        let slowest = shared::slowest(record);
        let books = slowest.map_or(&record.steady_ledger_ns, |link| &link.steady_ledger_ns);
        let told = record.told();
        let total: u64 = books.iter().map(|(_, ns)| *ns).sum();
        let phy_kbps = link.filter(|_| total > 0).map_or(0.0, |link| link.phy_kbps(&told));
        let share = |ns: u64| if total == 0 { 0.0 } else { ns as f64 / total as f64 };
        let booked = books.iter().filter(|(_, ns)| **ns > 0);
        let (payload, mut others): (Vec<_>, Vec<_>) = booked.partition(|(account, _)| account.starts_with("payload"));
        others.sort_by_key(|(_, ns)| std::cmp::Reverse(**ns));
        let step = |(account, ns): (&str, &u64)| Step {
            account: account.to_owned(),
            ns: *ns,
            share: share(*ns),
            kbps: phy_kbps * share(*ns),
        };
        let carried = phy_kbps * share(payload.into_iter().map(|(_, ns)| *ns).sum());
        let goodput_kbps = slowest.map_or(record.goodput_kbps.median, |link| link.goodput_kbps);
        Self {
            title: slowest.map_or_else(|| record.label.clone(), |link| shared::title(record, link)),
            phy_kbps,
            steps: others.into_iter().map(step).collect(),
            goodput_kbps,
            facts: [
                calls::facts(record),
                record.asked.iter().map(Asked::says).collect(),
                // What was counted is of the first link.
                match slowest {
                    Some(_) => shared::facts(record),
                    None => link.map(|link| link.facts(&told)).unwrap_or_default(),
                },
                counted::overrun(record).into_iter().collect(),
                (phy_kbps > 0.0).then(|| apart(record, carried, goodput_kbps)).flatten().into_iter().collect(),
                ram(record),
            ]
            .concat(),
            verdict: slowest.map_or_else(|| cells::says(record), shared::verdict),
            ..Self::default()
        }
    }
}

/// Difference of goodput and books from which on it is told: a hundredth, *assumed*. Less is a packet at either end.
const APART: f64 = 0.01;

/// Remark on books of which payload is not the goodput: that of one of two runs in the middle, or of a time in which more arrived
/// than was on the air.
fn apart(record: &Record, carried: f64, goodput: f64) -> Option<String> {
    if (carried - goodput).abs() <= goodput * APART + 0.05 {
        return None;
    }
    Some(match record.goodput_kbps.runs {
        0 | 1 => format!(
            "of the goodput {} kbps had been on the air before the time that is measured",
            figure(goodput - carried)
        ),
        runs => format!("the accounts are those of one of {runs} runs, with {} kbps", figure(carried)),
    })
}

/// `waterfall` as a table; facts, changes and verdict are remarks.
pub fn waterfall(waterfall: &Waterfall) -> Table {
    let mut table = Table::new(&waterfall.title);
    let steps = &waterfall.steps;
    let by_air = waterfall.phy_kbps > 0.0;
    let ends = |first: &str, cells: Vec<String>, last: &str| -> Vec<String> {
        [if by_air { vec![first.to_owned()] } else { Vec::new() }, cells, vec![last.to_owned()]].concat()
    };
    let of_steps = |cell: &dyn Fn(&Step) -> String| steps.iter().map(cell).collect::<Vec<_>>();
    let share = |rate: f64| if by_air { format!("{:.1} %", 100.0 * rate / waterfall.phy_kbps) } else { String::new() };
    table.column("account", Align::Left, ends("PHY rate", of_steps(&|s| s.account.clone()), "goodput"));
    table.column(
        "kbps",
        Align::Right,
        ends(
            &figure(waterfall.phy_kbps),
            of_steps(&|s| format!("−{}", figure(s.kbps))),
            &figure(waterfall.goodput_kbps),
        ),
    );
    table.column(
        "share",
        Align::Right,
        ends("100.0 %", of_steps(&|s| format!("{:.1} %", 100.0 * s.share)), &share(waterfall.goodput_kbps)),
    );
    // Bars say nothing that the shares do not.
    table.detail_if_any("", Align::Left, if by_air { bars(waterfall) } else { vec![String::new()] });
    // The largest account stands right below the rate of the PHY, and what is left of it at the end.
    let cause = (!steps.is_empty()).then_some((1, Tone::Cause));
    for (row, tone) in cause.into_iter().chain([(steps.len() + usize::from(by_air), Tone::Headline)]) {
        table.tones.extend((0..3).map(|column| (Spot::Cell(row, column), tone)));
    }
    if !by_air {
        table.remarks.push("there are no accounts: nothing was carried by air".to_owned());
    }
    table.remarks.extend(waterfall.facts.iter().cloned());
    if !waterfall.verdict.is_empty() {
        table.remark(waterfall.verdict.clone(), Tone::Cause);
    }
    rungs::ladder(waterfall, &mut table);
    if !waterfall.conclusion.is_empty() {
        table.remarks.push(waterfall.conclusion.clone());
    }
    table.remarks.extend(to_paste(waterfall));
    if !waterfall.config.is_empty() {
        table.remarks.push("sdkconfig besides, from runs of one change at a time:".to_owned());
        table.remarks.extend(waterfall.config.iter().map(|line| format!("  {line}")));
    }
    if !waterfall.machine.is_empty() {
        table.remarks.push("what nobody can turn:".to_owned());
        table.remarks.extend(waterfall.machine.iter().map(|line| format!("  {line}")));
    }
    table
}

/// Each account's bar begins where what is left after it ends.
fn bars(waterfall: &Waterfall) -> Vec<String> {
    let blocks = |kbps: f64| {
        let share = if waterfall.phy_kbps > 0.0 { kbps / waterfall.phy_kbps } else { 0.0 };
        ((share.clamp(0.0, 1.0) * BAR as f64).round() as u64) as usize
    };
    let mut bars = vec!["█".repeat(blocks(waterfall.phy_kbps))];
    let mut left = waterfall.phy_kbps;
    for step in &waterfall.steps {
        let before = blocks(left);
        left -= step.kbps;
        let after = blocks(left);
        // What costs anything at all is seen, and what costs less than half a block is not rounded up to one.
        let whole = before > after && blocks(step.kbps) > 0;
        let bar = if whole { "█".repeat(before - after) } else { "▏".to_owned() };
        bars.push(format!("{}{bar}", "·".repeat(after)));
    }
    bars.push("█".repeat(blocks(waterfall.goodput_kbps)));
    bars
}
