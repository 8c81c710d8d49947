//! `airtime hw ble`: the central of the test on a real controller.

mod back_end;
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
mod elsewhere;
#[cfg(unix)]
mod hci;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", windows))]
pub mod native;
mod refusal;
mod scan;
mod through;

use std::fmt;

use airtime_ble::host::Role;
use airtime_ble_link::BleLink;
use airtime_ble_link::plan::{Carrier, Coc, Gatt, Scenario};
use airtime_core::Duration;
use airtime_lab::record::{Environment, Goodput, LIVE, Measured, REAL};
use airtime_lab::run::quoted;
use airtime_lab::{Document, Ordered, Record, Records};
use airtime_live::ble::options::{controller, host as own};
use airtime_live::{PeerConfig, Place, Stopper};
use airtime_report::{Align, Table};
use airtime_study::log::verdict;

use self::back_end::{BackEnd, Status, measure};
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
use self::elsewhere as system;
#[cfg(unix)]
use self::hci::Hci;
#[cfg(target_os = "linux")]
use self::linux as system;
#[cfg(any(target_os = "macos", windows))]
use self::native as system;
use self::refusal::Refusal;
use super::reasons::Test;
use super::rpc::rpc;
use crate::arguments::ble::{HwBleArguments, HwBleCommand};
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::measure::planned;
use crate::output::{self, Form};
use crate::request::Manner;

/// Shortest stretch that has a rate.
const SECOND: Duration = Duration::from_secs(1);

/// Carries out `command` on a real controller.
pub fn ble(command: &HwBleCommand, manner: Manner) -> Result<Exit, Failure> {
    match command {
        HwBleCommand::Coc(arguments) => stream(arguments, Carrier::BleCoc, manner),
        HwBleCommand::Gatt(arguments) => stream(arguments, Carrier::BleGatt, manner),
        HwBleCommand::Scan(arguments) => scan::scan(arguments, manner),
        HwBleCommand::Rpc(arguments) => {
            // Virtual radios are no controller; `airtime rpc` has them.
            if arguments.server.adapter.is_none() {
                place(arguments.server.over.as_deref().unwrap_or_default())?;
            }
            rpc(arguments, manner)
        }
        HwBleCommand::Doctor { hci, adapter } => match Adapter::of(hci.as_deref(), adapter.as_deref())? {
            #[cfg(unix)]
            Adapter::Controller(place) => hci::doctor(&place),
            #[cfg(not(unix))]
            Adapter::Controller(_) => Err(needs_unix()),
            Adapter::System(adapter) => system::doctor(&adapter),
        },
    }
}

fn place(text: &str) -> Result<Place, Failure> {
    controller(text).map_err(|what| Failure::BadInput(format!("--hci {what}")))
}

/// Adapter of a measurement.
enum Adapter {
    /// A controller behind H4, for our own host.
    Controller(Place),
    /// One that the operating system has, with its own host: its address, or `any`.
    System(String),
}

impl Adapter {
    /// Adapter that one of the two options names.
    fn of(hci: Option<&str>, adapter: Option<&str>) -> Result<Self, Failure> {
        match adapter {
            Some(adapter) => Ok(Self::System(adapter.to_owned())),
            None => place(hci.unwrap_or_default()).map(Self::Controller),
        }
    }

    /// Radio of its records.
    fn radio(&self) -> &'static str {
        match self {
            Self::Controller(Place::Serial { .. } | Place::Usb(_) | Place::Adapter(_)) | Self::System(_) => REAL,
            Self::Controller(_) => LIVE,
        }
    }

    /// Back end on it, with a handle that stops it.
    fn back_end(&self, arguments: &HwBleArguments, config: &PeerConfig) -> Result<Opened, Failure> {
        match self {
            #[cfg(unix)]
            Self::Controller(place) => {
                let back_end = Hci::open(config.clone(), place);
                let back_end = back_end.map_err(|why| Failure::Machine(why.said(&test(config, &self.to_string()))))?;
                let stopper = back_end.stopper();
                Ok((Box::new(back_end), stopper))
            }
            #[cfg(not(unix))]
            Self::Controller(_) => Err(needs_unix()),
            Self::System(adapter) => system::open(adapter, arguments, config),
        }
    }
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Controller(place) => place.fmt(f),
            Self::System(adapter) => write!(f, "adapter {adapter}"),
        }
    }
}

