//! Published measurements beside the lab's figures, a row each.

use std::borrow::Cow;
use std::collections::BTreeMap;

use airtime_figures::{Dot, Figure, Row, Rows};
use airtime_lab::Record;
use airtime_lab::record::{LabFigure, Measured};
use airtime_study::field::Totals;

use super::grid::{ROWS_MAX, left_out};
use crate::Shown;
use crate::cells;

/// Row that has both figures.
type Both<'a> = (&'a Record, &'a Measured, &'a LabFigure);

/// A figure for each unit: what is in another is not compared on one axis.
pub(super) fn figures(shown: &Shown) -> Vec<Figure> {
    let records: Vec<Cow<'_, Record>> = shown.document.records.iter().collect();
    let mut units: BTreeMap<&str, Vec<Both<'_>>> = BTreeMap::new();
    for record in &records {
        if let (Some(measured), Some(lab)) = (&record.measured, &record.lab) {
            units.entry(&measured.unit).or_default().push((record, measured, lab));
        }
    }
    let totals = Totals::of(&shown.document.records);
    units.into_iter().map(|(unit, rows)| of_unit(shown, &totals, unit, &rows)).collect()
}

fn of_unit(shown: &Shown, totals: &Totals, unit: &str, rows: &[Both<'_>]) -> Figure {
    let plan = &shown.document.plan;
    let title = match totals.median_abs_error_pct {
        // The totals are of all units.
        Some(median) if rows.len() * 2 > totals.rows => format!(
            "{plan}: {} of {} predicted rows within {:.0} %, median |error| {median:.1} %",
            totals.within_limit, totals.compared, totals.limit_pct
        ),
        _ => format!("{plan}: measured and lab in {unit}"),
    };
    let note = shown.document.note.as_deref().map(|note| format!("; {note}")).unwrap_or_default();
    Figure::Rows(Rows {
        title,
        subtitle: format!(
            "{} {} in {unit}{}{note}",
            rows.len(),
            if rows.len() == 1 { "row" } else { "rows" },
            left_out(rows.len())
        ),
        axis: format!("measured and lab ({unit})"),
        legend: vec!["measured".to_owned(), "lab".to_owned()],
        band: None,
        rows: rows.iter().take(ROWS_MAX).map(row).collect(),
    })
}

fn row((record, measured, lab): &Both<'_>) -> Row {
    let range = (lab.high > lab.low).then_some((lab.low, lab.high));
    Row {
        name: record.id.clone(),
        dots: vec![Some(Dot { value: measured.value, range: None }), Some(Dot { value: lab.value, range })],
        says: cells::error(record),
    }
}
