//! `airtime trace read`: a capture, explained.

use std::path::Path;
use std::sync::atomic::Ordering;

use airtime_lab::captured::{Captured, HostCaptured};
use airtime_report::{Table, connection, host_connection};
use airtime_sniff::host::UNSEEN;
use airtime_sniff::{Counted, Stamps};

use super::content::{Content, Kind};
use super::packets::each_packet;
use crate::arguments::TraceReadArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::{self, Form};
use crate::request::Manner;

/// Reads the file packet by packet and says what it comes to; when stopped, what was read so far.
pub fn read(arguments: &TraceReadArguments, manner: Manner) -> Result<Exit, Failure> {
    let cancel = interrupt::listen()?;
    let stamps = if arguments.exact { Stamps::EXACT } else { Stamps::SNIFFER };
    let mut content = Content::new(stamps);
    let stopped = || cancel.load(Ordering::SeqCst);
    if let Some(cut) = each_packet(&arguments.file, stopped, &mut content)? {
        output::say(&format!("{cut}; what is in front of it was read"));
    }
    print(content, &arguments.file, stopped(), manner)?;
    Ok(if stopped() { Exit::Interrupted } else { Exit::Ok })
}

fn print(content: Content, path: &Path, stopped: bool, manner: Manner) -> Result<(), Failure> {
    let counted = content.counted();
    let mut last = Table::default();
    let tables: Vec<Table> = match content.kind {
        None if stopped => return Ok(()),
        None => return Err(Failure::BadInput(format!("`{}`: {}", path.display(), content.unreadable()))),
        Some(Kind::Air) => {
            let (link_type, fault) = (content.sniffer.link_type(), content.sniffer.fault().map(str::to_owned));
            let captured = Captured::from(content.explainer.finish());
            match manner.form {
                Form::Json => return output::print(&output::rendered(|out| airtime_report::json(&captured, out))?),
                Form::Csv => return csv(&airtime_report::capture_figures(&captured.links)),
                _ => {}
            }
            last.remarks.push(summary(&captured, counted, fault.as_deref()));
            if link_type == Some(airtime_sniff::LINK_TYPE_BARE) {
                last.remarks.push(BARE.to_owned());
            }
            captured.links.iter().flat_map(connection).collect()
        }
        Some(Kind::Host) => {
            let captured = HostCaptured::from(content.host.finish());
            match manner.form {
                Form::Json => return output::print(&output::rendered(|out| airtime_report::json(&captured, out))?),
                Form::Csv => return csv(&airtime_report::host_figures(&captured.links)),
                _ => {}
            }
            last.remarks.push(host_summary(&captured, counted));
            last.remarks.push(UNSEEN.to_owned());
            captured.links.iter().flat_map(host_connection).collect()
        }
        Some(Kind::Wifi) => airtime_report::wifi_heard(&content.wifi.finish()),
        Some(Kind::Ieee802154) => airtime_report::ieee802154_heard(&content.ieee802154.finish()),
    };
    if matches!(content.kind, Some(Kind::Wifi | Kind::Ieee802154)) {
        last.remarks.push(passed_over(output::counted(counted.taken, "frame"), counted, None));
        if matches!(manner.form, Form::Json | Form::Csv) {
            return csv_or_json(&tables, manner);
        }
    }
    let mut tables = tables;
    tables.push(last);
    output::print(&output::rendered(|out| manner.form.exporter().export_tables(&tables, out))?)
}

/// Remark on what captures of link type 251 lack.
const BARE: &str = "Link type 251 has neither channel nor PHY nor sender: LE 1M is assumed, and the sides are told from the order of packets. \
                    Its stamps are those of whoever wrote the file.";

fn csv(figures: &Table) -> Result<(), Failure> {
    output::print(&output::rendered(|out| Form::Csv.exporter().export_table(figures, out))?)
}

/// One table of stations or nodes, as a list of objects or lines.
fn csv_or_json(tables: &[Table], manner: Manner) -> Result<(), Failure> {
    let table = tables.first().cloned().unwrap_or_default();
    output::print(&output::rendered(|out| manner.form.exporter().export_table(&table, out))?)
}

fn summary(captured: &Captured, counted: Counted, fault: Option<&str>) -> String {
    let links = captured.links.len() as u64;
    let mut text = format!("{}, {}", output::counted(counted.taken, "packet"), output::counted(links, "connection"));
    if captured.left_out > 0 {
        text.push_str(&format!("; {} of no connection", captured.left_out));
    }
    text = passed_over(text, counted, fault);
    if counted.lost > 0 {
        text.push_str(&format!(
            "; {} of the sniffer are not in the file: lost on the way to the computer, or no packets",
            output::counted(counted.lost, "message")
        ));
    }
    text
}

/// Adds what was passed over, and why.
fn passed_over(mut text: String, counted: Counted, fault: Option<&str>) -> String {
    for (count, what) in
        [(counted.elsewhere, "of other interfaces"), (counted.malformed, "that are no packets of the link layer")]
    {
        if count > 0 {
            text.push_str(&format!("; {count} {what}"));
        }
    }
    if let Some(fault) = fault {
        text.push_str(&format!(" (the first: {fault})"));
    }
    text
}

fn host_summary(captured: &HostCaptured, counted: Counted) -> String {
    let links = captured.links.len() as u64;
    let mut text =
        format!("{}, {}", output::counted(captured.log.packets, "HCI packet"), output::counted(links, "connection"));
    for (count, what) in [
        (counted.elsewhere, "of other interfaces"),
        (counted.malformed + captured.log.malformed, "that are no packets of HCI"),
        (captured.log.left_out, "of connections beyond the first 256"),
        (captured.log.other, "of BR/EDR, synchronous or isochronous data"),
        (captured.log.backwards, "with a stamp before that of the one in front"),
        (captured.log.drops.into(), "lost by the log's writer"),
    ] {
        if count > 0 {
            text.push_str(&format!("; {count} {what}"));
        }
    }
    text
}
