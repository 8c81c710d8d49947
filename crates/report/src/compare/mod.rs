//! Comparisons in every form: tables for people, a document, lines for a spreadsheet, and what build servers read.

mod servers;

use airtime_lab::compare::{Comparison, SCHEMA, State, Verdict};
use serde::Serialize;

use crate::tone::Tone;
use crate::{Align, Table, Weight};

pub use servers::{bmf, github, junit};

/// Document that `airtime compare --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparisons<'a> {
    /// Schema of the document: always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub airtime: &'static str,
    /// The comparisons, in the order of what was asked for.
    pub comparisons: &'a [Comparison],
}

impl<'a> Comparisons<'a> {
    /// Document of these comparisons.
    pub const fn of(comparisons: &'a [Comparison]) -> Self {
        Self { schema: SCHEMA, airtime: env!("CARGO_PKG_VERSION"), comparisons }
    }
}

/// Tables of a comparison: its figures, with sentences below, and where the time went.
pub fn comparison(found: &Comparison, quiet: bool) -> Vec<Table> {
    let mut figures = figures(found);
    if !quiet {
        let tone = match found.verdict {
            Verdict::Better => Some(Tone::Gain),
            Verdict::Worse => Some(Tone::Warning),
            _ => None,
        };
        match tone {
            Some(tone) => figures.remark(found.says.clone(), tone),
            None => figures.remarks.push(found.says.clone()),
        }
    }
    for checked in &found.conditions {
        match checked.state {
            State::Holds => figures.remark(format!("failed: {}", checked.says), Tone::Warning),
            _ => figures.remarks.push(checked.says.clone()),
        }
    }
    [Some(figures), accounts(found)].into_iter().flatten().collect()
}

/// `B beside A`, with the point where a grid is compared.
fn title(found: &Comparison) -> String {
    let at = if found.point.is_empty() { String::new() } else { format!(" at {}", found.point) };
    format!("{} beside {}{at}", found.b, found.a)
}

fn figures(found: &Comparison) -> Table {
    let mut table = Table::new(title(found));
    let rows = &found.figures;
    table.column("figure", Align::Left, rows.iter().map(|row| &row.figure));
    table.column("A", Align::Right, rows.iter().map(|row| row.value(row.a)));
    table.column("B", Align::Right, rows.iter().map(|row| row.value(row.b)));
    table.column("ratio", Align::Right, rows.iter().map(|row| row.ratio.map(|_| row.times()).unwrap_or_default()));
    table.column("verdict", Align::Left, rows.iter().map(|row| row.verdict.word()));
    let other = |(position, because): (usize, &String)| if position == 0 { String::new() } else { because.clone() };
    let reasons = rows.iter().map(|row| &row.because).enumerate().map(other);
    table.detail_if_any("because", Align::Left, reasons);
    table.tone_cells("verdict", |row| match rows[row].verdict {
        Verdict::Better => Some(Tone::Gain),
        Verdict::Worse => Some(Tone::Warning),
        _ => None,
    });
    table
}

/// Accounts of which either has any, the one that differs most first.
fn accounts(found: &Comparison) -> Option<Table> {
    let books = found.books.as_ref()?;
    let mut rows: Vec<(&str, [f64; 2])> = books
        .accounts
        .iter()
        .filter(|booked| booked.a_ns > 0 || booked.b_ns > 0)
        .map(|booked| (booked.account.as_str(), books.each_ns(booked)))
        .collect();
    rows.sort_by(|one, other| (other.1[1] - other.1[0]).abs().total_cmp(&(one.1[1] - one.1[0]).abs()));
    let mut table = Table::new(format!("time of each account, {}", books.per.phrase()));
    let time = |ns: f64| airtime_lab::compare::signed(ns).trim_start_matches('+').to_owned();
    table.column("account", Align::Left, rows.iter().map(|(account, _)| account));
    table.column("A", Align::Right, rows.iter().map(|(_, [a, _])| time(*a)));
    table.column("B", Align::Right, rows.iter().map(|(_, [_, b])| time(*b)));
    table.column("difference", Align::Right, rows.iter().map(|(_, [a, b])| airtime_lab::compare::signed(b - a)));
    table.weigh("A", Weight::Detail);
    (!rows.is_empty()).then_some(table)
}

