//! Lines of an ESP-IDF `sdkconfig`.

use airtime_ble_link::plan::built;
use airtime_keys::config::Side;

use super::File;
use super::line::{Line, NOT_MODELLED};
use crate::plan::{Board, Plan};
use crate::schema::sdkconfig::option;
use crate::schema::{KEYS, Key, find, scope};
use crate::sdkconfig::{Role, Sdkconfig, Setting, role, silent, unmet};

/// Fates of the lines of `files`, in the order in which the image that each is of takes them; what they set goes into `board`.
pub fn lines(plan: &Plan, files: &[File], board: &mut Board) -> Vec<Line> {
    let link = plan.point(0).expect("a plan has a point").scenario.link().to_owned();
    let is_host = |file: &File| role(&file.config) != Role::Coprocessor;
    let image = |of_host: bool| {
        Sdkconfig::joined(files.iter().filter(|file| is_host(file) == of_host).map(|file| &file.config))
    };
    let (host, coprocessor) = (image(true), image(false));
    let (mut of_host, mut of_coprocessor) = (host.settings().iter(), coprocessor.settings().iter());
    let mut lines = Vec::new();
    for file in files {
        let (image, settings) = if is_host(file) { (&host, &mut of_host) } else { (&coprocessor, &mut of_coprocessor) };
        for setting in settings.take(file.config.settings().len()) {
            let mut line = Line::of(&file.name, setting);
            take(plan, &link, (image, setting), &mut line, board);
            lines.push(line);
        }
    }
    // Defaults are those of a whole build: of the host's, which may be given in several files.
    let Some(file) = files.iter().find(|file| is_host(file)) else { return lines };
    for (silent, value) in silent(&host) {
        let config = silent.option;
        let Some(key) = find(silent.key.name).filter(|key| scope(key).covers(&link)) else { continue };
        let mut line = Line::missing(&file.name, config, value, silent.source);
        if let Some(value) = option(config).and_then(|(_, option)| option.form.value(value)) {
            board.set.extend(line.set(plan, key, &value));
            // A default that sets nothing is no line to tell.
            if !line.sets.is_empty() {
                lines.push(line);
            }
        }
    }
    lines
}

/// Reason for which an option is no key of a plan of Wi-Fi.
fn reason(option: &str) -> String {
    let known = airtime_wifi::plan::built::reason(option).map(str::to_owned);
    known.or_else(|| of_bluetooth(option)).unwrap_or_else(|| NOT_MODELLED.to_owned())
}

/// Worth of an option of Bluetooth in a plan of it.
fn of_bluetooth(option: &str) -> Option<String> {
    let is_option = |key: &&&Key| key.config.iter().any(|own| own.side == Side::Radio && own.config == option);
    let key = KEYS.iter().find(is_option).map(|key| format!("`{}` of a plan of Bluetooth LE", key.name));
    key.or_else(|| built::reason(&built::RADIO, option).map(str::to_owned))
}

/// Sets what `setting` of an image says.
fn take(plan: &Plan, link: &str, (image, setting): (&Sdkconfig, &Setting), line: &mut Line, board: &mut Board) {
    let Some((key, option)) = option(&line.option) else {
        line.ignore(reason(&line.option));
        return;
    };
    if image.get(&line.option).is_some_and(|last| !std::ptr::eq(last, setting)) {
        line.ignore("the same option is set again further down, and Kconfig takes the last");
        return;
    }
    if unmet(image, &line.option) {
        line.ignore("transmit buffers are of the other kind, and Kconfig leaves the line out (WIFI_RMT_TX_BUFFER)");
        return;
    }
    let Some(value) = option.form.value(&line.value) else {
        if line.value == "n" {
            line.ignore("not set: another line of its choice says which is");
        } else {
            line.refuse("no value of this option: Kconfig warns, and builds with its default");
        }
        return;
    };
    if !scope(key).covers(link) {
        line.ignore(format!("`{}` means nothing to the link {link}", key.name));
        return;
    }
    board.set.extend(line.set(plan, key, &value));
}
