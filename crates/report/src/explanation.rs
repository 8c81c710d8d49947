//! An explanation in every form: the waterfall with what would gain most, as a document, as lines for a spreadsheet.

use airtime_lab::explain::{Limit, Rung, SCHEMA};
use airtime_study::Explained;
use serde::Serialize;

use crate::cells::figure;
use crate::{Align, Table, Waterfall};

/// Document that `airtime explain --json` prints, of the schema `airtime/explain/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// Schema of the document: always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub airtime: &'static str,
    /// The accounts of the air, and the changes.
    #[serde(flatten)]
    pub waterfall: Waterfall,
    /// Runs that the search made.
    pub runs: usize,
}

impl From<Explained> for Explanation {
    fn from(explained: Explained) -> Self {
        let Explained {
            record,
            worth,
            cause,
            ladder,
            limit,
            changes,
            conclusion,
            together,
            blocks,
            config,
            machine,
            stopped,
            tried: runs,
        } = explained;
        let mut waterfall = Waterfall::of(&record);
        if let Some(worst) = worth.worst_kbps {
            waterfall.facts.push(format!(
                "all links together: {} kbps, the worst {}",
                figure(worth.kbps),
                figure(worst)
            ));
        }
        // The largest account is not always what costs most: where something gains, that is the cause.
        let verdict = cause.as_ref().map_or(waterfall.verdict.clone(), |cause| format!("cause: {}", cause.says));
        let limit = Some(limit);
        let (config, paste) = (config, blocks);
        let waterfall = Waterfall {
            verdict,
            cause,
            ladder,
            limit,
            changes,
            conclusion,
            together,
            paste,
            config,
            machine,
            stopped,
            ..waterfall
        };
        Self { schema: SCHEMA, airtime: env!("CARGO_PKG_VERSION"), waterfall, runs }
    }
}

impl Explanation {
    /// Table for people; a `quiet` one without sentences, but with the ladder, which is the answer, what can be pasted, and the word that
    /// it is no whole.
    pub fn table(&self, quiet: bool) -> Table {
        if !quiet {
            return crate::waterfall(&self.waterfall);
        }
        let stopped = self.waterfall.stopped.map(|_| self.waterfall.conclusion.clone()).unwrap_or_default();
        let (facts, config, machine, verdict) = (Vec::new(), Vec::new(), Vec::new(), String::new());
        let bare = |rung: &Rung| Rung { says: String::new(), ..rung.clone() };
        // The name of the account stands for the sentence on it.
        let limit = self.waterfall.limit.clone().map(|limit| Limit { says: limit.account.clone(), ..limit });
        crate::waterfall(&Waterfall {
            facts,
            config,
            machine,
            ladder: self.waterfall.ladder.iter().map(bare).collect(),
            limit,
            verdict,
            conclusion: stopped,
            ..self.waterfall.clone()
        })
    }

    /// A line per account and per change, with figures alone in the cells: for spreadsheets and data frames.
    pub fn figures(&self) -> Table {
        let mut rows: Vec<[String; 6]> = Vec::new();
        let mut row = |kind: &str, name: &str, kbps: f64, pct: f64, worst: Option<f64>, who: &str| {
            let worst = worst.map(|kbps| kbps.to_string()).unwrap_or_default();
            rows.push([kind.into(), name.into(), kbps.to_string(), pct.to_string(), worst, who.into()]);
        };
        let waterfall = &self.waterfall;
        let hundredth = |share: f64| (share * 10_000.0).round() / 100.0;
        let tenth = airtime_lab::record::tenth;
        row("phy", "PHY rate", tenth(waterfall.phy_kbps), 100.0, None, "");
        for step in &waterfall.steps {
            row("account", &step.account, tenth(step.kbps), hundredth(step.share), None, "");
        }
        let share = if waterfall.phy_kbps > 0.0 { waterfall.goodput_kbps / waterfall.phy_kbps } else { 0.0 };
        row("goodput", "goodput", tenth(waterfall.goodput_kbps), hundredth(share), None, "");
        for rung in &waterfall.ladder {
            let name = format!("{}: {}", rung.mechanisms.join("+"), rung.set.join(" --set "));
            row("rung", &name, rung.goodput_kbps, rung.gain_pct, rung.worst_kbps, &rung.who());
        }
        if let Some(limit) = &waterfall.limit {
            row("limit", &limit.account, limit.goodput_kbps, 0.0, None, "");
        }
        for change in &waterfall.changes {
            row("change", &change.set, change.goodput_kbps, change.gain_pct, change.worst_kbps, &change.who);
        }
        if let Some(all) = &waterfall.together {
            row("together", &all.set.join(" --set "), all.goodput_kbps, all.gain_pct, all.worst_kbps, "");
        }
        if waterfall.stopped.is_some() {
            rows.push(["stopped".into(), waterfall.conclusion.clone(), "".into(), "".into(), "".into(), "".into()]);
        }
        let mut table = Table::new("");
        for (index, heading) in ["kind", "name", "kbps", "percent", "worst_kbps", "who"].into_iter().enumerate() {
            table.column(heading, Align::Left, rows.iter().map(|row| row[index].clone()));
        }
        table
    }
}

/// Lines on what all changes that somebody can make come to, and on where to paste them.
pub(crate) fn to_paste(waterfall: &Waterfall) -> Vec<String> {
    let mut lines = Vec::new();
    let whole = match (&waterfall.together, waterfall.changes.first()) {
        (Some(all), _) => (all.goodput_kbps, all.worst_kbps),
        (None, Some(best)) => (best.goodput_kbps, best.worst_kbps),
        (None, None) => return lines,
    };
    if !waterfall.paste.is_empty() {
        let worst = whole.1.map(|worst| format!(", the worst link {}", figure(worst))).unwrap_or_default();
        lines.push(format!("to paste, {} kbps{worst} in a run with all of it:", figure(whole.0)));
    }
    for block in &waterfall.paste {
        lines.push(format!("  # {}", block.to));
        lines.extend(block.lines.iter().map(|line| format!("  {line}")));
    }
    lines
}
