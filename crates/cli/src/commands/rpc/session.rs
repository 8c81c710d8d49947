//! Session of a job: arguments become a scenario, an encryption and a place.

use std::env;
use std::path::PathBuf;

use airtime_ble_link::plan::{Scenario, Transport};
use airtime_lab::{Library, Plan, PlanError};
use airtime_live::Place;
use airtime_live::ble::options::controller;
use airtime_live::rpc::{CallingConfig, KnownKeys, Trust, hex};
use airtime_rpc::client::Encryption;
use airtime_rpc::crypto::Pin;

use crate::arguments::ChangeArguments;
use crate::arguments::rpc::{ModeArgument, ServerArguments};
use crate::exit::Failure;
use crate::request::Changes;
use crate::{catalog, measure};
use airtime_study::request::single;

/// Plan of a client that was given none: both ends of virtual radios, or its own end of real ones. The window keeps a
/// long transfer going through several connection events.
const PLAN: &str = "name = \"rpc\"\nlink = \"ble-rpc\"\n[rpc]\nwindow = \"64kB\"\n";

/// The name of the published peripheral.
const NAME: &str = "blerpc";

/// Word for whichever adapter is powered.
pub const ANY_ADAPTER: &str = "any";

/// Place of a server.
#[derive(Debug)]
pub enum Over {
    /// Server in the air around a controller of somebody's.
    Place(Place),
    /// Server in the air around an adapter of the system's own Bluetooth: its address, or none for the one that is powered.
    Adapter(Option<String>),
    /// On virtual radios.
    Virtual,
}

/// Session of a job: its server, and the configuration of the calls.
#[derive(Debug)]
pub struct Session {
    /// Place of the server.
    pub over: Over,
    /// Place of the server as it was written.
    pub said: String,
    /// Configuration of the calls.
    pub calling: CallingConfig,
}

/// Makes sense of the arguments, and opens the file of known keys.
///
/// # Errors
/// What makes no sense.
pub fn session(arguments: &ServerArguments) -> Result<(Session, Trust), Failure> {
    let over = match arguments.over.as_deref() {
        None if arguments.adapter.is_some() => {
            Over::Adapter(arguments.adapter.clone().filter(|adapter| adapter != ANY_ADAPTER))
        }
        Some(over) if is_place(over) => {
            Over::Place(controller(over).map_err(|what| Failure::BadInput(format!("--over {what}")))?)
        }
        _ => Over::Virtual,
    };
    let pin = arguments.pin.as_deref().map(|text| {
        hex::key(text).ok_or_else(|| Failure::BadInput(format!("--pin {text}: expected 64 hexadecimal digits")))
    });
    let pin = pin.transpose()?;
    let scenario = match (&over, arguments.over.as_deref()) {
        (Over::Virtual, Some(plan)) => planned(plan, arguments)?,
        _ => own(arguments)?,
    };
    if matches!(over, Over::Adapter(_)) && scenario.transport() != Transport::Gatt {
        let what = "--adapter: the system carries frames as values; leave out rpc.transport=coc, or call over --hci";
        return Err(Failure::BadInput(what.to_owned()));
    }
    let is_in_the_air = !matches!(over, Over::Virtual);
    let sealed = match over {
        Over::Place(_) | Over::Adapter(_) => !arguments.open,
        Over::Virtual => !arguments.open && (pin.is_some() || scenario.rpc.as_ref().is_some_and(|rpc| rpc.encrypted)),
    };
    let encryption = match pin {
        _ if !sealed => Encryption::Off,
        Some(key) => Encryption::Required(Pin::Known(key)),
        None => Encryption::Required(Pin::FirstUse),
    };
    let trust = match pin {
        None if sealed && is_in_the_air => Trust::FirstUse(known_keys(arguments)?),
        _ if arguments.open && is_in_the_air => slighted(arguments).unwrap_or(Trust::Any),
        _ => Trust::Any,
    };
    let adapter = arguments.adapter.as_ref().map(|adapter| format!("adapter {adapter}"));
    let said = arguments.over.clone().or(adapter).unwrap_or_else(|| "virtual radios".to_owned());
    let calling = CallingConfig { scenario, encryption, patience: arguments.timeout };
    Ok((Session { over, said, calling }, trust))
}

