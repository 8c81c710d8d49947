//! Published measurements beside the lab's figures.

use std::borrow::Cow;

use airtime_lab::record::Narrowing;
use airtime_lab::{Document, Record, Verdict};
use airtime_study::field::{LIMIT_PCT, Totals};

use super::Shown;
use crate::cells;
use crate::table::{Align, Table, Weight};

/// A table per source, each with its own totals: links are not compared with one another.
pub(super) fn tables(shown: &[Shown]) -> Vec<Table> {
    let with_totals = |shown: &Shown| {
        let mut table = rows(&shown.document);
        table.remarks.extend(sums(&Totals::of(&shown.document.records)));
        table
    };
    shown.iter().map(with_totals).collect()
}

fn rows(document: &Document) -> Table {
    let records: Vec<Cow<'_, Record>> = document.records.iter().collect();
    let mut table = Table::new(&document.plan);
    table.column("row", Align::Left, records.iter().map(|r| r.id.as_str()));
    table.column("measured", Align::Right, records.iter().map(|r| cells::measured(r.measured.as_ref())));
    table.column("lab", Align::Right, records.iter().map(|r| cells::lab(r)));
    table.column("error", Align::Right, records.iter().map(|r| cells::error(r)));
    table.column_if_any("finding", Align::Left, records.iter().map(|r| r.finding.clone().unwrap_or_default()));
    table.column("verdict", Align::Left, records.iter().map(|r| verdict(r)));
    table.column_if_any("note", Align::Left, records.iter().map(|r| note(r)));
    table.weigh("note", Weight::Note);
    table.remarks.extend(document.note.clone());
    table
}

/// Verdict of the row's author; to predict another figure is no prediction.
fn verdict(record: &Record) -> String {
    let interval = record.lab.as_ref().filter(|_| !record.unlogged.is_empty()).zip(record.measured.as_ref());
    // The limit counts from the interval as it does from a figure.
    let held = interval.is_some_and(|(lab, measured)| {
        let nearest = measured.value.clamp(lab.low, lab.high.max(lab.low));
        100.0 * (nearest - measured.value).abs() <= LIMIT_PCT * measured.value
    });
    let missed = !held && record.error_pct.is_some_and(|error| error.abs() > LIMIT_PCT);
    match &record.verdict {
        Some(Verdict::Predicted) if missed => "missed".to_owned(),
        verdict => verdict.as_ref().map(ToString::to_string).unwrap_or_default(),
    }
}

/// Note of the row about itself: the failure of its run, the candidate that it is, and anything else.
fn note(record: &Record) -> String {
    let failure = cells::failed(record).then_some(record.outcome.as_str());
    let candidate = (record.verdict == Some(Verdict::Candidate)).then_some(record.label.as_str());
    let parts = failure.into_iter().chain(candidate).chain(record.note.as_deref()).map(str::to_owned);
    parts.chain(narrowed(record)).collect::<Vec<_>>().join("; ")
}

/// Measurement that would narrow the interval most.
fn narrowed(record: &Record) -> Option<String> {
    let Narrowing { key, low, high } = record.narrowed_by.as_ref()?;
    let shown = |low: f64, high: f64| format!("{}–{}", cells::figure(low), cells::figure(high));
    let left = shown(*low, *high);
    // Where even the best of them leaves all of the interval, there is nothing to advise.
    let whole = record.lab.as_ref().is_some_and(|lab| shown(lab.low, lab.high) == left);
    (!whole).then(|| format!("{key} measured would leave at most {left}"))
}

fn sums(totals: &Totals) -> Vec<String> {
    let mut lines = vec![format!(
        "rows: {} in all, {} predicted, {} candidate, {} contradicting, {} not modelled",
        totals.rows, totals.predicted, totals.candidates, totals.contradicting, totals.not_modelled
    )];
    if totals.intervals > 0 {
        lines.push(format!(
            "intervals over what was not logged: {}, the measured figure in {} of them; {} too wide to predict",
            totals.intervals, totals.inside, totals.not_predicted
        ));
    }
    if let (Some(median), Some(share)) = (totals.median_abs_error_pct, totals.within_limit_share) {
        lines.push(format!(
            "predicted: median |error| {median:.1} %, {} of {} within {:.0} % ({:.0} %)",
            totals.within_limit,
            totals.compared,
            totals.limit_pct,
            100.0 * share
        ));
    }
    if let (Some(worst), Some(row)) = (totals.worst_abs_error_pct, &totals.worst_row) {
        lines.push(format!("largest |error| {worst:.1} %: {row}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use airtime_lab::record::{LabFigure, Measured};

    use super::*;

    #[test]
    fn a_miss_is_no_prediction() {
        let row = |error_pct: f64, unlogged: bool, high: f64| {
            let lab = LabFigure { low: 10.0, high, ..LabFigure::default() };
            let ranges = [("path.rtt", [1.into(), 2.into(), 3.into()])].into_iter().filter(|_| unlogged).collect();
            let measured = Measured { value: 20.0, ..Measured::default() };
            let verdict = Some(Verdict::Predicted);
            let error_pct = Some(error_pct);
            Record {
                lab: Some(lab),
                measured: Some(measured),
                verdict,
                error_pct,
                unlogged: ranges,
                ..Record::default()
            }
        };
        assert_eq!(verdict(&row(-6.0, false, 10.0)), "predicted");
        assert_eq!(verdict(&row(446.0, false, 10.0)), "missed");
        assert_eq!(verdict(&row(40.0, true, 31.0)), "predicted", "its interval holds the measured figure");
        assert_eq!(verdict(&row(40.0, true, 19.0)), "predicted", "and one that ends 5 % below it is within the limit");
        assert_eq!(verdict(&row(40.0, true, 18.7)), "missed");
        let candidate = Record { verdict: Some(Verdict::Candidate), ..row(90.0, false, 10.0) };
        assert_eq!(verdict(&candidate), "candidate");
    }
}
