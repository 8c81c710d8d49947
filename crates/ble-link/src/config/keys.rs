//! Options that are keys of a plan of Bluetooth LE, and which of them are a board's.

use std::sync::LazyLock;

use airtime_keys::config::Side;
use airtime_keys::{Key, Keys, Knob, Value};
use airtime_link::config::{End, Planned};
use airtime_link::{Link, Ordered};

use crate::BleLink;
use crate::plan::{Direction, Personality, Scenario, TABLES};

/// Keys of a plan of Bluetooth LE, in the order of its documentation, each once.
pub static PLAN: LazyLock<Vec<&'static Key>> = LazyLock::new(|| (&BleLink as &dyn Link).keys().collect());

/// Keys of a device.
pub const DEVICE: &[Key] = Personality::KEYS;

/// The key of a plan of this dotted name.
pub fn find(name: &str) -> Option<&'static Key> {
    PLAN.iter().copied().find(|key| key.name == name)
}

/// Tells if `key` means something to the link of this name.
pub fn covers(key: &Key, link: &str) -> bool {
    TABLES.iter().any(|table| table.covers(key, link))
}

/// Tells if `key` is the option of this name in Zephyr.
pub fn is_option(key: &Key, option: &str) -> bool {
    key.config.iter().any(|own| own.side == Side::Zephyr && own.config == option)
}

/// Tells if `key` may be the board's at `end`: of keys that each end has of its own, those of the other end are not.
pub fn is_own(key: &Key, end: End) -> bool {
    ![End::Central, End::Peripheral].iter().any(|other| *other != end && key.table() == other.name())
}

/// The part in the stream that the device at `end` has at no point, whose keys are the other device's.
pub fn other_ends(plan: &dyn Planned, end: End) -> Option<Knob> {
    let mut directions: Vec<Direction> = Vec::new();
    plan.points(&mut |point, _| {
        directions.extend(point.as_any().downcast_ref().map(|own: &Scenario| own.connection.direction));
    });
    let sends = |direction: &Direction| match end {
        End::Central => direction.central_sends(),
        End::Peripheral => direction.peripheral_sends(),
    };
    let receives = |direction: &Direction| match end {
        End::Central => direction.peripheral_sends(),
        End::Peripheral => direction.central_sends(),
    };
    if !directions.iter().any(sends) {
        return Some(Knob::Sender);
    }
    (!directions.iter().any(receives)).then_some(Knob::Receiver)
}

/// Name of the device at `end`, of the values that a point shows.
pub fn named(params: &Ordered<Value>, end: End) -> Option<String> {
    params.get(super::personality(end).name)?.as_str().map(str::to_owned)
}
