//! Best values of several keys: what goodput costs in delay, and the best points beside today's.

use airtime_figures::{Axis, Chart, Dot, Figure, Look, Mark, Row, Rows, Series};
use airtime_lab::compare::times;
use airtime_lab::tune::{Tried, Tuned};

use super::grid::DECADES;
use crate::tune::{conclusion, extent, figure, settings};

/// Figures of a search: the points that none beats in goodput, delay and RAM at once, where there are several, with goodput over each of
/// the other two; and a row each for today's point, the best, and those behind it.
pub fn tuned(found: &Tuned) -> Vec<Figure> {
    let charts: Vec<Figure> = [DELAY, RAM].iter().filter_map(|cost| front(found, cost)).collect();
    let rows = rows(found, if charts.is_empty() { finding(found) } else { behind(found) });
    charts.into_iter().chain([rows]).collect()
}

/// Cost of goodput.
struct Cost {
    label: &'static str,
    /// Words for less of it.
    less: &'static str,
    of: fn(&Tried) -> Option<f64>,
}

const DELAY: Cost = Cost {
    label: "99th percentile of the delay (ms)",
    less: "less delay",
    of: |tried| Some((tried.delay_p99_ms? * 1e3).round() / 1e3),
};
const RAM: Cost = Cost { label: "buffers in RAM (octets)", less: "less RAM", of: |tried| tried.ram_octets };

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

/// Goodput of the points of the front over one cost of it; none where that is the same for all of them.
fn front(found: &Tuned, cost: &Cost) -> Option<Figure> {
    // Marks go from left to right.
    let mut all: Vec<(Mark, bool)> = Vec::new();
    let mut least = f64::INFINITY;
    for tried in &found.front {
        let Some(mark) = mark(tried, cost) else { continue };
        let is_edge = mark.x < least;
        least = least.min(mark.x);
        all.push((mark, is_edge));
    }
    all.sort_by(|(one, _), (other, _)| one.x.total_cmp(&other.x));
    let (edge, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, is_edge)| *is_edge);
    if edge.len() < 2 {
        return None;
    }
    let marks = |all: Vec<(Mark, bool)>| all.into_iter().map(|(mark, _)| mark).collect::<Vec<Mark>>();
    let alone = |tried: &Tried| mark(tried, cost).into_iter().collect::<Vec<Mark>>();
    let series = |name: &str, look: Look, marks: Vec<Mark>| Series { name: name.to_owned(), look, marks };
    let all = [
        series("Pareto front", Look::Line, marks(edge)),
        series("front by another cost", Look::Marks, marks(others)),
        series("today", Look::Marks, alone(&found.today)),
        series("best", Look::Marks, found.best.as_ref().map(alone).unwrap_or_default()),
    ];
    let series: Vec<Series> = all.into_iter().filter(|series| !series.marks.is_empty()).collect();
    let costs = || series.iter().flat_map(|series| &series.marks).map(|mark| mark.x);
    let (least, most) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
    Some(Figure::Chart(Chart {
        title: finding(found),
        subtitle: format!(
            "{}: {}. No point has both more goodput and {} than one on the line",
            found.plan,
            extent(found),
            cost.less
        ),
        x: if least > 0.0 && most / least > DECADES { Axis::logarithmic(cost.label) } else { Axis::linear(cost.label) },
        y: Axis::linear("goodput (kbps)"),
        series,
    }))
}

/// Mark of a point that has both figures.
fn mark(tried: &Tried, cost: &Cost) -> Option<Mark> {
    Some(Mark { note: settings(tried), ..Mark::new((cost.of)(tried)?, tried.goodput_kbps?) })
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
