//! Connections of a capture as tables: the rules they are consistent with, and where their air went.

use airtime_lab::captured::CapturedLink;
use airtime_sniff::{Consistent, RangeEnd};

use crate::waterfall::{Waterfall, waterfall};
use crate::{Align, Table};

/// The tables of one connection: its rules with what there is to say, and the waterfall of its stream.
pub fn connection(link: &CapturedLink) -> Vec<Table> {
    let mut tables = vec![rules(link)];
    if link.record.steady_ns > 0 {
        tables.push(waterfall(&Waterfall { title: String::new(), ..Waterfall::of(&link.record) }));
    }
    tables
}

/// Everything of all connections in one table, with numbers alone in the columns of numbers: for spreadsheets and data frames.
pub fn figures(links: &[CapturedLink]) -> Table {
    const HEADINGS: [&str; 13] = [
        "connection",
        "kind",
        "side",
        "name",
        "low",
        "high",
        "unit",
        "stops",
        "ns",
        "percent",
        "kbps",
        "possible",
        "says",
    ];
    let rows: Vec<[String; HEADINGS.len()]> = links.iter().flat_map(lines).collect();
    let mut table = Table::new("");
    for (index, heading) in HEADINGS.into_iter().enumerate() {
        table.column(heading, Align::Left, rows.iter().map(|row| row[index].clone()));
    }
    table
}

/// Lines of one connection: its rules, its accounts with goodput, and sentences.
fn lines(link: &CapturedLink) -> Vec<[String; 13]> {
    let name = &link.record.label;
    let line = |kind: &str, side: &str, what: &str, numbers: [String; 7], possible: &str, says: &str| {
        let [low, high, unit, stops, ns, percent, kbps] = numbers;
        let texts = [name.as_str(), kind, side, what].map(str::to_owned);
        let [connection, kind, side, what] = texts;
        [connection, kind, side, what, low, high, unit, stops, ns, percent, kbps, possible.into(), says.into()]
    };
    let empty = String::new;
    let bound = |end: Option<RangeEnd>| end.map(|end| end.value.to_string()).unwrap_or_default();
    let mut lines = Vec::new();
    for (side, rules) in [("central", &link.explained.central), ("peripheral", &link.explained.peripheral)] {
        for rule in rules {
            let stops = rule.stops.to_string();
            let unit = rule.rule.unit().to_owned();
            let numbers = [bound(rule.low), bound(rule.high), unit, stops, empty(), empty(), empty()];
            lines.push(line("rule", side, rule.rule.name(), numbers, &rule.possible.to_string(), &rule.says));
        }
    }
    if link.record.steady_ns > 0 {
        let waterfall = Waterfall::of(&link.record);
        let of = |ns: String, share: f64, kbps: f64| {
            let (percent, kbps) = ((share * 1e4).round() / 100.0, airtime_lab::record::tenth(kbps));
            [empty(), empty(), empty(), empty(), ns, percent.to_string(), kbps.to_string()]
        };
        for step in &waterfall.steps {
            lines.push(line("account", "", &step.account, of(step.ns.to_string(), step.share, step.kbps), "", ""));
        }
        let share = if waterfall.phy_kbps > 0.0 { waterfall.goodput_kbps / waterfall.phy_kbps } else { 0.0 };
        lines.push(line("goodput", "", "goodput", of(empty(), share, waterfall.goodput_kbps), "", ""));
    }
    lines.extend(link.says.iter().map(|says| line("says", "", "", Default::default(), "", says)));
    lines
}

fn rules(link: &CapturedLink) -> Table {
    let mut table = Table::new(&link.record.label);
    let sides = [("central", &link.explained.central), ("peripheral", &link.explained.peripheral)];
    let rows: Vec<(&str, &Consistent)> =
        sides.into_iter().flat_map(|(side, rules)| rules.iter().map(move |rule| (side, rule))).collect();
    if !rows.is_empty() {
        table.column("side", Align::Left, rows.iter().map(|(side, _)| *side));
        table.column("rule", Align::Left, rows.iter().map(|(_, rule)| rule.rule.name()));
        table.column("at least", Align::Right, rows.iter().map(|(_, rule)| end(rule, rule.low)));
        table.column("at most", Align::Right, rows.iter().map(|(_, rule)| end(rule, rule.high)));
        table.column("stops", Align::Right, rows.iter().map(|(_, rule)| rule.stops.to_string()));
        table.column("", Align::Left, rows.iter().map(|(_, rule)| rule.says.as_str()));
    }
    table.remarks.extend(link.says.iter().cloned());
    table
}

/// One end of what a rule leaves, in its unit.
fn end(rule: &Consistent, end: Option<RangeEnd>) -> String {
    match end.filter(|_| rule.possible) {
        Some(end) => format!("{:.0} {}", end.value, rule.rule.unit()),
        None => String::new(),
    }
}