/// A line for each figure of each comparison, with figures alone in the cells: for spreadsheets and data frames.
pub fn comparisons_csv(found: &[Comparison]) -> Table {
    let mut table = Table::new("");
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let rows: Vec<[String; 13]> = found
        .iter()
        .flat_map(|one| one.figures.iter().map(move |figure| (one, figure)))
        .map(|(one, figure)| {
            [
                one.a.clone(),
                one.b.clone(),
                one.point.clone(),
                figure.figure.clone(),
                figure.unit.to_owned(),
                figure.a.to_string(),
                figure.b.to_string(),
                figure.difference.to_string(),
                number(figure.ratio),
                number(figure.low),
                number(figure.high),
                figure.verdict.word().to_owned(),
                figure.because.clone(),
            ]
        })
        .collect();
    let headings = [
        "of_a",
        "of_b",
        "point",
        "figure",
        "unit",
        "a",
        "b",
        "difference",
        "ratio",
        "low",
        "high",
        "verdict",
        "because",
    ];
    for (index, heading) in headings.into_iter().enumerate() {
        table.column(heading, Align::Left, rows.iter().map(|row| &row[index]));
    }
    table
}

#[cfg(test)]
pub(crate) mod tests {
    use airtime_lab::compare::{Books, Checked, Compared, Ends, Estimate};
    use airtime_lab::{Condition, Figure, Record};

    use super::*;
    use crate::{Export, Text};

    /// A comparison of which the second is worse, and one condition holds.
    pub(crate) fn sample() -> Comparison {
        let record = |tail: u64| Record {
            link: "ble-coc".into(),
            counters: [("events", 100)].into_iter().collect(),
            steady_ledger_ns: [("payload", 1_000_000_000 - tail), ("tail", tail)].into_iter().collect(),
            ..Record::default()
        };
        let estimate = Estimate::exact(524.2, 498.1);
        let condition: Condition = "goodput < -3%".parse().unwrap();
        let mut figure = Compared::of(&Figure::Goodput, &estimate, true, 1.0);
        figure.because = "tail +3.00 ms an event".into();
        let books = Books::of(&[&record(200_000_000)], &[&record(500_000_000)]);
        Comparison {
            a: "coc & nrf".into(),
            b: "margin".into(),
            point: String::new(),
            verdict: figure.verdict,
            says: Comparison::sentence("coc & nrf", "margin", &figure),
            exact: true,
            repeats: 1,
            figures: vec![figure, Compared::of(&Figure::DelayP99, &Estimate::exact(10.0, 10.0), true, 1.0)],
            ledger_ns: books.as_ref().map(Books::differences_ns).unwrap_or_default(),
            books,
            ends: Ends::default(),
            conditions: vec![Checked::of(&condition, Some(&estimate))],
        }
    }

    fn text(tables: &[Table]) -> String {
        let mut out = Vec::new();
        Text { width: Some(80), colour: false }.export_tables(tables, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn people_read_figures_a_verdict_and_where_the_time_went() {
        let written = text(&comparison(&sample(), false));
        for part in [
            "margin beside coc & nrf",
            "goodput     524.2 kbps   498.1 kbps   0.9502 times",
            "worse",
            "failed: goodput < -3%",
            "time of each account, an event",
            "+3.00 ms",
        ] {
            assert!(written.contains(part), "{part}: {written}");
        }
        assert!(!text(&comparison(&sample(), true)).contains("margin is worse"));
    }

    #[test]
    fn documents_have_the_difference_of_the_books_to_the_nanosecond() {
        let found = [sample()];
        let json = serde_json::to_value(Comparisons::of(&found)).unwrap();
        let first = &json["comparisons"][0];
        assert_eq!((json["schema"].as_str(), first["ledger_ns"]["tail"].as_i64()), (Some(SCHEMA), Some(300_000_000)));
        assert_eq!(first["figures"][0]["verdict"], "worse");
        assert_eq!(comparisons_csv(&found).rows.len(), 2);
    }
}
