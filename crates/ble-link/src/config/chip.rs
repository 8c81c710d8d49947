//! Lines of the build configuration of a Bluetooth LE chip without Zephyr: ESP-IDF's, the nRF5 SDK's, Mynewt's.

use std::borrow::Cow;
use std::collections::BTreeSet;

use airtime_keys::config::Side;
use airtime_keys::{Key, Knob, Value};
use airtime_link::config::{Board, BuiltDevice, Configuration, End, File, Line, NOT_MODELLED, Planned};

use super::device::device;
use super::keys::{DEVICE, PLAN, covers, find, is_own, named, other_ends};
use super::zephyr::reasons;
use super::{personality, reasons as chips, traits};
use crate::plan::{Connection, Image};

/// Length of the events of a SoftDevice, in units of 1.25 ms. nRF5 SDK 17.1, config/sdk_config.h: "the time set aside for this
/// connection on every connection interval".
const EVENT_LENGTH: &str = "NRF_SDH_BLE_GAP_EVENT_LENGTH";

/// Option that names the chip.
const TARGET: &str = "CONFIG_IDF_TARGET";

/// Settings of `files`, in the order in which one image of `side` takes them, in the device at `end` of `plan`, with the fates of their lines.
pub fn board(plan: &dyn Planned, (files, side): (&[File], Side), end: End) -> Board {
    let config = Configuration::joined(files.iter().map(|file| &file.config));
    let of_file =
        |file: &File| file.config.settings().iter().map(|setting| Line::of(&file.name, setting)).collect::<Vec<Line>>();
    let mut board = Board::default();
    let mut lines: Vec<Line> = files.iter().flat_map(of_file).collect();
    let found = take(plan, &config, &Place::of(plan, side, end), &mut lines, &mut board);
    if let Some(file) = files.iter().rfind(|file| file.config.named().is_some() && config.get(TARGET).is_none()) {
        let mut line = Line::missing(&file.name, TARGET, file.config.named().unwrap_or_default(), "its name does");
        chip(plan, (&config, end), &mut line, &mut board);
        // A chip that sets nothing is no line to tell.
        lines.extend(Some(line).filter(|line| !line.sets.is_empty()));
    }
    let own = device(&config).filter(|_| side == Side::Radio && is_unnamed(plan, end)).map(str::to_owned);
    let mut names: BTreeSet<String> = own.into_iter().collect();
    if names.is_empty() {
        plan.points(&mut |_, params| names.extend(named(params, end)));
    }
    let built_with = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(" and ");
    for base in names.into_iter().filter(|_| !found.is_empty()) {
        let name = format!("{base} with {built_with}");
        let text = traits::text(&base, image(side), &built_with, &found);
        board.devices.push(BuiltDevice { base, name, text });
    }
    lines.iter_mut().for_each(|line| line.ignore(reason(side, line)));
    Board { lines, ..board }
}

/// Sets the keys of the plan that `lines` are, and gives the values of the device that they are.
fn take(
    plan: &dyn Planned,
    config: &Configuration,
    place: &Place,
    lines: &mut [Line],
    board: &mut Board,
) -> Vec<traits::Trait> {
    let mut found: Vec<traits::Trait> = Vec::new();
    for (line, setting) in lines.iter_mut().zip(config.settings()) {
        if let Some(when) = &setting.when {
            line.ignore(format!(
                "it holds under a condition alone, {when}, and whether that is met is not in its section"
            ));
            continue;
        }
        if config.get(&line.option).is_some_and(|last| !std::ptr::eq(last, setting)) {
            line.ignore("the same option is set again further down, and the last counts");
            continue;
        }
        plan_keys(plan, place, line, board);
        if line.option == TARGET {
            chip(plan, (config, place.end), line, board);
        }
        if line.option == EVENT_LENGTH {
            event_end(plan, place.end, line, board);
        }
        for key in DEVICE.iter().filter(|key| !traits::is_asked_for(key)) {
            let value = value(key, place.side, line).filter(|value| key.kind.check(key.name, value).is_ok());
            if let Some(value) = value {
                traits::take(&mut found, line, key, value);
            }
        }
    }
    found
}

