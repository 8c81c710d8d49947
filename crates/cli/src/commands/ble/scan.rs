//! `airtime hw ble scan`: who advertises, as a controller or an adapter hears it.

use airtime_live::ble::scan::Advertiser;
use airtime_report::{Align, Table};
use serde::Serialize;

#[cfg(unix)]
use super::hci;
use super::{Adapter, system};
use crate::arguments::ble::HwBleScanArguments;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// The schema of the document.
const SCHEMA: &str = "airtime/hw-scan/1";

/// Report of a scan. Fields are added, never renamed.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    airtime: &'static str,
    place: String,
    advertisers: Vec<Heard>,
}

/// Advertiser, as the document has it.
#[derive(Debug, Serialize)]
pub struct Heard {
    /// Address as `--address` takes it; on macOS, which tells no addresses, the identifier that it has on this machine.
    pub address: String,
    /// Name that it has told.
    pub name: Option<String>,
    /// Strength of the last report, in dBm.
    pub rssi_dbm: Option<i8>,
    /// Set if it takes connections; none where nobody says so.
    pub connectable: Option<bool>,
}

impl From<&Advertiser> for Heard {
    fn from(heard: &Advertiser) -> Self {
        Self {
            address: heard.to_string(),
            name: heard.name.clone(),
            rssi_dbm: heard.rssi_dbm,
            connectable: heard.connectable,
        }
    }
}

/// Lists who advertises.
pub fn scan(arguments: &HwBleScanArguments, manner: Manner) -> Result<Exit, Failure> {
    if arguments.length.is_zero() {
        return Err(Failure::BadInput("--for 0: expected a time such as 15s".to_owned()));
    }
    let adapter = Adapter::of(arguments.hci.as_deref(), arguments.adapter.as_deref())?;
    let (heard, is_stopped) = match &adapter {
        #[cfg(unix)]
        Adapter::Controller(place) => hci::scan(place, arguments)?,
        #[cfg(not(unix))]
        Adapter::Controller(_) => return Err(super::needs_unix()),
        Adapter::System(adapter) => system::scan(adapter, arguments)?,
    };
    let report = report(adapter.to_string(), heard);
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| form.exporter().export_table(&table(&report), out))?,
    })?;
    match &arguments.name {
        Some(name) if report.advertisers.iter().any(|heard| heard.name.as_ref() == Some(name)) => Ok(Exit::Ok),
        _ if is_stopped => Ok(Exit::Interrupted),
        Some(name) => Err(Failure::Machine(format!(
            "nobody advertises as `{name}`; one that is connected already, or out of reach, is not heard"
        ))),
        None => Ok(Exit::Ok),
    }
}

/// The report, nearest first as far as their strength tells.
fn report(place: String, mut advertisers: Vec<Heard>) -> Report {
    advertisers.sort_by_key(|heard| std::cmp::Reverse(heard.rssi_dbm));
    Report { schema: SCHEMA, airtime: env!("CARGO_PKG_VERSION"), place, advertisers }
}

fn table(report: &Report) -> Table {
    let all = &report.advertisers;
    let mut table = Table::default();
    table.column("address", Align::Left, all.iter().map(|heard| heard.address.as_str()));
    table.column("name", Align::Left, all.iter().map(|heard| heard.name.as_deref().unwrap_or_default()));
    let rssi = |heard: &Heard| heard.rssi_dbm.map(|rssi| rssi.to_string()).unwrap_or_default();
    table.column("dBm", Align::Right, all.iter().map(rssi));
    let connectable = |heard: &Heard| heard.connectable.map_or("", |is| if is { "yes" } else { "no" }).to_owned();
    table.column_if_any("connectable", Align::Left, all.iter().map(connectable));
    table
}
