//! Lines of an ESP-IDF `sdkconfig`.

use airtime_ble::plan::built;
use airtime_keys::config::Side;

use super::File;
use super::line::{Line, NOT_MODELLED};
use crate::plan::{Board, Plan};
use crate::schema::sdkconfig::option;
use crate::schema::{KEYS, Key, find, scope};
use crate::sdkconfig::{Role, role, silent};

/// Fates of the lines of `files`; what they set goes into `board`.
pub fn lines(plan: &Plan, files: &[File], board: &mut Board) -> Vec<Line> {
    let link = plan.point(0).expect("a plan has a point").scenario.link().to_owned();
    let mut lines = Vec::new();
    for file in files {
        for setting in file.config.settings() {
            let mut line = Line::of(&file.name, setting);
            take(plan, &link, file, &mut line, board);
            lines.push(line);
        }
    }
    // Defaults are those of a whole build: of the host's, which may be given in several files.
    let is_host = |file: &&File| role(&file.config) != Role::Coprocessor;
    let Some(host) = files.iter().find(is_host) else { return lines };
    let is_silent = |config: &str| files.iter().filter(is_host).all(|file| file.config.get(config).is_none());
    for (silent, value) in silent(&host.config).filter(|(silent, _)| is_silent(silent.option)) {
        let config = silent.option;
        let Some(key) = find(silent.key.name).filter(|key| scope(key).covers(&link)) else { continue };
        let mut line = Line::missing(&host.name, config, value, silent.source);
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

/// Worth of an option of Bluetooth in a plan of it.
fn of_bluetooth(option: &str) -> Option<String> {
    let is_option = |key: &&&Key| key.config.iter().any(|own| own.side == Side::Radio && own.config == option);
    let key = KEYS.iter().find(is_option).map(|key| format!("`{}` of a plan of Bluetooth LE", key.name));
    key.or_else(|| built::reason(&built::RADIO, option).map(str::to_owned))
}

fn take(plan: &Plan, link: &str, file: &File, line: &mut Line, board: &mut Board) {
    let Some((key, option)) = option(&line.option) else {
        line.ignore(of_bluetooth(&line.option).unwrap_or_else(|| NOT_MODELLED.to_owned()));
        return;
    };
    if file.config.get(&line.option).is_some_and(|last| last.line != line.line) {
        line.ignore("the same option is set again further down, and Kconfig takes the last");
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
