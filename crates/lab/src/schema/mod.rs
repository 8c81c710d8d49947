//! One table of every key of a plan: validation, nearest spelling, `--set`, the params of a record,
//! `docs/plan.md` and the candidates of `explain` all come from it.

mod credits;
mod keys;
mod kind;
mod markdown;
pub mod sdkconfig;
mod steps;
mod turns;

use crate::plan::scenario::AnyLink;

pub use credits::{CREDIT_FORMS, CREDIT_POLICIES, CREDIT_WORDS, credit_policy, credit_policy_parts};
pub use keys::{CHECKS, INTERVAL_GRID, INTERVAL_MIN, KEYS, LINKS, METHODS, MODES, POWERS};
pub use kind::{Kind, Need, Threshold};
pub use markdown::markdown;
pub use steps::steps;
pub use turns::Turns;

/// Keys of a stream over Bluetooth LE that say nothing about remote calls.
const NOT_OF_CALLS: [&str; 14] = [
    "ble.direction",
    "ble.peripherals",
    "coc.sdu",
    "coc.in_flight",
    "coc.channels",
    "coc.pacing",
    "gatt.payload",
    "gatt.method",
    "gatt.in_flight",
    "gatt.pacing",
    "run.warmup",
    "ble.change_interval",
    "ble.change_interval.at",
    "ble.change_interval.to",
];

/// One key of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Dotted name: `coc.sdu`.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What it is when the plan does not say.
    pub default: Default,
    /// Whose knob it is.
    pub knob: Knob,
    /// Which kinds of link it means something to.
    pub scope: Scope,
    /// One line about it.
    pub doc: &'static str,
}

/// What a key is when the plan does not say.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// This number.
    Count(u64),
    /// This text.
    Text(&'static str),
    /// This flag.
    Flag(bool),
    /// From a personality or from other keys, as described.
    From(&'static str),
    /// Absent.
    Absent,
}

/// Whose knob a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// Always theirs.
    Of(Turns),
    /// Of the device that streams.
    Sender,
    /// Of the device that receives the stream.
    Receiver,
    /// Of the central's application where it may choose the interval; elsewhere the firmware asks.
    Interval,
}

/// Which kinds of link a key means something to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The plan as a whole; cannot differ between points.
    Plan,
    /// Every link.
    Every,
    /// Bluetooth LE: `ble-coc`, `ble-gatt` and `ble-rpc`.
    Ble,
    /// `ble-coc`, and `ble-rpc` where it goes over a channel.
    Coc,
    /// `ble-gatt`, and `ble-rpc` where it goes over a characteristic.
    Gatt,
    /// `ble-rpc` only.
    Rpc,
    /// `nrf24-ip` only.
    Nrf24,
    /// `wifi-hosted` only.
    Wifi,
    /// Links that carry IP: `nrf24-ip` and `wifi-hosted`.
    Tun,
}

impl Scope {
    /// Whether a key of this scope means something to the link of this name.
    pub fn covers(self, link: &str) -> bool {
        match self {
            Self::Plan | Self::Every => true,
            Self::Ble => link.starts_with("ble-"),
            Self::Coc => link == "ble-coc" || link == "ble-rpc",
            Self::Gatt => link == "ble-gatt" || link == "ble-rpc",
            Self::Rpc => link == "ble-rpc",
            Self::Nrf24 => link == "nrf24-ip",
            Self::Wifi => link == "wifi-hosted",
            Self::Tun => link == "nrf24-ip" || link == "wifi-hosted",
        }
    }

    /// Whether a key of this scope is about such a link at all: one of `ble-gatt` may stand in a plan of `ble-coc`, but
    /// none of Bluetooth LE in one of the nRF24L01+ or of Wi-Fi.
    pub fn concerns(self, link: &AnyLink) -> bool {
        match self {
            Self::Plan | Self::Every => true,
            Self::Ble | Self::Coc | Self::Gatt | Self::Rpc => matches!(link, AnyLink::Ble(_)),
            Self::Nrf24 => matches!(link, AnyLink::Nrf24(_)),
            Self::Wifi => matches!(link, AnyLink::Wifi(_)),
            Self::Tun => matches!(link, AnyLink::Nrf24(_) | AnyLink::Wifi(_)),
        }
    }
}

impl Key {
    /// The part of the name before the last dot, empty for `name` and `link`.
    pub fn table(&self) -> &'static str {
        self.name.rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// Whether a key of Bluetooth LE means something to remote calls as well: those of a stream do not.
    pub fn means_something_to_calls(&self) -> bool {
        !NOT_OF_CALLS.contains(&self.name)
    }

    /// Position in [`KEYS`].
    pub(crate) fn index(&self) -> usize {
        KEYS.iter().position(|key| key.name == self.name).expect("every key is in the table")
    }
}

/// The key of this dotted name.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// Whether `name` is a table of keys: `ble`, or `ble.loss`.
pub fn is_table(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The names directly below `table` (`""` for the top), in the order of [`KEYS`].
pub fn below(table: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for key in KEYS {
        let rest = match table {
            "" => Some(key.name),
            _ => key.name.strip_prefix(table).and_then(|rest| rest.strip_prefix('.')),
        };
        let Some(first) = rest.and_then(|rest| rest.split('.').next()) else { continue };
        if !names.contains(&first) {
            names.push(first);
        }
    }
    names
}

#[cfg(test)]
mod tests;
