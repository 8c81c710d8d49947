//! Lines of Zephyr's `prj.conf`.
//!
//! - `age`: names that are gone, read as what took their place
//! - `build`: values of options in a build, with the defaults of those that a file does not say
//! - `rules`: hazards · `trials`: the runs that show them · `reasons`: why a line sets nothing
//! - `interval`: the connection interval that a peripheral asks for

pub mod age;
pub mod build;
mod interval;
pub mod reasons;
mod retired;
pub mod rules;
pub mod trials;

use std::collections::BTreeSet;

use airtime_keys::config::Side;
use airtime_link::config::{Board, BuiltDevice, End, File, Line, Planned, value_of};

use super::keys::{PLAN, is_option, is_own, named, other_ends};
use super::traits;
use crate::plan::{Connection, Personality};
use build::Build;

/// Option without which a board has no 2M.
const PHY_2M: &str = "CONFIG_BT_CTLR_PHY_2M";

/// Personality with the SoftDevice Controller.
const SOFTDEVICE: &str = "nordic-sdc";

/// Personality of a host in a build of its own.
const HOST: &str = "zephyr-host-v3.2";

/// Settings of `file` in the device at `end` of `plan`, which it is built into, with the fates of its lines.
pub fn board(plan: &dyn Planned, file: &File, end: End) -> Board {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut first: Option<String> = None;
    plan.points(&mut |_, params| {
        let name = named(params, end);
        first.get_or_insert_with(|| name.clone().unwrap_or_default());
        names.extend(name);
    });
    let first = first.unwrap_or_default();
    let read = age::read(&file.config);
    let build = Build {
        config: &read.config,
        aged: read.aged,
        extra: read.extra,
        softdevice: is_a(SOFTDEVICE, &first, plan),
        host_device: is_a(HOST, &first, plan),
    };
    let mut board = Board::default();
    let mut lines: Vec<Line> = read.config.settings().iter().map(|setting| Line::of(&file.name, setting)).collect();
    lines.extend(build.missing().map(|(option, value, source)| Line::missing(&file.name, option, &value, source)));
    take(plan, &build, end, &mut lines, &mut board);
    interval::ask(plan, &build, end, &mut lines, &mut board);
    for name in &names {
        let built = format!("{name} with {}", file.name);
        let own = plan.device(name).and_then(|device| device.downcast_ref::<Personality>());
        let text = traits::device(name, own, &build, &file.name, &mut lines);
        board.devices.push(BuiltDevice { base: name.clone(), name: built, text });
    }
    lines.iter_mut().for_each(|line| line.ignore(reasons::ignored(&line.option.clone())));
    age::told(&file.config, &mut lines);
    // A default that changes nothing is no line to tell.
    lines.retain(|line| line.line > 0 || !line.sets.is_empty());
    Board { lines, ..board }
}

/// Sets the keys of the plan that `lines` are.
fn take(plan: &dyn Planned, build: &Build<'_>, end: End, lines: &mut [Line], board: &mut Board) {
    let others = other_ends(plan, end);
    for line in lines {
        if let Some(why) = reasons::overridden(build, line).or_else(|| reasons::impossible(build, line)) {
            line.refuse(why);
            continue;
        }
        if let Some(why) = reasons::foreign(build, &line.option) {
            line.ignore(why);
            continue;
        }
        let option = line.option.clone();
        if option == PHY_2M && line.value == "n" {
            board.set.extend(line.set(plan, Connection::PHY, &"1M".into()));
        }
        for key in PLAN.iter().copied().filter(|key| is_option(key, &option) && is_own(key, end)) {
            match others {
                Some(other) if key.knob == other => line.ignore(reasons::of_the_other(key, end)),
                _ => {
                    let value = value_of(key, Side::Zephyr, &option, &line.value);
                    let value = value.and_then(|value| traits::within(key, build, value));
                    board.set.extend(value.and_then(|value| line.set(plan, key, &value)));
                }
            }
        }
    }
}

/// Tells if the device of this name is `what`, or based on it.
fn is_a(what: &str, name: &str, plan: &dyn Planned) -> bool {
    name == what || plan.based_on(name).is_some_and(|base| is_a(what, base, plan))
}
