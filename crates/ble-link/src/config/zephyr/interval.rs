//! The connection interval that a peripheral with Zephyr asks for.

use airtime_core::Duration;
use airtime_keys::Value;
use airtime_link::Ordered;
use airtime_link::config::{Board, End, Line, Planned};

use super::build::Build;
use crate::plan::Intervals;

/// Unit of preferred intervals. Core 6.0, Vol 3, Part C, 12.3.
const UNIT: Duration = Duration::from_micros(1_250);
/// Value that stands for no preference, and the largest one there is.
const NO_VALUE: u64 = 65_535;
const MOST: u64 = 3_200;

const MIN: &str = "CONFIG_BT_PERIPHERAL_PREF_MIN_INT";
const MAX: &str = "CONFIG_BT_PERIPHERAL_PREF_MAX_INT";

/// Puts the request that follows from the preferred intervals into `board`, where the file has a line for one: the longest, which is what
/// Zephyr's own central grants, unless the plan's interval is among them already.
pub fn ask(plan: &dyn Planned, build: &Build<'_>, end: End, lines: &mut [Line], board: &mut Board) {
    // Zephyr v3.2.0, subsys/bluetooth/host/Kconfig.gatt: 24 and 40, in units of 1.25 ms.
    let number = |option, default| build.config.number(option).unwrap_or(default);
    let (min, max) = (number(MIN, 24), number(MAX, 40));
    let Some(line) = lines.iter_mut().rfind(|line| line.option == MAX || line.option == MIN) else { return };
    let silent = build.setting("CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS").is_some_and(|setting| setting.value == "n");
    let why = if end == End::Central {
        "a preference of peripherals, and the board is the central".to_owned()
    } else if silent {
        "CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS is not set: the stack asks for no interval by itself".to_owned()
    } else if max == NO_VALUE {
        "no specific value is preferred".to_owned()
    } else if min > max || !(6..=MOST).contains(&max) {
        line.refuse(format!(
            "preferred intervals from {min} to {max} units of 1.25 ms: 6 to {MOST} are possible, the longer one last"
        ));
        return;
    } else if within(plan, min, max) == Some(true) {
        "the plan's interval is among those that are preferred: nothing is asked for".to_owned()
    } else if within(plan, min, max).is_none() {
        "of the plan's intervals some are among those that are preferred and some are not: ble.request_interval is the plan's to say"
            .to_owned()
    } else {
        let interval = Value::from((UNIT * max).to_string());
        board.set.extend(line.set(plan, Intervals::REQUEST_INTERVAL, &interval));
        if line.why.is_empty() {
            line.why =
                "the longest of those preferred; the stack asks 5 s after connecting, the lab at once".to_owned();
        }
        "the longest of the preferred intervals is asked for".to_owned()
    };
    lines.iter_mut().filter(|line| line.option == MIN || line.option == MAX).for_each(|line| line.ignore(why.clone()));
}

/// Set if the interval of every point is among those of `min` to `max` units, for the stack does not ask then, clear if none is; nothing
/// where points differ.
fn within(plan: &dyn Planned, min: u64, max: u64) -> Option<bool> {
    let preferred = UNIT * min..=UNIT * max;
    let is_preferred = |params: &Ordered<Value>| {
        let text = |name: &str| params.get(name).and_then(Value::as_str).and_then(|text| text.parse().ok());
        let interval = text(Intervals::REQUEST_INTERVAL.name).or_else(|| text(Intervals::CONN_INTERVAL.name));
        interval.is_some_and(|interval: Duration| preferred.contains(&interval))
    };
    let mut points: Vec<bool> = Vec::new();
    plan.points(&mut |_, params| points.push(is_preferred(params)));
    let (first, rest) = points.split_first()?;
    rest.iter().all(|point| point == first).then_some(*first)
}
