//! A run of the point that is asked about.

use airtime_lab::configurations::Line;
use airtime_lab::record::{Asked as Other, Goodput, Latency, Measured};
use airtime_lab::{Point, Record, limiting_default, run as lab, time_line};
use airtime_report::{Export, Json, Sheet, SheetKind, Shown, figures};
use serde::Serialize;

use crate::control::{Control, controls, plan_text};
use crate::{Ask, Asked};

/// Most points of a plan that are named in an answer.
const POINTS_MAX: usize = 400;

/// Answer to a question: what a hand on a slider wants to see at once.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Name of the plan.
    pub plan: String,
    /// Kind of link.
    pub link: String,
    /// Id of the point that was run.
    pub point: String,
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
    /// Command that runs the point again.
    pub command: String,
}

/// Rest of an answer: what can wait until the hand rests.
#[derive(Clone, Debug, Serialize)]
pub struct Rest {
    /// Ids of all points, where there are several.
    pub points: Vec<String>,
    /// Latencies and goodput by the second, as elements of SVG; empty where there is none of both.
    pub figures: String,
    /// Keys to turn.
    pub controls: Vec<Control>,
    /// A plan of this point alone.
    pub text: String,
    /// Lines of the build configuration, and what became of each.
    pub lines: Vec<Line>,
}

/// Run of the point that is asked about.
pub struct Ran {
    asked: Asked,
    point: Point,
    record: Record,
}

impl Ran {
    /// Runs the point that `ask` means.
    ///
    /// # Errors
    /// When the question makes no sense.
    pub fn new(ask: &Ask) -> Result<Self, String> {
        let asked = ask.read()?;
        let point = asked.point()?;
        let record = lab::record(&asked.plan, &point);
        Ok(Self { asked, point, record })
    }

    /// The part that is wanted at once, its figure for a column of this `width`.
    pub fn answer(&self, width: f64) -> Answer {
        let record = &self.record;
        Answer {
            plan: self.asked.plan.name.clone(),
            link: record.link.clone(),
            point: record.id.clone(),
            outcome: record.outcome.clone(),
            goodput: record.goodput_kbps,
            latency_ms: record.latency_ms,
            says: record.bottleneck.says.clone(),
            measured: record.measured.clone().map(|measured| (measured, record.error_pct)),
            asked: record.asked.iter().map(Other::says).collect(),
            figure: figures::fallen(record).element_of(width),
            command: record.replay.clone(),
        }
    }

    /// The rest of it: to look for the stops of all sliders takes as long as a short run.
    pub fn rest(&self, width: f64) -> Rest {
        let Self { asked: Asked { plan, lines, .. }, point, record } = self;
        let count = plan.len();
        Rest {
            points: if count > 1 { (0..count.min(POINTS_MAX)).map(|index| plan.id(index)).collect() } else { vec![] },
            figures: figures::beside(record).iter().map(|figure| figure.element_of(width)).collect(),
            controls: controls(plan, point, self.asked.library()),
            text: plan_text(plan, point),
            lines: lines.clone(),
        }
    }
}

/// A cycle of the point that is asked about to scale, as an element of SVG for a column of this `width`; empty where nothing went on.
///
/// # Errors
/// When the question makes no sense, or the link has no time line.
pub fn event(ask: &Ask, width: f64) -> Result<String, String> {
    let point = ask.read()?.point()?;
    let cycle = time_line::cycle(&*point.scenario.link)?;
    Ok(figures::time_line(&point.id, &cycle).map(|figure| figure.element_of(width)).unwrap_or_default())
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
