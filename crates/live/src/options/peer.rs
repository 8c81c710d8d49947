//! `--peer`: one of our own hosts with the test application.

use airtime_ble::host::Role;
use airtime_ble::plan::{Link, Scenario};
use airtime_lab::{Library, Plan, schema, spelling};

use super::OptionError;
use super::endpoint::default_address;
use super::words::{address, split};
use crate::config::PeerConfig;

/// Kind of a peer: its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Streams over a credit-based channel.
    CocSource,
    /// Takes such a stream.
    CocSink,
    /// Streams notifications or write commands.
    GattSource,
    /// Takes those.
    GattSink,
}

/// Peers by name.
const KINDS: &[(&str, Kind)] = &[
    ("coc-source", Kind::CocSource),
    ("coc-sink", Kind::CocSink),
    ("gatt-source", Kind::GattSource),
    ("gatt-sink", Kind::GattSink),
];

/// Short words for the plan's keys: in a channel's test, in GATT's.
const WORDS: &[(&str, &str, &str)] = &[
    ("interval", "ble.conn_interval", "ble.conn_interval"),
    ("phy", "ble.phy", "ble.phy"),
    ("name", "ble.name", "ble.name"),
    ("data_length", "ble.data_length", "ble.data_length"),
    ("encrypted", "ble.encrypted", "ble.encrypted"),
    ("sdu", "coc.sdu", "gatt.payload"),
    ("mps", "coc.mps", "gatt.mtu"),
    ("mtu", "coc.mtu", "gatt.mtu"),
    ("in_flight", "coc.in_flight", "gatt.in_flight"),
    ("credits", "coc.credits", "coc.credits"),
    ("seed", "run.seed", "run.seed"),
];

/// The peer on controller number `index` as `text` describes it, with the personalities of `library`.
///
/// # Errors
/// What is wrong with it.
pub fn peer(index: usize, text: &str, library: &Library) -> Result<PeerConfig, OptionError> {
    own("--peer", index, text, library)
}

/// One of our own hosts as `text` of `option` describes it.
///
/// # Errors
/// What is wrong with it.
pub fn own(option: &'static str, index: usize, text: &str, library: &Library) -> Result<PeerConfig, OptionError> {
    let wrong = |what: String| OptionError::new(option, text, what);
    let (head, pairs) = split(text).map_err(wrong)?;
    let kind = kind(head).map_err(wrong)?;
    let (mut own_address, mut role, mut sets) = (None, Role::Peripheral, Vec::new());
    for (key, value) in pairs {
        match key {
            "role" => role = role_of(value).map_err(wrong)?,
            "address" => own_address = Some(address(value).map_err(wrong)?),
            "personality" => {
                sets.extend(["central", "peripheral"].map(|end| (format!("{end}.personality"), value.to_owned())));
            }
            _ => sets.push((behind(kind, key).map_err(wrong)?, value.to_owned())),
        }
    }
    let scenario = scenario(kind, role, &sets, library).map_err(|error| OptionError::of(option, text, &error))?;
    let address = own_address.unwrap_or_else(|| default_address(index, scenario.run.seed));
    Ok(PeerConfig { name: head.to_owned(), scenario, role, address })
}

fn kind(head: &str) -> Result<Kind, String> {
    if let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == head) {
        return Ok(*kind);
    }
    let names = KINDS.iter().map(|(name, _)| *name);
    let all = names.clone().collect::<Vec<_>>().join(", ");
    Err(match (head, spelling::nearest(head, names)) {
        ("rpc", _) => format!("remote calls are served by `airtime live rpc`; there are {all}"),
        (_, Some(nearest)) => format!("`{head}` is no peer; did you mean `{nearest}`? there are {all}"),
        (_, None) => format!("`{head}` is no peer; there are {all}"),
    })
}

fn role_of(text: &str) -> Result<Role, String> {
    match text {
        "central" => Ok(Role::Central),
        "peripheral" => Ok(Role::Peripheral),
        _ => Err(format!("`role`: `{text}` is not one of its values; allowed here: \"central\", \"peripheral\"")),
    }
}

/// The plan's key behind a word of a peer of this kind; a key of a plan stands for itself.
fn behind(kind: Kind, word: &str) -> Result<String, String> {
    let of_coc = matches!(kind, Kind::CocSource | Kind::CocSink);
    let short = WORDS.iter().find(|(short, ..)| *short == word);
    let short = short.map(|(_, coc, gatt)| if of_coc { *coc } else { *gatt });
    // Parts of tables have short names as well: `credits.initial`, `loss.per`.
    let long = [word.to_owned(), format!("coc.{word}"), format!("ble.{word}")];
    let allowed = |key: &String| {
        schema::find(key).is_some_and(|_| !["central.", "peripheral."].iter().any(|table| key.starts_with(table)))
    };
    if let Some(key) = short.map(str::to_owned).or_else(|| long.into_iter().find(allowed)) {
        return Ok(key);
    }
    let words = ["role", "personality", "address"].into_iter().chain(WORDS.iter().map(|(short, ..)| *short));
    let keys = schema::KEYS.iter().map(|key| key.name);
    let nearest = spelling::nearest(word, words.clone().chain(keys));
    let hint = nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    let all = words.collect::<Vec<_>>().join(", ");
    Err(format!("unknown key `{word}`{hint} allowed here: {all}, and the keys of a plan"))
}

/// The scenario of a plan that says the same: it checks every key and value.
fn scenario(
    kind: Kind,
    role: Role,
    sets: &[(String, String)],
    library: &Library,
) -> Result<Scenario, airtime_lab::PlanError> {
    let link = if matches!(kind, Kind::CocSource | Kind::CocSink) { Link::BleCoc } else { Link::BleGatt };
    let sends = matches!(kind, Kind::CocSource | Kind::GattSource);
    let direction = if sends == (role == Role::Peripheral) { "p2c" } else { "c2p" };
    let text = format!("link = \"{}\"\n[ble]\ndirection = \"{direction}\"\n", link.name());
    let plan = Plan::parse("live", &text, library, sets)?;
    let point = plan.point(0).expect("a plan has at least one point");
    Ok(point.scenario.of::<airtime_ble::plan::Scenario>().cloned().expect("the text says so"))
}
