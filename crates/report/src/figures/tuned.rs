//! Best values of several keys: what goodput costs in delay, and the best points beside today's.

use airtime_figures::{Axis, Chart, Dot, Figure, Look, Mark, Row, Rows, Series};
use airtime_lab::compare::times;
use airtime_lab::tune::{Tried, Tuned};

use super::grid::DECADES;
use crate::tune::{conclusion, extent, figure, settings};

/// Figures of a search: the points of which none has both more goodput and less delay, where there are several; and a row each for
/// today's point, the best, and those behind it.
pub fn tuned(found: &Tuned) -> Vec<Figure> {
    let front = front(found);
    let rows = rows(found, if front.is_some() { behind(found) } else { finding(found) });
    front.into_iter().chain([rows]).collect()
}

/// Sentence on the best point: its settings, and what they come to beside today.
fn finding(found: &Tuned) -> String {
    let both = |best: &Tried| Some((best.goal?, found.today.goal.filter(|today| *today > 0.0)?));
    let Some(best) = found.best.as_ref().filter(|best| !best.set.is_empty()) else { return conclusion(found) };
    let Some((is, was)) = both(best) else { return conclusion(found) };
    let verb = if found.goal == "goodput" { "carries" } else { "has" };
    let within =
        if found.limits.is_empty() { String::new() } else { format!(", within {}", found.limits.join(" and ")) };
    format!("{} {verb} {} today's {}{within}", settings(best), times(is / was, None), found.goal)
}

/// Sentence on the point behind the best.
fn behind(found: &Tuned) -> String {
    match found.runners_up.first() {
        Some(second) if second.set.is_empty() => format!("The plan as it is comes second: {}", value(found, second)),
        Some(second) => format!("{} comes second: {}", settings(second), value(found, second)),
        None => format!("No other of {} points keeps to the limits", found.tried),
    }
}

fn value(found: &Tuned, tried: &Tried) -> String {
    let value = |goal: f64| format!("{} {}", figure(goal, found.unit), found.unit).trim_end().to_owned();
    tried.goal.map_or_else(|| tried.outcome.clone(), value)
}

fn front(found: &Tuned) -> Option<Figure> {
    if found.front.len() < 2 {
        return None;
    }
    // The front is told by goodput, from the most on; marks go from left to right.
    let front: Vec<Mark> = found.front.iter().rev().filter_map(mark).collect();
    let alone = |tried: &Tried| mark(tried).into_iter().collect::<Vec<Mark>>();
    let series = |name: &str, look: Look, marks: Vec<Mark>| Series { name: name.to_owned(), look, marks };
    let all = [
        series("Pareto front", Look::Line, front),
        series("today", Look::Marks, alone(&found.today)),
        series("best", Look::Marks, found.best.as_ref().map(alone).unwrap_or_default()),
    ];
    let series: Vec<Series> = all.into_iter().filter(|series| !series.marks.is_empty()).collect();
    let delays = || series.iter().flat_map(|series| &series.marks).map(|mark| mark.x);
    let (least, most) = (delays().fold(f64::INFINITY, f64::min), delays().fold(0.0, f64::max));
    let label = "99th percentile of the delay (ms)";
    Some(Figure::Chart(Chart {
        title: finding(found),
        subtitle: format!(
            "{}: {}. No point has both more goodput and less delay than one of the front",
            found.plan,
            extent(found)
        ),
        x: if least > 0.0 && most / least > DECADES { Axis::logarithmic(label) } else { Axis::linear(label) },
        y: Axis::linear("goodput (kbps)"),
        series,
    }))
}

/// Mark of a point that has both figures.
fn mark(tried: &Tried) -> Option<Mark> {
    let delay_ms = (tried.delay_p99_ms? * 1e3).round() / 1e3;
    Some(Mark { note: settings(tried), ..Mark::new(delay_ms, tried.goodput_kbps?) })
}

fn rows(found: &Tuned, title: String) -> Figure {
    let unit = if found.unit.is_empty() { String::new() } else { format!(" ({})", found.unit) };
    let row = |name: String, tried: &Tried| Row {
        name,
        dots: vec![tried.goal.map(|goal| Dot { value: (goal * 1e3).round() / 1e3, range: None })],
        says: value(found, tried),
    };
    let today = match found.today.broken.as_slice() {
        _ if found.best.as_ref().is_some_and(|best| best.set.is_empty()) => "today, and the best".to_owned(),
        [] => "today".to_owned(),
        broken => format!("today (breaks {})", broken.join(", ")),
    };
    // The point as the plan has it has a row already.
    let others = |tried: &&Tried| !tried.set.is_empty();
    let best = found.best.iter().filter(others).map(|best| row(format!("best: {}", settings(best)), best));
    let behind = found.runners_up.iter().filter(others).map(|tried| row(settings(tried), tried));
    Figure::Rows(Rows {
        title,
        subtitle: format!("{}: today, the best, and what is behind it; {}", found.plan, extent(found)),
        axis: format!("{}{unit}", found.goal),
        legend: vec![found.goal.clone()],
        band: None,
        rows: [row(today, &found.today)].into_iter().chain(best).chain(behind).collect(),
    })
}