#[cfg(not(unix))]
fn needs_unix() -> Failure {
    Failure::Machine("--hci needs Linux or macOS; --adapter any is the Bluetooth of this machine".to_owned())
}

/// A back end, and the handle that stops it.
type Opened = (Box<dyn BackEnd>, Stopper);

/// Stream that was measured.
pub(super) struct Streamed {
    /// Record of the stream.
    pub record: Record,
    /// Set if it lasted as long as was asked for.
    pub is_whole: bool,
}

fn stream(arguments: &HwBleArguments, link: Carrier, manner: Manner) -> Result<Exit, Failure> {
    let Some(Streamed { record, is_whole }) = measured(arguments, link, manner.quiet, stop_on_signal)? else {
        return Ok(Exit::Interrupted);
    };
    output::print(&match manner.form {
        Form::Json => {
            let document = Document { records: [record].into_iter().collect::<Records>(), ..Document::new("hw-ble") };
            output::rendered(|out| airtime_report::json(&document, out))?
        }
        form => output::rendered(|out| form.exporter().export_table(&table(&record), out))?,
    })?;
    Ok(if is_whole { Exit::Ok } else { Exit::Interrupted })
}

/// Measures the stream that `arguments` ask for; `listen` is given the handle that stops it. None if it was stopped before there was a stream.
pub(super) fn measured(
    arguments: &HwBleArguments,
    link: Carrier,
    quiet: bool,
    listen: impl FnOnce(Stopper) -> Result<(), Failure>,
) -> Result<Option<Streamed>, Failure> {
    let adapter = Adapter::of(arguments.hci.as_deref(), arguments.adapter.as_deref())?;
    let config = config(arguments, link)?;
    let sends = config.name.ends_with("source");
    let place = adapter.to_string();
    let test = test(&config, &place);
    let failed = |refusal: Refusal| Failure::Machine(refusal.said(&test));
    let (mut back_end, stopper) = adapter.back_end(arguments, &config)?;
    listen(stopper)?;
    let mut told = 0;
    let tell = |status: &Status| {
        if !quiet {
            said(status, config.role == Role::Peripheral, &mut told).iter().for_each(|line| output::say(line));
        }
    };
    let status = match measure(back_end.as_mut(), arguments.length, tell) {
        Err(stopped @ Refusal::Stopped) => {
            output::say(&stopped.said(&test));
            return Ok(None);
        }
        measured => measured.map_err(failed)?,
    };
    let is_whole = status.streaming.is_some_and(|streaming| streaming >= arguments.length);
    let mut record = record(arguments, &config, &adapter, &status, sends);
    record.verdict = Some(verdict(&record, &[], "the connection"));
    record.outcome = if is_whole { "ok" } else { "stopped" }.to_owned();
    record.note = Some(note(config.scenario.run.warmup, &status, is_whole));
    record.replay = replay(arguments, link);
    Ok(Some(Streamed { record, is_whole }))
}

/// The test as reasons speak of it.
fn test<'a>(config: &'a PeerConfig, place: &'a str) -> Test<'a> {
    Test { config, place, name: "--name", psm: "--psm " }
}

/// Remark on what the figure is of.
fn note(warmup: Duration, status: &Status, is_whole: bool) -> String {
    let stopped = if is_whole { "" } else { " It was stopped before the time that was asked for." };
    let none =
        if status.steady_kbps.is_some() { "" } else { " No second of it was left behind that: there is no figure." };
    let whole = status.whole.map(|whole| format!(" Of the payload: {whole}.")).unwrap_or_default();
    format!("The first {warmup} of the stream are left out.{stopped}{none}{whole}")
}

