//! Lines of Zephyr's `prj.conf`.
//!
//! - `age`: names that are gone, read as what took their place
//! - `build`: values of options in a build, with the defaults of those that a file does not say
//! - `traits`: what they make of the device that a plan names
//! - `interval`: the connection interval that a peripheral asks for

mod age;
pub mod build;
mod interval;
pub(super) mod reasons;
pub mod rules;
pub(super) mod traits;

use std::collections::BTreeSet;

use airtime_ble_link::plan::{Connection, Direction, Scenario};
use airtime_keys::config::Side;

use super::File;
use super::line::Line;
use crate::personality::Library;
use crate::plan::{Board, End, Plan, PlanError};
use crate::schema::{KEYS, Key, Knob};
use build::Build;

/// Option without which a board has no 2M.
const PHY_2M: &str = "CONFIG_BT_CTLR_PHY_2M";

/// Personality with the SoftDevice Controller.
const SOFTDEVICE: &str = "nordic-sdc";

/// Personality of a host in a build of its own.
const HOST: &str = "zephyr-host-v3.2";

/// Fates of the lines of `file`, which is built into the device at `end` of `plan`; what they set goes into `board`, and the device
/// with them into `library`.
///
/// # Errors
/// When no such device is possible.
pub fn lines(
    plan: &Plan,
    file: &File,
    end: End,
    board: &mut Board,
    library: &mut Library,
) -> Result<Vec<Line>, PlanError> {
    let names: BTreeSet<String> = plan.points().iter().filter_map(|point| named(&point.scenario, end)).collect();
    let first = plan.point(0).and_then(|point| named(&point.scenario, end)).unwrap_or_default();
    let read = age::read(&file.config);
    let build = Build {
        config: &read.config,
        aged: read.aged,
        extra: read.extra,
        softdevice: is_a(SOFTDEVICE, &first, library),
        host_device: is_a(HOST, &first, library),
    };
    let mut lines: Vec<Line> = read.config.settings().iter().map(|setting| Line::of(&file.name, setting)).collect();
    lines.extend(build.missing().map(|(option, value, source)| Line::missing(&file.name, option, &value, source)));
    let others = other_ends(plan, end);
    for line in &mut lines {
        if let Some(why) = reasons::overridden(&build, line).or_else(|| reasons::impossible(&build, line)) {
            line.refuse(why);
            continue;
        }
        if let Some(why) = reasons::foreign(&build, &line.option) {
            line.ignore(why);
            continue;
        }
        let option = line.option.clone();
        if option == PHY_2M && line.value == "n" {
            board.set.extend(line.set(plan, Connection::PHY, &"1M".into()));
        }
        for key in KEYS.iter().copied().filter(|key| is_option(key, &option) && is_own(key, end)) {
            match others {
                Some(other) if key.knob == other => line.ignore(reasons::of_the_other(key, end)),
                _ => {
                    let value = build::value(key, &option, &line.value);
                    let value = value.and_then(|value| traits::within(key, &build, value));
                    board.set.extend(value.and_then(|value| line.set(plan, key, &value)));
                }
            }
        }
    }
    interval::ask(plan, &build, end, &mut lines, board);
    for name in &names {
        let built = format!("{name} with {}", file.name);
        let own = library.get(name).and_then(|device| device.of()).copied();
        let text = traits::device(name, own.as_ref(), &build, &file.name, &mut lines);
        library.add(&built, &text)?;
        board.devices.push((name.clone(), built));
    }
    lines.iter_mut().for_each(|line| line.ignore(reasons::ignored(&line.option.clone())));
    age::told(&file.config, &mut lines);
    // A default that changes nothing is no line to tell.
    lines.retain(|line| line.line > 0 || !line.sets.is_empty());
    Ok(lines)
}

/// Options that set something, or may: those of keys, and those that others follow from.
#[cfg(test)]
pub const OPTIONS: [&str; 17] = [
    "CONFIG_BT_BUF_ACL_TX_COUNT",
    "CONFIG_BT_BUF_ACL_TX_SIZE",
    "CONFIG_BT_BUF_ACL_RX_SIZE",
    "CONFIG_BT_BUF_ACL_RX_COUNT",
    "CONFIG_BT_L2CAP_TX_BUF_COUNT",
    "CONFIG_BT_L2CAP_TX_MTU",
    "CONFIG_BT_CTLR_DATA_LENGTH_MAX",
    "CONFIG_BT_CTLR_RX_BUFFERS",
    "CONFIG_BT_CTLR_PHY_2M",
    "CONFIG_BT_CONN_TX_MAX",
    "CONFIG_BT_ATT_TX_COUNT",
    "CONFIG_BT_PERIPHERAL_PREF_MIN_INT",
    "CONFIG_BT_PERIPHERAL_PREF_MAX_INT",
    "CONFIG_BT_CTLR_SDC_TX_PACKET_COUNT",
    "CONFIG_BT_HCI_ACL_FLOW_CONTROL",
    "CONFIG_BT_H4",
    "CONFIG_BT_CTLR_ADV_EXT",
];

/// Name of the device at `end`.
pub(super) fn named(scenario: &crate::Scenario, end: End) -> Option<String> {
    scenario.params.get(end.personality().name)?.as_str().map(str::to_owned)
}

/// Tells if the device of this name is `what`, or based on it.
fn is_a(what: &str, name: &str, library: &Library) -> bool {
    let based_on = library.get(name).and_then(|device| device.based_on.as_deref());
    name == what || based_on.is_some_and(|base| is_a(what, base, library))
}

/// Tells if `key` is the option of this name in Zephyr.
pub(super) fn is_option(key: &Key, option: &str) -> bool {
    key.config.iter().any(|own| own.side == Side::Zephyr && own.config == option)
}

/// Tells if `key` may be the board's at `end`: of keys that each end has of its own, those of the other end are not.
pub(super) fn is_own(key: &Key, end: End) -> bool {
    ![End::Central, End::Peripheral].iter().any(|other| *other != end && key.table() == other.name())
}

/// The part in the stream that the device at `end` has at no point, whose keys are the other device's.
pub(super) fn other_ends(plan: &Plan, end: End) -> Option<Knob> {
    let directions: Vec<Direction> =
        plan.points().iter().filter_map(|point| Some(point.scenario.of::<Scenario>()?.connection.direction)).collect();
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
