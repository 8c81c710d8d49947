//! A run of the point that is asked about.

use airtime_figures::Figure;
use airtime_lab::configurations::Line;
use airtime_lab::record::{Asked as Other, Goodput, Latency, Measured};
use airtime_lab::{Document, Plan, Record, limiting_default, run as lab};
use airtime_report::{Export, Json, Sheet, SheetKind, Shown, figures};
use serde::Serialize;

use crate::control::{Control, controls, plan_text};
use crate::{Ask, Asked};

/// Most points of a plan that are named in an answer.
const POINTS_MAX: usize = 400;

/// Answer to a question.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Name of the plan.
    pub plan: String,
    /// Kind of link.
    pub link: String,
    /// Id of the point that was run.
    pub point: String,
    /// Ids of all points, where there are several.
    pub points: Vec<String>,
    /// `ok`, or how the run failed.
    pub outcome: String,
    /// Goodput over the repeats, 10³ bit/s.
    pub goodput: Goodput,
    /// Latency of what arrived, where it was measured.
    pub latency_ms: Option<Latency>,
    /// Finding, in one sentence.
    pub says: String,
    /// Published figure of this point, with the error of the lab in percent.
    pub measured: Option<(Measured, Option<f64>)>,
    /// Keys whose value in effect is not the one that the plan asks for, a sentence each.
    pub asked: Vec<String>,
    /// The waterfall, as an element of SVG.
    pub figure: String,
    /// Keys to turn.
    pub controls: Vec<Control>,
    /// Command that runs the point again.
    pub command: String,
    /// A plan of this point alone.
    pub text: String,
    /// Lines of the build configuration, and what became of each.
    pub lines: Vec<Line>,
}

/// Runs the point that is asked about, and draws it in a column of this `width`.
///
/// # Errors
/// When the question makes no sense.
pub fn run(ask: &Ask, width: f64) -> Result<Answer, String> {
    let asked = ask.read()?;
    let point = asked.point()?;
    let record = lab::record(&asked.plan, &point);
    let count = asked.plan.len();
    let points =
        if count > 1 { (0..count.min(POINTS_MAX)).map(|index| asked.plan.id(index)).collect() } else { vec![] };
    Ok(Answer {
        plan: asked.plan.name.clone(),
        link: record.link.clone(),
        point: record.id.clone(),
        points,
        outcome: record.outcome.clone(),
        goodput: record.goodput_kbps,
        latency_ms: record.latency_ms,
        says: record.bottleneck.says.clone(),
        measured: record.measured.clone().map(|measured| (measured, record.error_pct)),
        asked: record.asked.iter().map(Other::says).collect(),
        figure: drawn(&asked.plan, record.clone(), width),
        controls: controls(&asked.plan, &point, asked.library()),
        command: record.replay,
        text: plan_text(&asked.plan, &point),
        lines: asked.lines,
    })
}

/// The figure of `record`, as an element of SVG.
fn drawn(plan: &Plan, record: Record, width: f64) -> String {
    let document = Document { records: vec![record].into(), ..Document::new(&plan.name) };
    let sheet = Sheet::new(SheetKind::Runs, [document]);
    figures::figures(&sheet).iter().map(|figure: &Figure| figure.element_of(width)).collect()
}

/// The document of all points that are asked about, octet for octet as `airtime run --json` prints it.
///
/// # Errors
/// When the question makes no sense.
pub fn record(ask: &Ask) -> Result<String, String> {
    let Asked { plan, lines, index } = ask.read()?;
    let meant = if ask.point.is_some() { index..index + 1 } else { 0..plan.len() };
    let mut shown = Shown { points: Some(meant.len()), ..Shown::of(&plan) };
    for index in meant.clone() {
        shown.document.records.push(match plan.made(index) {
            Ok(point) => lab::record(&plan, &point),
            Err(error) => lab::impossible(&plan, index, &error),
        });
    }
    let runs = meant
        .map(|index| {
            let plan = &plan;
            move || plan.made(index).ok()
        })
        .zip(&shown.document.records);
    let remark = limiting_default::remark(&plan, runs, &|| false);
    shown.document.remarks.extend(remark);
    shown.document.config = lines;
    let mut out = Vec::new();
    Json.export(&Sheet::new(SheetKind::Runs, [shown]), &mut out).map_err(|error| error.to_string())?;
    String::from_utf8(out).map_err(|error| error.to_string())
}
