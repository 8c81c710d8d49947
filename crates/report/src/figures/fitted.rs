//! Fit of device models: known devices by their errors, and the measured figures beside those of the one that fits best.

use std::collections::BTreeMap;

use airtime_figures::{Band, Dot, Figure, Row, Rows};
use airtime_study::fit::{Fitted, Given, Ranked};

use super::grid::{ROWS_MAX, left_out};
use crate::fit::{RANKS_SHOWN, conclusion, repeatability};

/// Error of a point that a device cannot be at, in per cent.
const NOTHING_PCT: f64 = -100.0;

/// Figures of a fit: a row for each of the first known devices, and for each unit the measured figures beside those of the device that was
/// found, or of the best known one.
pub fn fitted(found: &Fitted) -> Vec<Figure> {
    let known = found.ranking.first().map(|best| (best.device.clone(), best));
    let own = found.device.as_ref().map(|device| (format!("like {}, fitted", device.base), &device.errors));
    let points = own.or(known).map(|(name, errors)| points(found, &name, errors)).unwrap_or_default();
    [ranks(found)].into_iter().chain(points).collect()
}

fn ranks(found: &Fitted) -> Figure {
    let own = found.device.as_ref().map(|device| row(format!("like {}, fitted", device.base), &device.errors));
    let known = found.ranking.iter().take(RANKS_SHOWN).map(|one| row(one.device.clone(), one));
    let more = found.ranking.len().saturating_sub(RANKS_SHOWN);
    let behind = if more > 0 { format!("; {more} more devices are behind these") } else { String::new() };
    Figure::Rows(Rows {
        title: conclusion(found),
        subtitle: format!("{}, {}: {}{behind}", found.plan, found.end, repeatability(found)),
        axis: "absolute error (%): median, least and largest over the points".to_owned(),
        legend: vec!["absolute error in %".to_owned()],
        band: Some(Band {
            low: 0.0,
            high: found.noise_pct,
            says: format!("up to the repeatability, {:.2} %", found.noise_pct),
        }),
        rows: own.into_iter().chain(known).collect(),
    })
}

fn row(name: String, errors: &Ranked) -> Row {
    let all = || errors.errors_pct.iter().map(|error| error.abs());
    let least = all().fold(f64::INFINITY, f64::min);
    let range = Some((least, errors.worst_abs_error_pct)).filter(|(least, worst)| least < worst);
    let fits = match (&errors.impossible, errors.fits) {
        (Some(_), _) => "cannot be",
        (None, true) => "fits",
        (None, false) => "does not fit",
    };
    Row {
        name,
        // The errors of one that cannot be there are none that it has.
        dots: vec![errors.impossible.is_none().then_some(Dot { value: errors.median_abs_error_pct, range })],
        says: format!("{:.2} %, {fits}", errors.median_abs_error_pct),
    }
}

/// A figure for each unit: what is in another is not compared on one axis.
fn points(found: &Fitted, name: &str, errors: &Ranked) -> Vec<Figure> {
    let mut units: BTreeMap<&str, Vec<(&Given, f64)>> = BTreeMap::new();
    for (point, error) in found.points.iter().zip(&errors.errors_pct) {
        units.entry(&point.unit).or_default().push((point, *error));
    }
    let figure = |(unit, rows): (&str, Vec<(&Given, f64)>)| {
        Figure::Rows(Rows {
            title: format!(
                "{name}: median error {:.2} %, largest {:.2} %",
                errors.median_abs_error_pct, errors.worst_abs_error_pct
            ),
            subtitle: format!("{} measured figures{}", rows.len(), left_out(rows.len())),
            axis: format!("measured and lab ({unit})"),
            legend: vec!["measured".to_owned(), name.to_owned()],
            band: None,
            rows: rows.iter().take(ROWS_MAX).map(|(point, error)| beside(point, *error)).collect(),
        })
    };
    units.into_iter().map(figure).collect()
}

fn beside(point: &Given, error_pct: f64) -> Row {
    let dot = |value: f64| Dot { value: (value * 1e3).round() / 1e3, range: None };
    let lab = point.measured * (1.0 + error_pct / 100.0);
    Row {
        name: point.id.clone(),
        dots: vec![Some(dot(point.measured)), (error_pct > NOTHING_PCT).then(|| dot(lab))],
        says: if error_pct > NOTHING_PCT { format!("{error_pct:+.2} %") } else { "nothing".to_owned() },
    }
}
