//! Figures of what is shown: records and explanations as the data that `airtime-figures` draws.

mod compared;
mod fitted;
mod grid;
mod kept;
mod measured;
mod page;
mod report;
mod run;
mod time_line;
mod tuned;
mod tunnel;

use airtime_figures::{Figure, Ladder, Rung as Drawn, Step as Fall, Waterfall as Falls};
use airtime_lab::Record;
use airtime_lab::explain::{Rung, gained};

use crate::{Explanation, Sheet, SheetKind, Waterfall};

pub use compared::compared;
pub use fitted::fitted;
pub use kept::documents;
pub use page::{answered_page, drawn_page, explained_page, page};
pub use report::{Subject, report};
pub use run::beside;
pub use time_line::time_line;
pub use tuned::tuned;
pub use tunnel::Tunnel;

/// Figures of `sheet`: a waterfall of a run, goodput over the key of a grid, measured against the lab.
pub fn figures(sheet: &Sheet) -> Vec<Figure> {
    let of = |shown| match sheet.kind {
        SheetKind::Field => measured::figures(shown),
        _ if shown.document.records.len() > 1 => grid::figures(shown),
        _ => shown.document.records.iter().flat_map(|record| run(&record)).collect(),
    };
    sheet.shown.iter().flat_map(of).collect()
}

/// Figures of an explanation: the waterfall of the run, and the ladder from it.
pub fn explained(explanation: &Explanation) -> Vec<Figure> {
    let waterfall = &explanation.waterfall;
    [Some(falls(waterfall)), ladder(waterfall)].into_iter().flatten().collect()
}

fn run(record: &Record) -> Vec<Figure> {
    [vec![fallen(record)], run::beside(record)].concat()
}

/// Waterfall of one run.
pub fn fallen(record: &Record) -> Figure {
    falls(&Waterfall::of(record))
}

/// The finding is the title; a run that none is known of has its name.
fn titled(waterfall: &Waterfall) -> (String, String) {
    let cause = waterfall.cause.as_ref().map(|cause| cause.says.as_str());
    match cause.unwrap_or(&waterfall.verdict) {
        "" => (waterfall.title.clone(), String::new()),
        verdict => (verdict.to_owned(), waterfall.title.clone()),
    }
}

fn falls(waterfall: &Waterfall) -> Figure {
    let (title, subtitle) = titled(waterfall);
    let step = |step: &crate::Step| Fall { account: step.account.clone(), kbps: step.kbps, share: step.share };
    let none = if waterfall.phy_kbps > 0.0 { "" } else { "; there are no accounts: nothing was carried by air" };
    Figure::Waterfall(Falls {
        title,
        subtitle: format!("{subtitle}{none}"),
        phy_kbps: waterfall.phy_kbps,
        steps: waterfall.steps.iter().map(step).collect(),
        goodput_kbps: waterfall.goodput_kbps,
    })
}

/// The ladder; none where nothing gains.
fn ladder(waterfall: &Waterfall) -> Option<Figure> {
    let (limit, first) = (waterfall.limit.as_ref()?, waterfall.ladder.first()?);
    let gain = gained(first.before_kbps, limit.goodput_kbps);
    Some(Figure::Ladder(Ladder {
        title: format!("From {:.1} to {:.1} kbps: {gain}", first.before_kbps, limit.goodput_kbps),
        subtitle: if first.worst_kbps.is_some() {
            "the sum over all links".to_owned()
        } else {
            waterfall.title.clone()
        },
        today_kbps: first.before_kbps,
        rungs: waterfall.ladder.iter().map(rung).collect(),
        limit: (limit.goodput_kbps, limit.says.clone()),
    }))
}

fn rung(rung: &Rung) -> Drawn {
    let changes: Vec<String> = rung.changes.iter().map(airtime_lab::explain::Turned::says).collect();
    let worst = rung.worst_kbps.map(|kbps| format!("; the worst link {kbps:.1} kbps"));
    Drawn {
        change: changes.join(", "),
        who: rung.turnable.then(|| format!("{}{}", rung.who(), worst.unwrap_or_default())),
        before_kbps: rung.before_kbps,
        kbps: rung.goodput_kbps,
        gain: gained(rung.before_kbps, rung.goodput_kbps),
        applied: rung.applied,
    }
}

#[cfg(test)]
mod tests;
