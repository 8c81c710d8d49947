//! The first screen: a line for each kind of link with its figure and what costs it most, then the questions to go on with.

use airtime_lab::Record;

use crate::cells::{self, failed, figure};
use crate::{Align, Explanation, Table, Tone, Waterfall, calls, rungs};

/// A plan of one kind of link, and what a run of it came to.
#[derive(Clone, Copy, Debug)]
pub struct Glimpse<'a> {
    /// Kind of link, in words.
    pub link: &'a str,
    /// Name of the plan.
    pub plan: &'a str,
    /// Record of the run.
    pub record: &'a Record,
}

/// A line for each of `glimpses`.
pub fn glimpses(title: &str, glimpses: &[Glimpse<'_>]) -> Table {
    let mut table = Table { bare: true, ..Table::new(title) };
    table.column("link", Align::Left, glimpses.iter().map(|glimpse| glimpse.link));
    table.column("plan", Align::Left, glimpses.iter().map(|glimpse| glimpse.plan));
    table.column("kbps", Align::Right, glimpses.iter().map(|glimpse| figure(glimpse.record.goodput_kbps.median)));
    table.column("what limits it", Align::Left, glimpses.iter().map(|glimpse| cause(glimpse.record)));
    table.tone_cells("kbps", |_| Some(Tone::Headline));
    let tone = |row: usize| if failed(glimpses[row].record) { Tone::Warning } else { Tone::Cause };
    table.tone_cells("what limits it", |row| Some(tone(row)));
    table
}

/// The ladder of `explained` in short: under the `command` that tells all of it a line for each rung.
pub fn way_up(command: &str, explained: &Explanation) -> Table {
    let mut table = Table::default();
    let Waterfall { ladder, limit, goodput_kbps, .. } = &explained.waterfall;
    let limit = limit.as_ref().map(|limit| format!(", {} at the limit", figure(limit.goodput_kbps)));
    let head = format!("{command}: {} kbps today{}", figure(*goodput_kbps), limit.unwrap_or_default());
    table.remark(head, Tone::Headline);
    rungs::short(ladder).for_each(|(line, tone)| table.remark(line, tone));
    table
}

/// A line for each question, with the command that answers it.
pub fn questions(asked: &[(&str, &str)]) -> Table {
    let mut table = Table { bare: true, ..Table::default() };
    table.column("which link is slow?", Align::Left, asked.iter().map(|(link, _)| *link));
    table.column("ask", Align::Left, asked.iter().map(|(_, command)| *command));
    table
}

/// The sentence on what limits a run, cut down to one clause: `airtime explain` has all of it.
fn cause(record: &Record) -> String {
    let says = cells::says(record);
    if failed(record) {
        return says;
    }
    match says.split_once(": ") {
        Some((share, rest)) if share.ends_with(" % of the air") => {
            format!("{}: {}", share.trim_end_matches(" of the air"), clause(rest))
        }
        Some((_, rest)) if record.calls.is_some() => {
            format!("{} ms/call: {}", calls::ms_per_call(record), clause(rest))
        }
        _ => clause(&says).to_owned(),
    }
}

/// Beginning of a sentence that can stand alone.
fn clause(sentence: &str) -> &str {
    let end = [", ", "; ", ": ", ". "].iter().filter_map(|mark| sentence.find(mark)).min();
    end.map_or(sentence, |end| &sentence[..end]).trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use airtime_lab::record::{BenchFigures, Bottleneck, CallFigures};

    use super::*;
    use crate::samples::booked;

    fn says(sentence: &str) -> Record {
        Record { bottleneck: Bottleneck { account: "cap".into(), says: sentence.into() }, ..booked() }
    }

    #[test]
    fn a_cause_is_one_clause() {
        let cap =
            says("64 % of the air: the controller ends each event at its own limit, after 4.0 exchanges, and idles.");
        assert_eq!(cause(&cap), "64 %: the controller ends each event at its own limit");
        assert_eq!(cause(&says("the co-processor is busy, 235us a frame: the air is not")), "the co-processor is busy");
        assert_eq!(cause(&says("It rains.")), "It rains");
        let lost = Record { outcome: "0x08 connection timeout".into(), ..booked() };
        assert_eq!(cause(&lost), "0x08 connection timeout");
    }

    #[test]
    fn calls_have_the_time_of_a_call() {
        let bench = BenchFigures { ms_per_call: 82.304, ..BenchFigures::default() };
        let calls = Some(CallFigures { benches: vec![bench], ..CallFigures::default() });
        let record = says("Of 82.3 ms a call 0.7 ms are radio, 59.3 ms wait: one call at a time is slow, and waits.");
        assert_eq!(cause(&Record { calls, ..record }), "82.30 ms/call: one call at a time is slow");
    }
}
