//! Document of a capture that was read: what it is, what became of its packets, and what they come to.

use std::io;

use airtime_sniff::Counted;
use serde::Serialize;

use crate::json;

/// Schema of the air of Bluetooth LE, `schemas/trace-air.schema.json`.
pub const TRACE_AIR: &str = "airtime/trace-air/1";
/// Schema of an HCI log, `schemas/trace-hci.schema.json`.
pub const TRACE_HCI: &str = "airtime/trace-hci/1";
/// Schema of 802.11, `schemas/trace-wifi.schema.json`.
pub const TRACE_WIFI: &str = "airtime/trace-wifi/1";
/// Schema of 802.15.4, `schemas/trace-ieee802154.schema.json`.
pub const TRACE_IEEE802154: &str = "airtime/trace-ieee802154/1";

/// Fate of a file's packets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// Packets of the interface that was read.
    pub taken: u64,
    /// Packets of other interfaces.
    pub elsewhere: u64,
    /// Packets that are none of their link type.
    pub malformed: u64,
    /// Messages of the sniffer that are not in the file.
    pub lost: u64,
    /// Reason of the first that is malformed, where there is one to tell.
    pub fault: Option<String>,
    /// Packets that say themselves that they are none of the link: notes of the Linux monitor, answers of a sniffer.
    pub notes: u64,
}

impl Read {
    /// The counts, and the first fault.
    pub fn new(counted: Counted, fault: Option<&str>) -> Self {
        let Counted { taken, elsewhere, malformed, notes, lost } = counted;
        Self { taken, elsewhere, malformed, lost, fault: fault.map(str::to_owned), notes }
    }
}

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'static str,
    airtime: &'static str,
    read: &'a Read,
    #[serde(flatten)]
    told: &'a T,
}

/// Writes the document of this schema.
///
/// # Errors
/// Those of `out`.
pub fn trace_json<T: Serialize>(
    schema: &'static str,
    read: &Read,
    told: &T,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    json(&Document { schema, airtime: env!("CARGO_PKG_VERSION"), read, told }, out)
}
