//! `airtime trace`: one run of a plan, written down, and captures read.

mod declared;
mod packets;
mod read;
mod wifi;

use std::sync::atomic::Ordering;

use airtime_ble_link::run::run_watched;
use airtime_capture::Origin;
use airtime_report::{Align, Table};

use crate::arguments::{TraceArguments, TraceCommand};
use crate::capture::{Captures, Written};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::measure::parse;
use crate::output;
use crate::request::{Changes, Manner};
use crate::select::single;

/// Writes a capture, or reads one.
pub fn trace(arguments: &TraceArguments, manner: Manner) -> Result<Exit, Failure> {
    match (&arguments.command, &arguments.plan) {
        (Some(TraceCommand::Read(arguments)), _) => read::read(arguments, manner),
        (None, Some(plan)) => write(plan, arguments, manner),
        (None, None) => Err(Failure::BadInput("what is to be traced? `airtime plans` lists the plans".to_owned())),
    }
}

/// Runs the plan's point once, with its own seed, and captures it.
fn write(plan: &str, arguments: &TraceArguments, manner: Manner) -> Result<Exit, Failure> {
    let changes = Changes::of(&arguments.changes)?;
    let plans = parse(&[catalog::find(plan, "")?], &changes)?;
    let point = single(&plans, arguments.changes.point.as_deref(), "traced")?.point(&plans);
    let cancel = interrupt::listen()?;
    if let Some(scenario) = point.scenario.of::<airtime_wifi::plan::Scenario>() {
        print(&wifi::write(scenario, &arguments.output)?, manner)?;
        return Ok(Exit::Ok);
    }
    if point.scenario.capture().is_some() {
        print(&declared::write(&*point.scenario.link, &arguments.output)?, manner)?;
        return Ok(Exit::Ok);
    }
    let scenario = point.scenario.of::<airtime_ble::plan::Scenario>().ok_or_else(|| {
        let link = point.scenario.link();
        Failure::BadInput(format!(
            "{plan}: a run over `{link}` cannot be captured; those over Bluetooth LE, Wi-Fi and IEEE 802.15.4 can"
        ))
    })?;
    let devices = names(scenario.connection.peripherals);
    let captures = Captures::create(&arguments.output, &devices, Origin::VIRTUAL, arguments.apart)?.until(cancel);
    let (_, captures) = run_watched(scenario, scenario.run.seed, captures);
    print(&captures.finish()?, manner)?;
    Ok(if cancel.load(Ordering::SeqCst) { Exit::Interrupted } else { Exit::Ok })
}

/// Names of the devices of a run, in their order.
fn names(peripherals: u8) -> Vec<String> {
    let peripherals = (0..peripherals).map(|index| match peripherals {
        1 => "peripheral".to_owned(),
        _ => format!("peripheral{index}"),
    });
    std::iter::once("central".to_owned()).chain(peripherals).collect()
}

fn print(written: &[Written], manner: Manner) -> Result<(), Failure> {
    let mut table = Table::default();
    table.column("file", Align::Left, written.iter().map(|written| written.path.display().to_string()));
    table.column("octets", Align::Right, written.iter().map(|written| written.octets.to_string()));
    output::print(&output::rendered(|out| manner.form.exporter().export_table(&table, out))?)
}