/// The command that measures the same.
fn replay(arguments: &HwBleArguments, link: Carrier) -> String {
    let head = if link == Carrier::BleCoc { "coc" } else { "gatt" };
    let HwBleArguments { hci, adapter, address, plan, name, psm, role, length, radio, board, changes } = arguments;
    let options = [
        ("--hci", hci.clone()),
        ("--adapter", adapter.clone()),
        ("--address", address.clone()),
        ("--plan", plan.clone()),
        ("--point", changes.point.clone()),
        ("--seed", changes.seed.map(|seed| seed.to_string())),
        ("--name", name.clone()),
        ("--psm", psm.map(|psm| format!("0x{psm:04X}"))),
        ("--role", is_peripheral(arguments).then(|| role.clone())),
        ("--for", Some(length.to_string())),
        ("--radio", radio.clone()),
        ("--board", board.clone()),
    ];
    let sets = changes.set.iter().map(|set| ("--set", Some(set.clone())));
    let words =
        options.into_iter().chain(sets).filter_map(|(option, value)| Some(format!("{option} {}", quoted(&value?))));
    std::iter::once(format!("airtime hw ble {head}")).chain(words).collect::<Vec<_>>().join(" ")
}

/// True if this end is the peripheral.
fn is_peripheral(arguments: &HwBleArguments) -> bool {
    arguments.role == "peripheral"
}

/// End of the plan that `arguments` ask for, or of the test as `airtime live host` has it: the peripheral is the source.
fn config(arguments: &HwBleArguments, link: Carrier) -> Result<PeerConfig, Failure> {
    if let (Carrier::BleGatt, Some(psm)) = (link, arguments.psm) {
        return Err(Failure::BadInput(format!("--psm 0x{psm:04X}: values of GATT go by no channel")));
    }
    let head = if link == Carrier::BleCoc { "coc" } else { "gatt" };
    let bad = |error: airtime_live::ble::options::OptionError| Failure::BadInput(error.to_string());
    let is_peripheral = is_peripheral(arguments);
    if is_peripheral && arguments.address.is_some() {
        return Err(Failure::BadInput(
            "--address is of the board, which this end is: --role peripheral goes without".to_owned(),
        ));
    }
    let own_end = if is_peripheral { "source" } else { "sink" };
    let mut config =
        own(&format!("{head}-{own_end}"), Some(&arguments.role), &airtime_lab::Library::builtin()).map_err(bad)?;
    if let Some(plan) = &arguments.plan {
        let scenario: Scenario = planned(plan, &arguments.changes, &BleLink, "coc-nrf")?;
        if scenario.link != link {
            let (is, wants) = (scenario.link.name(), link.name());
            return Err(Failure::BadInput(format!("{plan}: it is a plan of {is}, and this command takes {wants}")));
        }
        let sends = if scenario.connection.direction.peripheral_sends() == is_peripheral { "source" } else { "sink" };
        (config.name, config.scenario) = (format!("{head}-{sends}"), scenario);
    } else if !arguments.changes.set.is_empty() {
        return Err(Failure::BadInput("--set changes a plan: --plan says which".to_owned()));
    }
    if let Some(name) = &arguments.name {
        config.scenario.connection.name.clone_from(name);
    }
    let (length, warmup) = (arguments.length, config.scenario.run.warmup);
    if length < warmup + SECOND {
        let least = warmup + SECOND;
        return Err(Failure::BadInput(format!(
            "--for {length}: the warm-up of {warmup} is left out, and a second at least has to be left: --for {least}, or a plan with another \
             run.warmup"
        )));
    }
    let role = if is_peripheral { Role::Peripheral } else { Role::Central };
    Ok(PeerConfig { role, psm: arguments.psm.or(config.psm), ..config })
}

/// Lines on what is new: the seconds of the stream, and before it how far it has come.
fn said(status: &Status, is_peripheral: bool, told: &mut usize) -> Vec<String> {
    let new = status.series_kbps.iter().enumerate().skip(*told);
    let lines: Vec<String> = new.map(|(second, kbps)| format!("{}.0 s: {kbps:.1} kbps", second + 1)).collect();
    *told = status.series_kbps.len();
    match (lines.is_empty() && status.streaming.is_none(), status.connections, status.step) {
        (true, 0, _) if status.ready => vec![if is_peripheral { "advertising" } else { "looking for it" }.to_owned()],
        (true, 1.., Some(step)) => vec![format!("connected: {step}")],
        _ => lines,
    }
}

