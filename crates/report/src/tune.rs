//! Outcome of a search in every form: tables for people, a document, lines for a spreadsheet.

use airtime_lab::explain::gained;
use airtime_lab::tune::{SCHEMA, Tried, Tuned};
use serde::Serialize;

use crate::tone::Tone;
use crate::{Align, Table, Weight};

/// Document that `airtime tune --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneDocument<'a> {
    /// Schema of the document: always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub airtime: &'static str,
    /// Outcome of the search.
    #[serde(flatten)]
    pub tuned: &'a Tuned,
}

impl<'a> TuneDocument<'a> {
    /// Document of what was found.
    pub const fn of(tuned: &'a Tuned) -> Self {
        Self { schema: SCHEMA, airtime: env!("CARGO_PKG_VERSION"), tuned }
    }
}

/// Tables for people: the best points, those a step away from the best, and those of which none is better in goodput and delay.
pub fn tuned(found: &Tuned, quiet: bool) -> Vec<Table> {
    let mut best = best(found);
    if !quiet {
        best.remark(conclusion(found), Tone::Gain);
        best.remarks.push(extent(found));
    } else if found.stopped {
        best.remarks.push(extent(found));
    }
    let mut tables = vec![best];
    if !found.around.is_empty() {
        tables.push(around(found));
    }
    // One point is no choice.
    if found.front.len() > 1 {
        tables.push(front(found));
    }
    if let (false, Some(last)) = (found.paste.is_empty(), tables.last_mut()) {
        last.remarks.push("to paste:".to_owned());
        for block in &found.paste {
            last.remarks.push(format!("  # {}", block.to));
            last.remarks.extend(block.lines.iter().map(|line| format!("  {line}")));
        }
    }
    tables
}

/// The sentence on the best point.
pub fn conclusion(found: &Tuned) -> String {
    let Some(best) = &found.best else {
        let limits = if found.limits.is_empty() {
            "has the figure".to_owned()
        } else {
            format!("keeps to {}", found.limits.join(", "))
        };
        return format!("none of {} points {limits}", found.tried);
    };
    let value =
        |goal: Option<f64>| goal.map(|goal| format!("{} {}", figure(goal, found.unit), found.unit)).unwrap_or_default();
    if best.set.is_empty() {
        return format!("the plan as it is has the best {}: {}", found.goal, value(best.goal));
    }
    let against = match (found.today.goal, best.goal) {
        (Some(was), Some(is)) if found.unit == "kbps" => format!(", {} (today {})", gained(was, is), value(Some(was))),
        (Some(was), Some(_)) => format!(" (today {})", value(Some(was))),
        _ => " (nothing today)".to_owned(),
    };
    format!("best {}: {}{against} with --set {}", found.goal, value(best.goal), best.set.join(" --set "))
}

/// Sentence on the part of the space that was run.
pub(crate) fn extent(found: &Tuned) -> String {
    let Tuned { tried, points, exhaustive, stopped, .. } = found;
    match (exhaustive, stopped) {
        (true, _) => format!("all {points} points were run: nothing in this space is better"),
        (_, true) => format!("stopped: {tried} of {points} points were run, and a better one may be among the others"),
        (false, false) => {
            format!(
                "{tried} of {points} points were run, by coordinate descent from several starts: a better one is not ruled out"
            )
        }
    }
}

pub(crate) fn figure(value: f64, unit: &str) -> String {
    match unit {
        "kbps" => format!("{value:.1}"),
        "octets" => format!("{value:.0}"),
        _ => format!("{value:.3}"),
    }
}

pub(crate) fn settings(tried: &Tried) -> String {
    if tried.set.is_empty() { "as it is".to_owned() } else { tried.set.join(" ") }
}

/// Columns of points: their figures, and what is set.
fn points(title: String, found: &Tuned, rows: &[(&str, &Tried)]) -> Table {
    let mut table = Table::new(title);
    table.column("", Align::Left, rows.iter().map(|(mark, _)| *mark));
    let of = |value: Option<f64>, unit: &str| value.map(|value| figure(value, unit)).unwrap_or_else(|| "-".to_owned());
    if !["goodput", "delay_p99", "ram"].contains(&found.goal.as_str()) {
        let heading = format!("{} {}", found.goal, found.unit);
        table.column(heading.trim(), Align::Right, rows.iter().map(|(_, tried)| of(tried.goal, found.unit)));
    }
    table.column("goodput kbps", Align::Right, rows.iter().map(|(_, tried)| of(tried.goodput_kbps, "kbps")));
    let delay = |tried: &Tried| tried.delay_p99_ms.map(|ms| figure(ms, "ms")).unwrap_or_default();
    table.column_if_any("delay p99 ms", Align::Right, rows.iter().map(|(_, tried)| delay(tried)));
    let ram = |tried: &Tried| tried.ram_octets.map(|octets| figure(octets, "octets")).unwrap_or_default();
    table.column_if_any("RAM octets", Align::Right, rows.iter().map(|(_, tried)| ram(tried)));
    table.column("set", Align::Left, rows.iter().map(|(_, tried)| settings(tried)));
    table.column_if_any("breaks", Align::Left, rows.iter().map(|(_, tried)| tried.broken.join(", ")));
    table.weigh("breaks", Weight::Note);
    table
}