/// Sets the device of `end` that `config` builds, where the plan names none, and leaves 2M out where the chip has none; `line` names the chip.
fn chip(plan: &dyn Planned, (config, end): (&Configuration, End), line: &mut Line, board: &mut Board) {
    let key = personality(end);
    if let Some(own) = device(config) {
        if is_unnamed(plan, end) {
            board.set.extend(line.set(plan, key, &own.into()));
        } else {
            line.why = format!("the plan says which device its {} is; {own} is this chip with this host", end.name());
        }
    }
    if config.target() == Some("esp32") {
        board.set.extend(line.set(plan, Connection::PHY, &"1M".into()));
        "its controller is of Bluetooth 4.2, which has no 2M".clone_into(&mut line.why);
    }
}

/// Image that the files of `side` build.
const fn image(side: Side) -> Option<Image> {
    match side {
        Side::Radio => Some(Image::EspIdf),
        Side::SoftDevice => Some(Image::Softdevice),
        Side::Mynewt => Some(Image::Mynewt),
        Side::Host | Side::Coprocessor | Side::Zephyr => None,
    }
}

/// Tells if neither the plan nor an option says which device is at `end`.
fn is_unnamed(plan: &dyn Planned, end: End) -> bool {
    let key = personality(end);
    plan.said(key).is_empty() && plan.above(key).is_none()
}

/// Place of the chip in a plan.
struct Place {
    /// Link of the plan.
    link: String,
    /// Image of the chip.
    side: Side,
    /// End of the link that the chip is.
    end: End,
    /// Part in the stream that the chip has at no point.
    others: Option<Knob>,
}

impl Place {
    /// The place at `end` of `plan`.
    fn of(plan: &dyn Planned, side: Side, end: End) -> Self {
        let link = plan.link().to_owned();
        Self { link, side, end, others: other_ends(plan, end) }
    }
}

/// Sets the keys of the plan that the line is.
fn plan_keys(plan: &dyn Planned, place: &Place, line: &mut Line, board: &mut Board) {
    for key in PLAN.iter().copied().filter(|key| is_own(key, place.end)) {
        let Some(value) = value(key, place.side, line) else { continue };
        if !covers(key, &place.link) {
            line.ignore(format!("`{}` means nothing to the link {}", key.name, place.link));
        } else if place.others == Some(key.knob) {
            line.ignore(reasons::of_the_other(key, place.end));
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

/// Ends events with the length that `line` has set, for they do unless the application asks for their extension
/// (`BLE_COMMON_OPT_CONN_EVT_EXT`).
fn event_end(plan: &dyn Planned, end: End, line: &mut Line, board: &mut Board) {
    let length = format!("{}.event_length=", end.name());
    if !line.sets.iter().any(|set| set.starts_with(&length)) {
        return;
    }
    let key = find(&format!("{}.event_extension", end.name())).expect("either end has it");
    board.set.extend(line.set(plan, key, &false.into()));
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
    let reasons: &[chips::Reason] = match side {
        Side::Radio => &chips::RADIO,
        Side::SoftDevice => &chips::SOFTDEVICE,
        Side::Mynewt => &chips::MYNEWT,
        Side::Host | Side::Coprocessor | Side::Zephyr => &[],
    };
    let built = side != Side::Radio || !matches!(line.value.as_str(), "n" | "");
    let why = chips::reason(reasons, &option).map(|why| if built { why } else { "not built in" }.to_owned());
    let wifi = ["CONFIG_LWIP_", "CONFIG_ESP_WIFI_", "CONFIG_ESP32_WIFI_"];
    let of_wifi = side == Side::Radio && wifi.iter().any(|beginning| option.starts_with(beginning));
    let wifi = || {
        "Wi-Fi of this chip itself; if it is a co-processor of ESP-hosted, the host's CONFIG_WIFI_RMT_* counts"
            .to_owned()
    };
    why.or_else(|| of_wifi.then(wifi)).unwrap_or_else(|| NOT_MODELLED.to_owned())
}
