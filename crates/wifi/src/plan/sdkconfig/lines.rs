//! Lines of an ESP-IDF `sdkconfig` in a plan, and the fate of each.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use airtime_keys::Fault;
use airtime_link::config::{Board, Configuration, File, Line, NOT_MODELLED, Planned, Refused, Setting};

use super::defaults::{silent, unmet};
use super::options::{is_covered, option};
use super::reasons;
use super::role::{Role, role};

/// Refuses files of a chip that crosses no bus.
pub fn hosted(link: &str, files: &[File]) -> Result<(), Refused> {
    let own = |file: &File| role(&file.config) == Role::Radio && file.config.target().is_some();
    let Some(file) = files.first().filter(|_| files.iter().all(own)) else { return Ok(()) };
    let target = file.config.target().unwrap_or_default();
    let line = file.config.get("CONFIG_IDF_TARGET");
    let what = format!(
        "an {target} has a radio of its own, and no line is about ESP-hosted: it is no device of the link `{link}`"
    );
    let place = line.map(|line| (line.line, line.column));
    Err(Refused { file: file.name.clone(), place, fault: Box::new(Fault::new(what)) })
}

/// Settings of `files`, in the order in which the image that each is of takes them, and the fates of their lines.
pub fn board(plan: &dyn Planned, files: &[File]) -> Board {
    let is_host = |file: &File| role(&file.config) != Role::Coprocessor;
    let image = |of_host: bool| {
        Configuration::joined(files.iter().filter(|file| is_host(file) == of_host).map(|file| &file.config))
    };
    let (host, coprocessor) = (image(true), image(false));
    let (mut of_host, mut of_coprocessor) = (host.settings().iter(), coprocessor.settings().iter());
    let mut board = Board::default();
    for file in files {
        let (image, settings) = if is_host(file) { (&host, &mut of_host) } else { (&coprocessor, &mut of_coprocessor) };
        for setting in settings.take(file.config.settings().len()) {
            let mut line = Line::of(&file.name, setting);
            take(plan, (image, setting), &mut line, &mut board);
            board.lines.push(line);
        }
    }
    // Defaults are those of a whole build: of the host's, which may be given in several files.
    let Some(file) = files.iter().find(|file| is_host(file)) else { return board };
    for (silent, value) in silent(&host).filter(|(silent, _)| is_covered(silent.key)) {
        let mut line = Line::missing(&file.name, silent.option, value, silent.source);
        if let Some(value) = option(silent.option).and_then(|(_, option)| option.form.value(value)) {
            board.set.extend(line.set(plan, silent.key, &value));
            // A default that sets nothing is no line to tell.
            if !line.sets.is_empty() {
                board.lines.push(line);
            }
        }
    }
    board
}

/// Reason for which an option is no key of a plan of Wi-Fi.
fn reason(option: &str) -> String {
    reasons::reason(option).unwrap_or(NOT_MODELLED).to_owned()
}

/// Sets what `setting` of an image says.
fn take(plan: &dyn Planned, (image, setting): (&Configuration, &Setting), line: &mut Line, board: &mut Board) {
    let Some((key, option)) = option(&line.option) else {
        line.ignore(reason(&line.option));
        return;
    };
    if image.get(&line.option).is_some_and(|last| !core::ptr::eq(last, setting)) {
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
    if !is_covered(key) {
        line.ignore(format!("`{}` means nothing to the link {}", key.name, plan.link()));
        return;
    }
    board.set.extend(line.set(plan, key, &value));
}