/// Tells if the text is a place of a controller; else it is a plan.
fn is_place(over: &str) -> bool {
    let begins = ["tcp:", "unix:", "serial:", "pty", "usb:"].iter().any(|kind| over.starts_with(kind));
    let is_adapter = over.strip_prefix("hci").is_some_and(|index| index.parse::<u16>().is_ok());
    begins || over == "usb" || is_adapter
}

/// Trust in anybody, with the keys that are not looked at, if there are any; whoever needs none is not kept by a file that cannot be read.
fn slighted(arguments: &ServerArguments) -> Option<Trust> {
    let path = arguments.known_keys.clone().map_or_else(|| state("rpc-known-keys", "--known-keys"), Ok).ok()?;
    let keys = path.exists().then(|| KnownKeys::open(&path).ok()).flatten()?;
    Some(Trust::Open { keys, known: None })
}

/// The keys of servers met before.
fn known_keys(arguments: &ServerArguments) -> Result<KnownKeys, Failure> {
    let path = arguments.known_keys.clone().map_or_else(|| state("rpc-known-keys", "--known-keys"), Ok)?;
    KnownKeys::open(&path).map_err(|error| Failure::Machine(error.to_string()))
}

/// A file that this program keeps for its user.
///
/// # Errors
/// When nothing says where such files are; `option` names one then.
pub fn state(name: &str, option: &str) -> Result<PathBuf, Failure> {
    let set = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local").join("state")));
    let folder = folder.ok_or_else(|| {
        Failure::BadInput(format!("neither XDG_STATE_HOME nor HOME says where `{name}` is; name it with {option} FILE"))
    })?;
    Ok(folder.join("airtime").join(name))
}

/// Changes to a plan.
fn changes(arguments: &ServerArguments, mode: Option<ModeArgument>) -> Vec<String> {
    let mode = mode.map(|mode| match mode {
        ModeArgument::Compatible => "rpc.mode=compatible".to_owned(),
        ModeArgument::Extended => "rpc.mode=extended".to_owned(),
    });
    let name = arguments.name.as_ref().map(|name| format!("ble.name={name}"));
    mode.into_iter().chain(name).chain(arguments.set.iter().cloned()).collect()
}

/// Scenario of the one point of a plan of this link.
fn planned(plan: &str, arguments: &ServerArguments) -> Result<Scenario, Failure> {
    let set = changes(arguments, arguments.mode);
    let changes = ChangeArguments { set, seed: arguments.seed, point: arguments.point.clone() };
    let plans = measure::parse(&[catalog::find(plan, "")?], &Changes::of(&changes)?)?;
    let selected = single(&plans, changes.point.as_deref(), "called")?;
    let scenario = selected.point(&plans)?.scenario;
    scenario.of::<Scenario>().cloned().filter(|scenario| scenario.rpc.is_some()).ok_or_else(|| {
        Failure::BadInput(format!(
            "--over {plan}: it is no plan of ble-rpc, such as rpc-conformance, and no controller, such as tcp:127.0.0.1:9000"
        ))
    })
}

/// The scenario without a plan.
fn own(arguments: &ServerArguments) -> Result<Scenario, Failure> {
    let named = arguments.name.is_none().then(|| format!("ble.name={NAME}"));
    let set = changes(arguments, Some(arguments.mode.unwrap_or(ModeArgument::Extended)));
    scenario(named.into_iter().chain(set), arguments.seed).map_err(|error| Failure::BadInput(format!("--set: {error}")))
}

/// The scenario of remote calls with these changes.
///
/// # Errors
/// What a change makes no sense of.
pub fn scenario(set: impl IntoIterator<Item = String>, seed: Option<u64>) -> Result<Scenario, PlanError> {
    let pairs = set.into_iter().chain(seed.map(|seed| format!("run.seed={seed}")));
    let pairs: Vec<(String, String)> = pairs
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) => (key.trim().to_owned(), value.trim().to_owned()),
            None => (pair, String::new()),
        })
        .collect();
    let plan = Plan::parse("rpc", PLAN, &Library::builtin(), &pairs)?;
    let point = plan.point(0).expect("a plan has at least one point");
    Ok(point.scenario.of::<Scenario>().cloned().expect("the text says so"))
}