fn record(arguments: &HwBleArguments, config: &PeerConfig, adapter: &Adapter, status: &Status, sends: bool) -> Record {
    let radio = arguments.radio.as_deref().unwrap_or(adapter.radio());
    let steady = status.steady_kbps;
    let warmup = config.scenario.run.warmup;
    let is_c2p = sends == (config.role == Role::Central);
    let mut params = Ordered::new();
    if let Some(terms) = &status.negotiated {
        params.set("ble.conn_interval", terms.conn_interval.clone().into());
        params.set("ble.phy", terms.phy.clone().into());
        params.set("ble.data_length", if is_c2p { terms.dle.c2p } else { terms.dle.p2c }.into());
        params.set("ble.direction", if is_c2p { "c2p" } else { "p2c" }.into());
        let (key, size) =
            if config.scenario.link == Carrier::BleCoc { (Coc::MPS, terms.mps) } else { (Gatt::MTU, terms.mtu) };
        if let Some(size) = size {
            params.set(key.name, size.into());
        }
    }
    // What the other end hands over is its own affair.
    config.scenario.show(&mut |key, value| {
        if sends && (key.name == Coc::SDU.name || key.name == Gatt::PAYLOAD.name) {
            params.set(key.name, value);
        }
    });
    Record {
        id: arguments.plan.clone().unwrap_or_else(|| format!("hw-{}", config.name)),
        link: config.scenario.link.name().to_owned(),
        params,
        negotiated: status.negotiated.clone(),
        // What this end has submitted is what its own stack took; only what it receives has arrived.
        goodput_kbps: steady.filter(|_| !sends).map(|kbps| Goodput::of(&[kbps])).unwrap_or_default(),
        accepted_kbps: steady.filter(|_| sends),
        delivered_bytes: if sends { 0 } else { status.octets },
        elapsed_ns: status.streaming.unwrap_or_default().as_nanos(),
        steady_ns: status.streaming.unwrap_or_default().saturating_sub(warmup).as_nanos(),
        series_kbps: status.series_kbps.clone(),
        measured: steady.map(|value| Measured {
            value,
            unit: "kbps".to_owned(),
            source: format!("airtime hw ble at {adapter}"),
            accepted: sends,
            ..Measured::default()
        }),
        radio: Some(radio.to_owned()),
        environment: Some(Environment {
            board: arguments.board.clone(),
            os: Some(std::env::consts::OS.to_owned()),
            ..Environment::default()
        }),
        ..Record::default()
    }
}

fn table(record: &Record) -> Table {
    let kbps = record.measured.as_ref().map(|figure| format!("{:.1}", figure.value)).unwrap_or_default();
    let accepted = record.accepted_kbps.is_some();
    let mut table = Table::default();
    table.column("link", Align::Left, [record.link.as_str()]);
    table.column(if accepted { "accepted kbps" } else { "arrived kbps" }, Align::Right, [kbps]);
    table.column("s", Align::Right, [format!("{:.1}", record.steady_ns as f64 / 1e9)]);
    if let Some(terms) = &record.negotiated {
        table.column("interval", Align::Right, [terms.conn_interval.as_str()]);
        table.column("PHY", Align::Left, [terms.phy.as_str()]);
        table.column("data length", Align::Right, [format!("{}/{}", terms.dle.c2p, terms.dle.p2c)]);
        let number = |number: Option<u16>| number.map(|number| number.to_string()).unwrap_or_default();
        table.column_if_any("MTU", Align::Right, [number(terms.mtu)]);
        table.column_if_any("MPS", Align::Right, [number(terms.mps)]);
        table.column_if_any("credits", Align::Right, [number(terms.initial_credits)]);
    }
    table.column("radio", Align::Left, [record.radio.as_deref().unwrap_or_default()]);
    table.remarks.extend(record.note.iter().cloned());
    table
}
