//! Explanation of the point that is asked about: the changes that would gain.

use std::sync::atomic::AtomicBool;

use airtime_lab::run;
use airtime_report::{Explanation, figures};
use airtime_study::{Depth, Seen};
use serde::Serialize;

use crate::Ask;

/// Explanation of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The document that `airtime explain --json` prints.
    pub explanation: Explanation,
    /// The ladder, as an element of SVG; empty where nothing gains.
    pub figure: String,
}

/// Explains the point that is asked about, and draws its ladder in a column of this `width`. `watch` is told how many runs were made.
///
/// Nothing stops it: whoever does not want the rest ends what it runs in.
///
/// # Errors
/// When the question makes no sense.
pub fn explain(ask: &Ask, width: f64, watch: &(dyn Fn(usize) + Sync)) -> Result<Found, String> {
    let asked = ask.read()?;
    let point = asked.point()?;
    let never = AtomicBool::new(false);
    let seen = |seen: &Seen<'_>| watch(seen.runs);
    let explained = airtime_study::explain(&asked.plan, &point, &Depth::default(), &run::record, &seen, &never);
    let explanation = Explanation::from(explained);
    // The first figure is the waterfall, which is there already.
    let figure = figures::explained(&explanation).iter().skip(1).map(|figure| figure.element_of(width)).collect();
    Ok(Found { explanation, figure })
}
