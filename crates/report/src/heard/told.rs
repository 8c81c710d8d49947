//! Outcome of a capture, whatever it holds: as tables, as one sheet of figures, as a document, drawn.

use std::io;

use airtime_figures::Figure;
use airtime_ieee80211::heard as wifi;
use airtime_ieee802154::heard as ieee802154;
use airtime_lab::captured::{Captured, HostCaptured};
use airtime_sniff::Counted;
use airtime_sniff::host::UNSEEN;

use super::content::{Content, ContentKind};
use super::document::{Read, TRACE_AIR, TRACE_HCI, TRACE_IEEE802154, TRACE_WIFI, trace_json};
use super::host::{host_connection, host_figures};
use super::ieee802154::{Ieee802154Document, ieee802154_figures, ieee802154_heard};
use super::wifi::{WifiDocument, wifi_figures, wifi_heard};
use crate::{Table, capture, figures};

/// Outcome of a capture that was read.
#[derive(Clone, Debug)]
pub struct Told {
    pub(super) read: Read,
    pub(super) heard: Heard,
    /// Sentences under the tables.
    remarks: Vec<String>,
}

/// Content that was heard, by the kind of the content.
#[derive(Clone, Debug)]
pub(super) enum Heard {
    Air(Captured),
    Host(HostCaptured),
    Wifi(wifi::Told),
    Ieee802154(ieee802154::Told),
}

impl Told {
    pub(super) fn of(content: Content) -> Result<Self, String> {
        match content.kind {
            None => Err(content.unreadable()),
            Some(ContentKind::Air) => Ok(air(content)),
            Some(ContentKind::Host) => Ok(host(content)),
            Some(ContentKind::Wifi) => Ok(stations(content)),
            Some(ContentKind::Ieee802154) => Ok(nodes(content)),
        }
    }

    /// Tables for people, with what there is to say below the last.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = match &self.heard {
            Heard::Air(captured) => captured.links.iter().flat_map(capture::connection).collect(),
            Heard::Host(captured) => captured.links.iter().flat_map(host_connection).collect(),
            Heard::Wifi(told) => wifi_heard(told),
            Heard::Ieee802154(told) => ieee802154_heard(told),
        };
        tables.push(Table { remarks: self.remarks.clone(), ..Table::default() });
        tables
    }

    /// Connections of a capture of the air of Bluetooth LE; none of another.
    pub fn into_air(self) -> Option<Captured> {
        match self.heard {
            Heard::Air(captured) => Some(captured),
            _ => None,
        }
    }

    /// Everything in one table, with numbers alone in the columns of numbers.
    pub fn sheet(&self) -> Table {
        match &self.heard {
            Heard::Air(captured) => capture::figures(&captured.links),
            Heard::Host(captured) => host_figures(captured),
            Heard::Wifi(told) => wifi_figures(told),
            Heard::Ieee802154(told) => ieee802154_figures(told),
        }
    }

    /// Waterfalls of the streams of a capture of the air; nothing else has one.
    pub fn figures(&self) -> Vec<Figure> {
        let Heard::Air(captured) = &self.heard else { return Vec::new() };
        let records = captured.links.iter().map(|link| &link.record);
        records.filter(|record| record.steady_ns > 0).map(figures::fallen).collect()
    }

    /// Writes the document.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match &self.heard {
            Heard::Air(captured) => trace_json(TRACE_AIR, &self.read, captured, out),
            Heard::Host(captured) => trace_json(TRACE_HCI, &self.read, captured, out),
            Heard::Wifi(told) => trace_json(TRACE_WIFI, &self.read, &WifiDocument::from(told), out),
            Heard::Ieee802154(told) => trace_json(TRACE_IEEE802154, &self.read, &Ieee802154Document::from(told), out),
        }
    }
}

fn air(content: Content) -> Told {
    let (counted, fault) = (content.counted(), content.sniffer.fault().map(str::to_owned));
    let link_type = content.sniffer.link_type();
    let captured = Captured::from(content.explainer.finish());
    let mut remarks = vec![summary(&captured, counted, fault.as_deref())];
    if link_type == Some(airtime_sniff::LINK_TYPE_BARE) {
        remarks.push(BARE.to_owned());
    }
    Told { read: Read::new(counted, fault.as_deref()), heard: Heard::Air(captured), remarks }
}

fn host(content: Content) -> Told {
    let counted = content.counted();
    let captured = HostCaptured::from(content.host.finish());
    let remarks = vec![host_summary(&captured, counted), UNSEEN.to_owned()];
    Told { read: Read::new(counted, None), heard: Heard::Host(captured), remarks }
}

fn stations(content: Content) -> Told {
    let counted = content.counted();
    let none =
        "that are no frames of 802.11: cut short in a header, longer than any, or behind a damaged radiotap header";
    let remarks = vec![passed_over(several(counted.taken, "frame"), counted, none, None)];
    Told { read: Read::new(counted, None), heard: Heard::Wifi(content.wifi.finish()), remarks }
}

fn nodes(content: Content) -> Told {
    let counted = content.counted();
    let remarks = vec![passed_over(several(counted.taken, "frame"), counted, "that are no frames of 802.15.4", None)];
    Told { read: Read::new(counted, None), heard: Heard::Ieee802154(content.ieee802154.finish()), remarks }
}

/// Words for packets that are none of the link.
const NOTES: &str = "that are notes of who wrote them and no packets of the link";

/// `1 frame`, `2 frames`: a count with its noun.
fn several(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Remark on what captures of link type 251 lack.
const BARE: &str = "Link type 251 has neither channel nor PHY nor sender: LE 1M is assumed, and the sides are told from the order of packets. \
                    Its stamps are those of whoever wrote the file.";

fn summary(captured: &Captured, counted: Counted, fault: Option<&str>) -> String {
    let links = captured.links.len() as u64;
    let mut text = format!("{}, {}", several(counted.taken, "packet"), several(links, "connection"));
    if captured.left_out > 0 {
        text.push_str(&format!("; {} of no connection", captured.left_out));
    }
    text = passed_over(text, counted, "that are no packets of the link layer", fault);
    if counted.lost > 0 {
        text.push_str(&format!(
            "; {} of the sniffer are not in the file: lost on the way to the computer, or no packets",
            several(counted.lost, "message")
        ));
    }
    text
}

/// Adds what was passed over, and why: packets of other interfaces, and those that are `none` of the link.
fn passed_over(mut text: String, counted: Counted, none: &str, fault: Option<&str>) -> String {
    let passed = [(counted.elsewhere, "of other interfaces"), (counted.malformed, none), (counted.notes, NOTES)];
    for (count, what) in passed {
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
    let mut text = format!("{}, {}", several(captured.log.packets, "HCI packet"), several(links, "connection"));
    let besides = captured.log.besides().map(|(name, count, what)| {
        // Octets that are not even HCI are no packets of the log.
        (if name == "malformed" { count + counted.malformed } else { count }, what)
    });
    let passed = [(counted.elsewhere, "of other interfaces"), (counted.notes, NOTES)];
    for (count, what) in passed.into_iter().chain(besides) {
        if count > 0 {
            text.push_str(&format!("; {count} {what}"));
        }
    }
    text
}
