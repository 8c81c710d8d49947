//! Lines of the build configuration of a Bluetooth LE chip without Zephyr: ESP-IDF's, the nRF5 SDK's, Mynewt's.

use std::borrow::Cow;
use std::collections::BTreeSet;

use airtime_ble::plan::{Connection, built};
use airtime_keys::config::{Form, Side};
use serde_json::Value;

use super::File;
use super::line::{Line, NOT_MODELLED};
use super::zephyr::{is_own, named, other_ends, reasons, traits};
use crate::personality::{KINDS, Library};
use crate::plan::{Board, End, Plan, PlanError};
use crate::schema::{KEYS, Key, find, scope};
use crate::sdkconfig::target;

/// Length of the events of a SoftDevice, in units of 1.25 ms. nRF5 SDK 17.1, config/sdk_config.h: "the time set aside for this
/// connection on every connection interval".
const EVENT_LENGTH: &str = "NRF_SDH_BLE_GAP_EVENT_LENGTH";

/// Option that names the chip.
const TARGET: &str = "CONFIG_IDF_TARGET";

/// Fates of the lines of `file`, of an image of `side`, which is built into the device at `end` of `plan`; what they set goes into
/// `board`, and the device with them into `library`.
///
/// # Errors
/// When no such device is possible.
pub fn lines(
    plan: &Plan,
    (file, side): (&File, Side),
    end: End,
    board: &mut Board,
    library: &mut Library,
) -> Result<Vec<Line>, PlanError> {
    let mut lines: Vec<Line> = file.config.settings().iter().map(|setting| Line::of(&file.name, setting)).collect();
    let mut found: Vec<(&'static Key, Value, String)> = Vec::new();
    for line in &mut lines {
        if file.config.get(&line.option).is_some_and(|last| last.line != line.line) {
            line.ignore("the same option is set again further down, and the last counts");
            continue;
        }
        plan_keys(plan, side, end, line, board);
        if line.option == TARGET && target(&file.config) == Some("esp32") {
            board.set.extend(line.set(plan, Connection::PHY, &"1M".into()));
            "its controller is of Bluetooth 4.2, which has no 2M".clone_into(&mut line.why);
        }
        if line.option == EVENT_LENGTH {
            event_length(plan, end, line, board);
        }
        for key in KINDS[0].keys {
            let value = value(key, side, line).filter(|value| key.kind.check(key.name, value).is_ok());
            if let Some(value) = value {
                traits::take(&mut found, line, key, value);
            }
        }
    }
    let names: BTreeSet<String> = plan.points().iter().filter_map(|point| named(&point.scenario, end)).collect();
    for name in names.into_iter().filter(|_| !found.is_empty()) {
        let built = format!("{name} with {}", file.name);
        library.add(&built, &traits::text(&name, &file.name, &found))?;
        board.devices.push((name, built));
    }
    lines.iter_mut().for_each(|line| line.ignore(reason(side, line)));
    Ok(lines)
}

/// Sets the keys of the plan that the line is.
fn plan_keys(plan: &Plan, side: Side, end: End, line: &mut Line, board: &mut Board) {
    let link = plan.point(0).expect("a plan has a point").scenario.link().to_owned();
    let others = other_ends(plan, end);
    for key in KEYS.iter().copied().filter(|key| is_own(key, end)) {
        let Some(value) = value(key, side, line) else { continue };
        if !scope(key).covers(&link) {
            line.ignore(format!("`{}` means nothing to the link {link}", key.name));
        } else if others == Some(key.knob) {
            line.ignore(reasons::of_the_other(key, end));
        } else {
            board.set.extend(line.set(plan, key, &value));
        }
    }
}

/// Value of `key` that a line of an image of `side` says.
fn value(key: &Key, side: Side, line: &Line) -> Option<Value> {
    let own = key.config.iter().find(|own| own.side == side && own.config == today(&line.option))?;
    own.form.value(&line.value)
}

/// The time set aside for an event, which ends with it unless the application asks for its extension (`BLE_COMMON_OPT_CONN_EVT_EXT`).
fn event_length(plan: &Plan, end: End, line: &mut Line, board: &mut Board) {
    let Some(length) = Form::Intervals.value(&line.value) else { return };
    for (key, value) in [("event_length", length), ("event_extension", false.into())] {
        let key = find(&format!("{}.{key}", end.name())).expect("either end has both");
        board.set.extend(line.set(plan, key, &value));
    }
    if line.why.is_empty() {
        "an event ends with the time set aside for it, unless the application asks for its extension"
            .clone_into(&mut line.why);
    }
}

/// Name that an option of ESP-IDF has since v4.0.
fn today(option: &str) -> Cow<'_, str> {
    let rest =
        option.strip_prefix("CONFIG_").filter(|rest| rest.starts_with("NIMBLE_") || rest.starts_with("BLUEDROID_"));
    rest.map_or(Cow::Borrowed(option), |rest| Cow::Owned(format!("CONFIG_BT_{rest}")))
}

/// Reason for which a line sets nothing.
fn reason(side: Side, line: &Line) -> String {
    let option = today(&line.option);

    let reasons: &[built::Reason] = match side {
        Side::Radio => &built::RADIO,
        Side::SoftDevice => &built::SOFTDEVICE,
        Side::Mynewt => &built::MYNEWT,
        Side::Host | Side::Coprocessor | Side::Zephyr => &[],
    };
    let built = side != Side::Radio || !matches!(line.value.as_str(), "n" | "");
    let why = built::reason(reasons, &option).map(|why| if built { why } else { "not built in" }.to_owned());
    let wifi = ["CONFIG_LWIP_", "CONFIG_ESP_WIFI_", "CONFIG_ESP32_WIFI_"];
    let of_wifi = side == Side::Radio && wifi.iter().any(|beginning| option.starts_with(beginning));
    let wifi = || "Wi-Fi of a chip with a radio of its own; the lab has that of ESP-hosted, over a bus".to_owned();
    why.or_else(|| of_wifi.then(wifi)).unwrap_or_else(|| NOT_MODELLED.to_owned())
}
