//! `airtime hw ble scan`: who advertises, as a controller or an adapter hears it.

use std::io;

use airtime_ble::host::Profile;
use airtime_ble_link::run::host_config;
use airtime_core::Duration;
use airtime_live::ble::client::Client;
use airtime_live::ble::scan::{Advertiser, Scanning};
use airtime_live::{Dialled, Place};
use airtime_report::{Align, Table};
use serde::Serialize;

use super::super::live::reasons::State;
use super::super::live::stop_on_signal;
use super::hci;
use super::refusal::Refusal;
use super::{Adapter, listener, test};
use crate::arguments::ble::HwBleScanArguments;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// The schema of the document.
const SCHEMA: &str = "airtime/hw-scan/1";

/// Time beside the scan in which a host's start-up is answered. *Assumed*: some thirty commands, at 9600 Bd.
const STARTUP_MAX: Duration = Duration::from_secs(5);

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
struct Heard {
    address: String,
    name: Option<String>,
    rssi_dbm: Option<i8>,
    connectable: Option<bool>,
}

/// Lists who advertises.
pub fn scan(arguments: &HwBleScanArguments, manner: Manner) -> Result<Exit, Failure> {
    if arguments.length.is_zero() {
        return Err(Failure::BadInput("--for 0: expected a time such as 15s".to_owned()));
    }
    let adapter = Adapter::of(arguments.hci.as_deref(), arguments.adapter.as_deref())?;
    let (heard, is_stopped) = match &adapter {
        Adapter::Controller(place) => over_hci(arguments, place)?,
        #[cfg(target_os = "linux")]
        Adapter::Linux(adapter) => super::linux::scan(adapter, arguments)?,
        #[cfg(not(target_os = "linux"))]
        Adapter::Linux(_) => return Err(super::needs_linux()),
    };
    let report = report(adapter.to_string(), &heard);
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| form.exporter().export_table(&table(&report), out))?,
    })?;
    match &arguments.name {
        Some(name) if heard.iter().any(|heard| heard.name.as_ref() == Some(name)) => Ok(Exit::Ok),
        _ if is_stopped => Ok(Exit::Interrupted),
        Some(name) => Err(Failure::Machine(format!(
            "nobody advertises as `{name}`; one that is connected already, or out of reach, is not heard"
        ))),
        None => Ok(Exit::Ok),
    }
}

/// Everybody whom our own host hears on the controller at `place`, and whether somebody has stopped it.
fn over_hci(arguments: &HwBleScanArguments, place: &Place) -> Result<(Vec<Advertiser>, bool), Failure> {
    let config = listener()?;
    let at = place.to_string();
    let test = test(&config, &at);
    let failed = |error: io::Error| Failure::Machine(hci::refused(&error).said(&test));
    let device = host_config(&config.scenario.central, Profile::Test);
    let client = Client::with(|pool| Scanning::new(device, arguments.name.clone(), arguments.length, pool));
    let mut host = Dialled::over(client, place).map_err(failed)?;
    let stopper = host.stopper();
    stop_on_signal(stopper.clone())?;
    host.run_until(Some(arguments.length + STARTUP_MAX), Scanning::is_over).map_err(failed)?;
    let client = host.client();
    if !stopper.is_asked() && !client.progress().ready {
        let state = State { up: client.is_up(), ..State::default() };
        return Err(Failure::Machine(Refusal::Unmet(state).said(&test)));
    }
    Ok((client.own().heard().to_vec(), stopper.is_asked()))
}

/// The report, nearest first as far as their strength tells.
fn report(place: String, heard: &[Advertiser]) -> Report {
    let mut nearest: Vec<&Advertiser> = heard.iter().collect();
    nearest.sort_by_key(|heard| std::cmp::Reverse(heard.rssi_dbm));
    let told = |heard: &Advertiser| Heard {
        address: heard.to_string(),
        name: heard.name.clone(),
        rssi_dbm: heard.rssi_dbm,
        connectable: heard.connectable,
    };
    let advertisers = nearest.into_iter().map(told).collect();
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
