//! `airtime trace read`: a capture, explained.

use std::sync::atomic::Ordering;

use airtime_lab::captured::Captured;
use airtime_report::{Table, connection};
use airtime_sniff::{Counted, Explainer, Stamps};

use super::packets::each_packet;
use crate::arguments::TraceReadArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::{self, Form};
use crate::request::Manner;

/// Reads the file packet by packet and says what its connections come to; when stopped, what was read so far.
pub fn read(arguments: &TraceReadArguments, manner: Manner) -> Result<Exit, Failure> {
    let cancel = interrupt::listen()?;
    let stamps = if arguments.exact { Stamps::EXACT } else { Stamps::SNIFFER };
    let mut explainer = Explainer::new(stamps);
    let stopped = || cancel.load(Ordering::SeqCst);
    let taken = each_packet(&arguments.file, stopped, |packet| explainer.take(packet))?;
    if let Some(cut) = &taken.cut {
        output::say(&format!("{cut}; what is in front of it was read"));
    }
    let captured = Captured::from(explainer.finish());
    print(&captured, taken.counted, manner)?;
    Ok(if stopped() { Exit::Interrupted } else { Exit::Ok })
}

fn print(captured: &Captured, counted: Counted, manner: Manner) -> Result<(), Failure> {
    if manner.form == Form::Json {
        return output::print(&output::rendered(|out| airtime_report::json(captured, out))?);
    }
    if manner.form == Form::Csv {
        let figures = airtime_report::capture_figures(&captured.links);
        return output::print(&output::rendered(|out| Form::Csv.exporter().export_table(&figures, out))?);
    }
    let mut tables: Vec<Table> = captured.links.iter().flat_map(connection).collect();
    let mut last = Table::default();
    last.remarks.push(summary(captured, counted));
    tables.push(last);
    output::print(&output::rendered(|out| manner.form.exporter().export_tables(&tables, out))?)
}

fn summary(captured: &Captured, counted: Counted) -> String {
    let links = captured.links.len() as u64;
    let mut text = format!("{}, {}", output::counted(counted.taken, "packet"), output::counted(links, "connection"));
    for (count, what) in [
        (captured.left_out, "of no connection"),
        (counted.elsewhere, "of other interfaces"),
        (counted.malformed, "that are no packets of the link layer"),
    ] {
        if count > 0 {
            text.push_str(&format!("; {count} {what}"));
        }
    }
    text
}
