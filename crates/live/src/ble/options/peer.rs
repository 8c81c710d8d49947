//! `--peer`: one of our own hosts with the test application.

use airtime_ble::host::Role;
use airtime_ble_link::plan::{Carrier, Scenario};
use airtime_lab::{Library, Plan, schema, spelling};

use super::OptionError;
use super::endpoint::default_address;
use super::words::{address, is_of_bus, split};
use crate::ble::config::PeerConfig;

/// Kind of a peer: its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerKind {
    /// Streams over a credit-based channel.
    CocSource,
    /// Takes such a stream.
    CocSink,
    /// Streams notifications or write commands.
    GattSource,
    /// Takes notifications or write commands.
    GattSink,
}

impl PeerKind {
    fn sends(self) -> bool {
        matches!(self, Self::CocSource | Self::GattSource)
    }

    fn is_of_channel(self) -> bool {
        matches!(self, Self::CocSource | Self::CocSink)
    }
}

/// Peers by name.
const KINDS: &[(&str, PeerKind)] = &[
    ("coc-source", PeerKind::CocSource),
    ("coc-sink", PeerKind::CocSink),
    ("gatt-source", PeerKind::GattSource),
    ("gatt-sink", PeerKind::GattSink),
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

/// Option of a peer that shares the server with its controller.
const PEER: &str = "--peer";

/// Words that say who hands out credits, and how.
const CREDIT_WORDS: [&str; 3] = ["credits", "coc.credits", "personality"];

/// Policy of a receiver that was told nothing: enough credits that they are not what is measured, unlike those of the default
/// personality, which gives one.
const CREDITS: &str = "bumble";

/// The peer on controller number `index` as `text` describes it, with the personalities of `library`.
///
/// # Errors
/// What is wrong with it.
pub fn peer(index: usize, text: &str, library: &Library) -> Result<PeerConfig, OptionError> {
    own(PEER, index, text, None, library)
}

/// A host that runs by itself: `role` is what `--role` says. A source advertises and a sink looks for it, unless something is said, so
/// that two of them meet.
///
/// # Errors
/// What is wrong with it.
pub fn host(text: &str, role: Option<&str>, library: &Library) -> Result<PeerConfig, OptionError> {
    let wrong = |what: String| OptionError::new("live host", text, what);
    let (head, pairs) = split(text).map_err(wrong)?;
    let kind = kind(head).map_err(wrong)?;
    let in_text = pairs.iter().find(|(key, _)| *key == "role").map(|(_, value)| *value);
    let role = match (role, in_text) {
        (Some(one), Some(other)) if one != other => {
            return Err(wrong(format!("role={other}, and --role {one}: which of them is meant?")));
        }
        (Some(role), _) | (None, Some(role)) => role_of(role).map_err(wrong)?,
        (None, None) if kind.sends() => Role::Peripheral,
        (None, None) => Role::Central,
    };
    own("live host", 0, text, Some(role), library)
}

/// Checks that each source and sink which are there for each other can meet: that one of those it could meet has the other role.
///
/// # Errors
/// The pair that cannot.
pub fn check_roles(peers: &[PeerConfig]) -> Result<(), String> {
    for one in peers {
        let counterparts = || peers.iter().filter(|other| are_counterparts(one, other));
        if counterparts().any(|other| other.role != one.role) {
            continue;
        }
        if let Some(other) = counterparts().next() {
            let (one, other, role) = (&one.name, &other.name, one.role_name());
            return Err(format!(
                "--peer {one} and --peer {other} are both {role}s and never meet: role=central makes one of them look for the other, \
                 role=peripheral advertise; where an outside host is the other end of each, give one another name="
            ));
        }
    }
    Ok(())
}

/// Tells if one is a source and the other a sink of one kind, under one name.
fn are_counterparts(one: &PeerConfig, other: &PeerConfig) -> bool {
    let name = |peer: &PeerConfig| peer.scenario.connection.name.clone();
    let is_pair = matches!((one.name.split_once('-'), other.name.split_once('-')),
        (Some((one, own)), Some((other, its))) if one == other && own != its);
    is_pair && name(one) == name(other)
}

/// One of our own hosts as `text` of `option` describes it; a `role` from elsewhere counts for more.
fn own(
    option: &'static str,
    index: usize,
    text: &str,
    role: Option<Role>,
    library: &Library,
) -> Result<PeerConfig, OptionError> {
    let wrong = |what: String| OptionError::new(option, text, what);
    let (head, pairs) = split(text).map_err(wrong)?;
    let kind = kind(head).map_err(wrong)?;
    let (mut own_address, mut psm, mut sets, mut bus) = (None, None, Vec::new(), Vec::new());
    let mut in_text = Role::Peripheral;
    if kind == PeerKind::CocSink && !pairs.iter().any(|(key, _)| says_credits(key)) {
        sets.push(("coc.credits".to_owned(), CREDITS.to_owned()));
    }
    for (key, value) in pairs {
        match key {
            "role" => in_text = role_of(value).map_err(wrong)?,
            "psm" => psm = Some(psm_of(kind, value).map_err(wrong)?),
            "address" => own_address = Some(address(value).map_err(wrong)?),
            "personality" => {
                sets.extend(["central", "peripheral"].map(|end| (format!("{end}.personality"), value.to_owned())));
            }
            _ if is_of_bus(key) && option != PEER => {
                return Err(wrong(format!(
                    "`{key}`: the bus of this host is the one to `--hci`; a bus is for a `--peer`"
                )));
            }
            _ if is_of_bus(key) => bus.push((key, value)),
            _ => sets.push((behind(kind, key).map_err(wrong)?, value.to_owned())),
        }
    }
    let role = role.unwrap_or(in_text);
    let end = if role == Role::Central { "central" } else { "peripheral" };
    sets.extend(bus.into_iter().map(|(key, value)| (format!("{end}.{key}"), value.to_owned())));
    let scenario = scenario(kind, role, &sets, library).map_err(|error| OptionError::of(option, text, &error))?;
    let address = own_address.unwrap_or_else(|| default_address(index, scenario.run.seed));
    Ok(PeerConfig { name: head.to_owned(), scenario, role, address, psm })
}

fn kind(head: &str) -> Result<PeerKind, String> {
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

fn says_credits(key: &str) -> bool {
    CREDIT_WORDS.contains(&key)
        || key.ends_with(".personality")
        || key.starts_with("credits.")
        || key.starts_with("coc.credits.")
}

/// An LE PSM; those from 0x0080 on are free. Core 6.0, Vol 3, Part A, 4.22.
fn psm_of(kind: PeerKind, text: &str) -> Result<u16, String> {
    if !kind.is_of_channel() {
        return Err("`psm`: values of GATT go by no channel".to_owned());
    }
    let digits = text.strip_prefix("0x").map_or_else(|| text.parse(), |hex| u16::from_str_radix(hex, 16));
    let known = digits.ok().filter(|psm| (0x01..=0xff).contains(psm));
    known.ok_or_else(|| format!("`psm`: `{text}` is no LE PSM: expected 0x0001 to 0x00FF, such as 0x0080"))
}

/// The plan's key behind a word of a peer of this kind; a key of a plan stands for itself.
fn behind(kind: PeerKind, word: &str) -> Result<String, String> {
    let of_coc = kind.is_of_channel();
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
    let words = ["role", "personality", "address", "psm"].into_iter().chain(WORDS.iter().map(|(short, ..)| *short));
    let keys = schema::KEYS.iter().map(|key| key.name);
    let nearest = spelling::nearest(word, words.clone().chain(keys));
    let hint = nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    let all = words.collect::<Vec<_>>().join(", ");
    Err(format!("unknown key `{word}`{hint} allowed here: {all}, and the keys of a plan"))
}

/// The scenario of a plan that says the same: it checks every key and value.
fn scenario(
    kind: PeerKind,
    role: Role,
    sets: &[(String, String)],
    library: &Library,
) -> Result<Scenario, airtime_lab::PlanError> {
    let link = if kind.is_of_channel() { Carrier::BleCoc } else { Carrier::BleGatt };
    let direction = if kind.sends() == (role == Role::Peripheral) { "p2c" } else { "c2p" };
    let text = format!("link = \"{}\"\n[ble]\ndirection = \"{direction}\"\n", link.name());
    let plan = Plan::parse("live", &text, library, sets)?;
    let point = plan.point(0).expect("a plan has at least one point");
    Ok(point.scenario.of::<airtime_ble_link::plan::Scenario>().cloned().expect("the text says so"))
}
