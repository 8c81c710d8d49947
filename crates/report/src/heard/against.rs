//! A capture beside a run of a plan: tables, lines and a document.

use std::io;

use airtime_lab::captured::against::{Beside, SCHEMA, Seen, Term};
use serde::Serialize;

use super::document::Read;
use super::figures;
use super::told::{Heard, Told};
use crate::compare::comparison;
use crate::{Align, Table, json};

/// Connections of a capture, each beside that of a plan's run.
#[derive(Clone, Debug)]
pub struct Against {
    read: Read,
    plan: String,
    links: Vec<Beside>,
    /// Connections of the capture without a stream.
    without_stream: u64,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    airtime: &'static str,
    read: &'a Read,
    plan: &'a str,
    seen: &'static str,
    without_stream: u64,
    links: &'a [Beside],
}

impl Told {
    /// Form in which a run is captured to be compared with this capture.
    ///
    /// # Errors
    /// The reason that it is compared with none, as a sentence without its end.
    pub fn form(&self) -> Result<airtime_capture::Form, String> {
        match &self.heard {
            Heard::Air(_) => Ok(airtime_capture::Form::Air),
            Heard::Host(_) => Ok(airtime_capture::Form::Host),
            Heard::Wifi(_) | Heard::Ieee802154(_) => {
                Err("only captures of Bluetooth LE, of the air or of an HCI, are compared with a plan".to_owned())
            }
        }
    }

    /// The connections beside those that `plan` has: what was read of the captures of its run, one of the air or one of each host. `names`
    /// are those of the plan and of the capture.
    ///
    /// # Errors
    /// The reason that there is nothing to compare, as a sentence without its end.
    pub fn against(&self, plan: &[Self], [a, b]: [&str; 2]) -> Result<Against, String> {
        let runs: Vec<Seen> = plan.iter().flat_map(Self::seen).collect();
        if runs.is_empty() {
            return Err(format!("a run of {a} has no connection with a stream"));
        }
        let own = self.seen();
        let named = |seen: &Seen| if own.len() > 1 { format!("{b}, {}", seen.name) } else { b.to_owned() };
        let links: Vec<Beside> = own.iter().filter_map(|seen| seen.beside(&runs, [a, &named(seen)])).collect();
        if links.is_empty() {
            return Err("the capture has no connection with a stream, and there is nothing to compare".to_owned());
        }
        let without_stream = (self.connections() - links.len()) as u64;
        Ok(Against { read: self.read.clone(), plan: a.to_owned(), links, without_stream })
    }

    fn seen(&self) -> Vec<Seen> {
        match &self.heard {
            Heard::Air(captured) => captured.links.iter().filter_map(Seen::of_air).collect(),
            Heard::Host(captured) => captured.links.iter().filter_map(Seen::of_host).collect(),
            Heard::Wifi(_) | Heard::Ieee802154(_) => Vec::new(),
        }
    }

    fn connections(&self) -> usize {
        match &self.heard {
            Heard::Air(captured) => captured.links.len(),
            Heard::Host(captured) => captured.links.len(),
            Heard::Wifi(_) | Heard::Ieee802154(_) => 0,
        }
    }
}

impl Against {
    /// Tables for people: of each connection the terms, the figures with the sentence on them, and where the time went.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        for link in &self.links {
            let mut told = comparison(&link.comparison, false);
            told[0].remarks.push(BOTH.to_owned());
            tables.push(terms(link));
            tables.append(&mut told);
        }
        if self.without_stream > 0 {
            let many = if self.without_stream == 1 { " has" } else { "s have" };
            let says = format!("{} more connection{many} no stream, and are left out.", self.without_stream);
            tables.push(Table { remarks: vec![says], ..Table::default() });
        }
        tables
    }

    /// Everything in one table: terms, figures, accounts in nanoseconds, sentences.
    pub fn sheet(&self) -> Table {
        let mut rows: Vec<[String; 7]> = Vec::new();
        for link in &self.links {
            let found = &link.comparison;
            let mut row = |kind: &str, name: &str, [plan, capture, unit, says]: [&str; 4]| {
                rows.push([&link.connection, kind, name, plan, capture, unit, says].map(str::to_owned));
            };
            for term in &link.terms {
                row("term", term.term, [shown(&term.plan), shown(&term.capture), "", same(term)]);
            }
            for figure in &found.figures {
                let values = [figure.a.to_string(), figure.b.to_string()];
                row("figure", &figure.figure, [&values[0], &values[1], figure.unit, figure.verdict.word()]);
            }
            for booked in found.books.iter().flat_map(|books| &books.accounts) {
                let values = [booked.a_ns.to_string(), booked.b_ns.to_string()];
                row("account", &booked.account, [&values[0], &values[1], "ns", ""]);
            }
            row("says", "", ["", "", "", &found.says]);
        }
        figures(["connection", "kind", "name", "plan", "capture", "unit", "says"], &rows)
    }

    /// Writes the document.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { read, plan, links, without_stream } = self;
        let airtime = env!("CARGO_PKG_VERSION");
        json(&Document { schema: SCHEMA, airtime, read, plan, seen: BOTH, without_stream: *without_stream, links }, out)
    }
}

/// Sentence on how both came to be.
const BOTH: &str = "A is one run of the plan, captured as B was and read by the same rules: both are from the first data of the stream on.";

fn terms(link: &Beside) -> Table {
    let mut table = Table::new(&link.connection);
    table.column("term", Align::Left, link.terms.iter().map(|term| term.term));
    table.column("plan", Align::Right, link.terms.iter().map(|term| shown(&term.plan)));
    table.column("capture", Align::Right, link.terms.iter().map(|term| shown(&term.capture)));
    table.column("", Align::Left, link.terms.iter().map(same));
    table
}

fn shown(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or_default()
}

const fn same(term: &Term) -> &'static str {
    match term.same {
        Some(true) => "same",
        Some(false) => "differs",
        None => "not known",
    }
}
