//! `airtime trace read`: a capture, explained.

use std::path::Path;
use std::sync::atomic::Ordering;

use airtime_lab::captured::{Captured, HostCaptured};
use airtime_report::{
    Ieee802154Document, Read, TRACE_AIR, TRACE_HCI, TRACE_IEEE802154, TRACE_WIFI, Table, WifiDocument, connection,
    host_connection,
};
use airtime_sniff::host::UNSEEN;
use airtime_sniff::{Counted, Stamps};
use serde::Serialize;

use super::content::{Content, ContentKind};
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
    match content.kind {
        None if stopped => Ok(()),
        None => Err(Failure::BadInput(format!("`{}`: {}", path.display(), content.unreadable()))),
        Some(ContentKind::Air) => air(content, manner.form),
        Some(ContentKind::Host) => host(content, manner.form),
        Some(ContentKind::Wifi) => wifi(content, manner.form),
        Some(ContentKind::Ieee802154) => ieee802154(content, manner.form),
    }
}

fn air(content: Content, form: Form) -> Result<(), Failure> {
    let (counted, fault) = (content.counted(), content.sniffer.fault().map(str::to_owned));
    let link_type = content.sniffer.link_type();
    let captured = Captured::from(content.explainer.finish());
    let mut remarks = vec![summary(&captured, counted, fault.as_deref())];
    if link_type == Some(airtime_sniff::LINK_TYPE_BARE) {
        remarks.push(BARE.to_owned());
    }
    let told = Told { schema: TRACE_AIR, read: Read::new(counted, fault.as_deref()), document: &captured, remarks };
    let figures = || airtime_report::capture_figures(&captured.links);
    told.print(form, figures, || captured.links.iter().flat_map(connection).collect())
}

fn host(content: Content, form: Form) -> Result<(), Failure> {
    let counted = content.counted();
    let captured = HostCaptured::from(content.host.finish());
    let remarks = vec![host_summary(&captured, counted), UNSEEN.to_owned()];
    let told = Told { schema: TRACE_HCI, read: Read::new(counted, None), document: &captured, remarks };
    let figures = || airtime_report::host_figures(&captured);
    told.print(form, figures, || captured.links.iter().flat_map(host_connection).collect())
}

fn wifi(content: Content, form: Form) -> Result<(), Failure> {
    let counted = content.counted();
    let stations = content.wifi.finish();
    let none =
        "that are no frames of 802.11: cut short in a header, longer than any, or behind a damaged radiotap header";
    let remarks = vec![passed_over(output::counted(counted.taken, "frame"), counted, none, None)];
    let document = &WifiDocument::from(&stations);
    let told = Told { schema: TRACE_WIFI, read: Read::new(counted, None), document, remarks };
    told.print(form, || airtime_report::wifi_figures(&stations), || airtime_report::wifi_heard(&stations))
}

fn ieee802154(content: Content, form: Form) -> Result<(), Failure> {
    let counted = content.counted();
    let nodes = content.ieee802154.finish();
    let remarks =
        vec![passed_over(output::counted(counted.taken, "frame"), counted, "that are no frames of 802.15.4", None)];
    let document = &Ieee802154Document::from(&nodes);
    let told = Told { schema: TRACE_IEEE802154, read: Read::new(counted, None), document, remarks };
    told.print(form, || airtime_report::ieee802154_figures(&nodes), || airtime_report::ieee802154_heard(&nodes))
}

/// Outcome of a capture, for each form.
struct Told<'a, T> {
    schema: &'static str,
    read: Read,
    document: &'a T,
    /// Sentences under the tables.
    remarks: Vec<String>,
}

impl<T: Serialize> Told<'_, T> {
    /// Prints it as a document, as one sheet of figures, or as tables with the remarks.
    fn print(
        self,
        form: Form,
        figures: impl FnOnce() -> Table,
        tables: impl FnOnce() -> Vec<Table>,
    ) -> Result<(), Failure> {
        let printed = output::rendered(|out| match form {
            Form::Json => airtime_report::trace_json(self.schema, &self.read, self.document, out),
            Form::Csv => form.exporter().export_table(&figures(), out),
            form => {
                let mut tables = tables();
                tables.push(Table { remarks: self.remarks, ..Table::default() });
                form.exporter().export_tables(&tables, out)
            }
        })?;
        output::print(&printed)
    }
}

/// Remark on what captures of link type 251 lack.
const BARE: &str = "Link type 251 has neither channel nor PHY nor sender: LE 1M is assumed, and the sides are told from the order of packets. \
                    Its stamps are those of whoever wrote the file.";

fn summary(captured: &Captured, counted: Counted, fault: Option<&str>) -> String {
    let links = captured.links.len() as u64;
    let mut text = format!("{}, {}", output::counted(counted.taken, "packet"), output::counted(links, "connection"));
    if captured.left_out > 0 {
        text.push_str(&format!("; {} of no connection", captured.left_out));
    }
    text = passed_over(text, counted, "that are no packets of the link layer", fault);
    if counted.lost > 0 {
        text.push_str(&format!(
            "; {} of the sniffer are not in the file: lost on the way to the computer, or no packets",
            output::counted(counted.lost, "message")
        ));
    }
    text
}

/// Adds what was passed over, and why: packets of other interfaces, and those that are `none` of the link.
fn passed_over(mut text: String, counted: Counted, none: &str, fault: Option<&str>) -> String {
    for (count, what) in [(counted.elsewhere, "of other interfaces"), (counted.malformed, none)] {
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
    let besides = captured.log.besides().map(|(name, count, what)| {
        // Octets that are not even HCI are no packets of the log.
        (if name == "malformed" { count + counted.malformed } else { count }, what)
    });
    for (count, what) in [(counted.elsewhere, "of other interfaces")].into_iter().chain(besides) {
        if count > 0 {
            text.push_str(&format!("; {count} {what}"));
        }
    }
    text
}
