//! `--hci`: a place, and how the controller there behaves.

use std::path::PathBuf;

use airtime_ble_link::plan::Personality;
use airtime_ble_link::plan::Scenario;
use airtime_keys::Keys;
use airtime_lab::schema::Kind;
use airtime_lab::{Library, Plan};
use serde_json::Value;

use super::OptionError;
use super::words::{address, in_tables, is_of_bus, split, unknown};
use crate::ble::config::EndpointConfig;
use crate::ble::place::Place;

/// Bits per second when nothing is said: what Zephyr's `hci_uart` sample and most dongles use. *Assumed* for others.
const BAUD: u32 = 1_000_000;

/// The controller when nothing is said: Zephyr's, the one whose behaviour is known best.
pub const PERSONALITY: &str = "zephyr-ll";

/// Words of an endpoint, and the plan's keys behind them.
const WORDS: &[(&str, &str)] = &[
    ("seed", "run.seed"),
    ("loss", "ble.loss"),
    ("loss.per", "ble.loss.per"),
    ("loss.miss", "ble.loss.miss"),
    ("loss.damage", "ble.loss.damage"),
    ("loss.ber", "ble.loss.ber"),
    ("loss.good", "ble.loss.good"),
    ("loss.bad", "ble.loss.bad"),
    ("loss.every", "ble.loss.every"),
    ("loss.burst", "ble.loss.burst"),
    ("loss.missed", "ble.loss.missed"),
    ("acl.count", "acl.count"),
    ("acl.size", "acl.size"),
];

/// Tables of a personality that can be overridden.
const TABLES: &[&str] = &["controller"];

/// Endpoint number `index` as `text` describes it, with the personalities of `library`.
///
/// # Errors
/// What is wrong with it.
pub fn endpoint(index: usize, text: &str, library: &Library) -> Result<EndpointConfig, OptionError> {
    let wrong = |what: String| OptionError::new("--hci", text, what);
    let (head, pairs) = split(text).map_err(wrong)?;
    let place = place(head).map_err(wrong)?;
    let (mut own_address, mut personality, mut traits, mut sets) = (None, PERSONALITY, Vec::new(), Vec::new());
    for (key, value) in pairs {
        match (key, WORDS.iter().find(|(word, _)| *word == key)) {
            ("personality", _) => personality = value,
            ("address", _) => own_address = Some(address(value).map_err(wrong)?),
            (_, Some((_, behind))) => sets.push(((*behind).to_owned(), value.to_owned())),
            _ if in_tables(key, TABLES) => traits.push((key, value)),
            _ if is_of_bus(key) => {
                return Err(wrong(format!(
                    "`{key}`: an outside host brings a transport of its own, which takes the time that it takes; a bus is for a `--peer`, or for a plan"
                )));
            }
            _ => {
                let known: Vec<&str> =
                    ["personality", "address"].into_iter().chain(WORDS.iter().map(|w| w.0)).collect();
                return Err(wrong(unknown(key, &known, TABLES)));
            }
        }
    }
    let scenario = scenario(text, personality, &traits, sets, library)?;
    Ok(EndpointConfig {
        place,
        address: own_address.unwrap_or_else(|| default_address(index, scenario.run.seed)),
        personality: personality.to_owned(),
        // The keys of the plan that stands behind are those of its sender, the peripheral.
        controller: scenario.peripheral.controller,
        loss: scenario.connection.loss,
        seed: scenario.run.seed,
    })
}

/// `C0:00:5E:` the low octets of the seed and the number of the controller.
pub fn default_address(index: usize, seed: u64) -> [u8; 6] {
    let [low, high, ..] = seed.to_le_bytes();
    [index as u8, low, high, 0x5e, 0x00, 0xc0]
}

/// Place of somebody else's controller: as for an endpoint, or a serial port, a dongle or an adapter.
///
/// # Errors
/// When the text says nothing of the kind.
pub fn controller(head: &str) -> Result<Place, String> {
    let expected = || {
        format!(
            "`{head}` is no controller: expected tcp:HOST:PORT, unix:PATH, serial:DEVICE[@BAUD], usb[:VENDOR:PRODUCT] or hci0"
        )
    };
    if let Some(choice) = head.strip_prefix("usb") {
        return choice.parse().map(Place::Usb);
    }
    if let Some(index) = head.strip_prefix("hci").filter(|index| index.bytes().all(|digit| digit.is_ascii_digit())) {
        return index.parse().map(Place::Adapter).map_err(|_| expected());
    }
    match head.split_once(':') {
        Some(("serial", text)) if !text.is_empty() => {
            let (device, baud) = match text.rsplit_once('@') {
                Some((device, baud)) => (device, baud.parse().map_err(|_| expected())?),
                None => (text, BAUD),
            };
            Ok(Place::Serial { device: PathBuf::from(device), baud })
        }
        _ => place(head).ok().filter(|place| !matches!(place, Place::Pty(_))).ok_or_else(expected),
    }
}

/// Place of an endpoint.
///
/// # Errors
/// When the text says nothing of the kind.
pub fn place(head: &str) -> Result<Place, String> {
    match head.split_once(':') {
        Some(("tcp", at)) if at.contains(':') => Ok(Place::Tcp(at.to_owned())),
        Some(("unix", path)) if !path.is_empty() => Ok(Place::Unix(PathBuf::from(path))),
        Some(("pty", link)) if !link.is_empty() => Ok(Place::Pty(Some(PathBuf::from(link)))),
        None if head == "pty" => Ok(Place::Pty(None)),
        _ => Err(format!("`{head}` is no endpoint: expected tcp:HOST:PORT, unix:PATH, pty or pty:LINK")),
    }
}

/// The scenario of a plan that says the same: it checks every key and value.
fn scenario(
    text: &str,
    personality: &str,
    traits: &[(&str, &str)],
    mut sets: Vec<(String, String)>,
    library: &Library,
) -> Result<Scenario, OptionError> {
    let refused = |error| OptionError::of("--hci", text, &error);
    let mut library = library.clone();
    let mut name = personality.to_owned();
    if !traits.is_empty() && library.get(personality).is_some() {
        name = format!("{personality}, changed");
        let file = derived(personality, traits).map_err(|what| OptionError::new("--hci", text, what))?;
        library.add(&name, &file).map_err(refused)?;
    }
    for end in ["central", "peripheral"] {
        sets.push((format!("{end}.personality"), name.clone()));
    }
    let plan = Plan::parse("live", "", &library, &sets).map_err(refused)?;
    let point = plan.point(0).ok_or_else(|| OptionError::new("--hci", text, "it describes nothing"))?;
    point
        .scenario
        .of::<airtime_ble_link::plan::Scenario>()
        .cloned()
        .ok_or_else(|| OptionError::new("--hci", text, "it is no Bluetooth LE link"))
}

/// The file of a personality that differs from `base` by `traits`.
fn derived(base: &str, traits: &[(&str, &str)]) -> Result<String, String> {
    let mut file = format!("based_on = {}\n", Value::from(base));
    for (name, text) in traits {
        let key = Personality::KEYS.iter().find(|key| key.name == *name);
        let key = key.ok_or_else(|| unknown(name, &[], TABLES))?;
        let value = match key.kind {
            Kind::Count(..) | Kind::CountOrNone(..) | Kind::Flag if *text != "none" => (*text).to_owned(),
            _ => Value::from(*text).to_string(),
        };
        file += &format!("{name} = {{ value = {value}, status = \"assumed\", source = \"the command line\" }}\n");
    }
    Ok(file)
}