fn best(found: &Tuned) -> Table {
    let today = [("today", &found.today)];
    let best = found.best.iter().map(|best| ("best", best));
    let others = found.runners_up.iter().map(|tried| ("", tried));
    let rows: Vec<(&str, &Tried)> = today.into_iter().chain(best).chain(others).collect();
    points(format!("{}: best {}", found.plan, found.goal), found, &rows)
}

fn around(found: &Tuned) -> Table {
    let mut table = Table::new("a step away from the best");
    let rows = &found.around;
    let change = |pct: Option<f64>| pct.map(|pct| format!("{pct:+.1} %")).unwrap_or_else(|| "-".to_owned());
    let heading = format!("{} {}", found.goal, found.unit);
    table.column("set", Align::Left, rows.iter().map(|row| &row.set));
    let value =
        |goal: Option<f64>| goal.map(|goal| figure(goal, found.unit)).unwrap_or_else(|| "impossible".to_owned());
    table.column(heading.trim(), Align::Right, rows.iter().map(|row| value(row.goal)));
    table.column("change", Align::Right, rows.iter().map(|row| change(row.change_pct)));
    let limits = |allowed: bool, goal: Option<f64>| if allowed || goal.is_none() { "" } else { "breaks a limit" };
    table.column_if_any("limits", Align::Left, rows.iter().map(|row| limits(row.allowed, row.goal).to_owned()));
    table
}

fn front(found: &Tuned) -> Table {
    let rows: Vec<(&str, &Tried)> = found.front.iter().map(|tried| ("", tried)).collect();
    let mut table = points("no point beats one of these in goodput, delay and RAM at once".to_owned(), found, &rows);
    // There is no mark in it.
    table.columns.remove(0);
    table.rows.iter_mut().for_each(|row| {
        let keep: Vec<bool> = (0..row.len()).map(|cell| cell > 0).collect();
        row.keep(&keep);
    });
    table
}

/// A line for each point that is told, with figures alone in the cells: for spreadsheets and data frames.
pub fn tuned_csv(found: &Tuned) -> Table {
    let named =
        |kind: &'static str, all: &[Tried]| all.iter().map(move |tried| (kind, tried.clone())).collect::<Vec<_>>();
    let mut rows = vec![("today", found.today.clone())];
    rows.extend(found.best.iter().map(|best| ("best", best.clone())));
    rows.extend(named("runner-up", &found.runners_up));
    rows.extend(named("front", &found.front));
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut table = Table::new("");
    table.column("kind", Align::Left, rows.iter().map(|(kind, _)| *kind));
    table.column(found.goal.clone(), Align::Left, rows.iter().map(|(_, tried)| number(tried.goal)));
    table.column("goodput_kbps", Align::Left, rows.iter().map(|(_, tried)| number(tried.goodput_kbps)));
    table.column("delay_p99_ms", Align::Left, rows.iter().map(|(_, tried)| number(tried.delay_p99_ms)));
    table.column("ram_octets", Align::Left, rows.iter().map(|(_, tried)| number(tried.ram_octets)));
    table.column("set", Align::Left, rows.iter().map(|(_, tried)| tried.set.join(" ")));
    table.column("breaks", Align::Left, rows.iter().map(|(_, tried)| tried.broken.join(", ")));
    table
}

#[cfg(test)]
mod tests {
    use airtime_lab::tune::Neighbour;

    use super::*;
    use crate::{Export, Text};

    fn tried(set: &[&str], kbps: f64, delay: f64) -> Tried {
        Tried {
            place: Vec::new(),
            set: set.iter().map(|set| (*set).to_owned()).collect(),
            goal: Some(kbps),
            goodput_kbps: Some(kbps),
            delay_p99_ms: Some(delay),
            ram_octets: None,
            broken: Vec::new(),
            outcome: "ok".into(),
        }
    }

    fn sample() -> Tuned {
        let best = tried(&["coc.sdu=495", "ble.phy=2M"], 600.0, 20.0);
        let around = Neighbour {
            key: "coc.sdu".into(),
            set: "coc.sdu=741".into(),
            goal: Some(590.0),
            change_pct: Some(-1.67),
            allowed: true,
        };
        Tuned {
            plan: "coc".into(),
            goal: "goodput".into(),
            unit: "kbps",
            limits: Vec::new(),
            free: Vec::new(),
            points: 40_000,
            tried: 300,
            exhaustive: false,
            today: tried(&[], 500.0, 30.0),
            gain_pct: Some(20.0),
            runners_up: vec![tried(&["coc.sdu=495"], 590.0, 15.0)],
            around: vec![around],
            front: vec![best.clone(), tried(&["coc.sdu=495"], 590.0, 15.0)],
            best: Some(best),
            paste: Vec::new(),
            stopped: false,
        }
    }

    #[test]
    fn people_read_the_best_and_how_sure_it_is() {
        let mut out = Vec::new();
        Text { width: Some(100), colour: false }.export_tables(&tuned(&sample(), false), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for part in [
            "best goodput: 600.0 kbps, +20.0 % (today 500.0 kbps) with --set coc.sdu=495 --set ble.phy=2M",
            "300 of 40000 points were run, by coordinate descent",
            "coc.sdu=741",
            "-1.7 %",
            "no point beats one of these in goodput, delay and RAM at once",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let nothing = Tuned { best: None, limits: vec!["loss < 1%".into()], ..sample() };
        assert_eq!(conclusion(&nothing), "none of 300 points keeps to loss < 1%");
        assert_eq!(tuned_csv(&sample()).rows.len(), 5);
    }
}
