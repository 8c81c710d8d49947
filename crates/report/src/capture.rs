//! Connections of a capture as tables: the rules they are consistent with, and where their air went.

use airtime_lab::captured::CapturedLink;
use airtime_sniff::{Consistent, End};

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
fn end(rule: &Consistent, end: Option<End>) -> String {
    match end.filter(|_| rule.possible) {
        Some(end) => format!("{:.0} {}", end.value, rule.rule.unit()),
        None => String::new(),
    }
}
