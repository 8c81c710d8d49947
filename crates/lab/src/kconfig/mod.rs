//! Build configurations of a board in a plan: an ESP-IDF `sdkconfig` or a `prj.conf` of Zephyr, each line of which sets something of
//! the plan or of its device, is left aside for a reason that is told, or contradicts what the plan says.
//!
//! What is built into a board stands above what a plan says of it, and below options: the plan may be of another build, and whoever adds
//! `--set` wants to see what that would change.

mod build;
mod chip;
mod device;
mod esp;
mod line;
pub mod rules;
pub mod source;
#[cfg(test)]
mod tests;
pub mod zephyr;

use airtime_ble_link::plan::{Scenario, Stack};
use airtime_keys::Fault;
use airtime_keys::config::Side;

use crate::personality::Library;
use crate::plan::{Board, End, Plan, PlanError};
use crate::sdkconfig::{self, Sdkconfig};
use crate::toml::error::{At, Place};

pub use build::Build;
pub use line::{Fate, Line, NOT_MODELLED};

/// A file, read.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, as it was given.
    pub name: String,
    /// Its lines.
    pub config: Sdkconfig,
}

/// Build configurations to run a plan with.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Those of ESP-IDF: the host's, the co-processor's, or both.
    pub sdkconfig: Vec<File>,
    /// That of Zephyr.
    pub prj_conf: Option<File>,
    /// That of a chip with another stack: of the nRF5 SDK or of Mynewt.
    pub chip: Option<(Build, File)>,
    /// End of the link that the board is; the one that is built with its application, the peripheral first, if nobody says.
    pub end: Option<End>,
}

impl Files {
    /// Tells if there is none.
    pub const fn is_empty(&self) -> bool {
        self.sdkconfig.is_empty() && self.prj_conf.is_none() && self.chip.is_none()
    }
}

/// `plan` with what is built into its boards, and what became of each line.
///
/// # Errors
/// When a file is one of the other build, no device of the plan has such a configuration, or a point is impossible with it.
pub fn apply(plan: Plan, files: &Files) -> Result<(Plan, Vec<Line>), PlanError> {
    if files.is_empty() {
        return Ok((plan, Vec::new()));
    }
    let link = plan.point(0).expect("a plan has a point").scenario.link().to_owned();
    let esp = files.sdkconfig.iter().map(|file| (Build::Esp, file));
    for (build, file) in esp.chain(files.prj_conf.iter().map(|file| (Build::Zephyr, file))) {
        build.expect(file)?;
        build.concerns(&link, file)?;
    }
    let mut board = Board::default();
    let mut library: Library = plan.library().clone();
    if let Some((build, file)) = &files.chip {
        build.concerns(&link, file)?;
    }
    let radio = is_bluetooth(&plan);
    if radio {
        bluetooth(&files.sdkconfig, &link)?
    } else {
        hosted(&files.sdkconfig, &link)?
    }
    let mut lines = if radio { Vec::new() } else { esp::lines(&plan, &files.sdkconfig, &mut board) };
    for file in &files.sdkconfig {
        board.arguments.extend(["--sdkconfig".to_owned(), file.name.clone()]);
    }
    if let Some((build, of_board)) = of_board(files, radio)? {
        let end = end(&plan, files.end).map_err(|fault| fault.at(&of_board[0].name, Place::File))?;
        board.end = Some(end);
        if build != Build::Esp {
            board.arguments.extend([build.argument().to_owned(), of_board[0].name.clone()]);
        }
        board
            .arguments
            .extend(files.end.map(|end| ["--board".to_owned(), end.name().to_owned()]).into_iter().flatten());
        lines.extend(match build {
            Build::Zephyr => zephyr::lines(&plan, &of_board[0], end, &mut board, &mut library)?,
            Build::Esp => chip::lines(&plan, (of_board, Side::Radio), end, &mut board, &mut library)?,
            build => chip::lines(&plan, (of_board, build.side()), end, &mut board, &mut library)?,
        });
    }
    let plan = plan.with_board(board, library).map_err(|error| at_its_line(error, &lines))?;
    Ok((plan, lines))
}

/// Files of the one board with firmware that a plan of Bluetooth LE has, and the build that they are of; none where the files are of
/// ESP-hosted (`radio` is not set).
///
/// # Errors
/// When there are files of several builds: a board has one.
fn of_board(files: &Files, radio: bool) -> Result<Option<(Build, &[File])>, PlanError> {
    let esp = Some((Build::Esp, &files.sdkconfig[..])).filter(|(_, files)| radio && !files.is_empty());
    let zephyr = files.prj_conf.as_ref().map(|file| (Build::Zephyr, std::slice::from_ref(file)));
    let chip = files.chip.as_ref().map(|(build, file)| (*build, std::slice::from_ref(file)));
    let mut of_board = esp.into_iter().chain(zephyr).chain(chip);
    let (first, second) = (of_board.next(), of_board.next());
    if let Some(((first, _), (second, files))) = first.zip(second) {
        let (first, second) = (first.argument(), second.argument());
        let what =
            format!("{first} and {second} are of one board each, and a plan has one board with a build of its own");
        return Err(Fault::new(what).at(&files[0].name, Place::File));
    }
    Ok(first)
}

/// Lines of an `sdkconfig` with what they set in the run that findings are shown by: of a chip with a radio of its own, in a
/// Bluetooth LE link that it is the `end` of, the peripheral if nobody says.
pub fn of_esp(file: File, end: Option<End>) -> Vec<Line> {
    let role = sdkconfig::role(&file.config);
    if role == sdkconfig::Role::Radio {
        return of_chip(Build::Esp, file, end);
    }
    let plan = Plan::parse("check", sdkconfig::plan(), &Library::builtin(), &[]).expect("the plan of checks is right");
    let mut lines = esp::lines(&plan, &[file], &mut Board::default());
    // What a file that is not known to be a host's lacks is no default of it.
    lines.retain(|line| line.line > 0 || role == sdkconfig::Role::Host);
    lines
}

/// Lines of a chip's build configuration with what they set in a Bluetooth LE link that streams both ways.
pub fn of_chip(build: Build, file: File, end: Option<End>) -> Vec<Line> {
    let end = end.unwrap_or(End::Peripheral);
    // The device whose controller is nearest to a SoftDevice; of the others none is nearer than the one that leaves nothing out.
    let device = if build == Build::SoftDevice { "nordic-sdc" } else { "ideal" };
    let told = build == Build::Esp && device::device(&file.config).is_some();
    let named = if told { String::new() } else { format!("{} = \"{device}\"\n", end.personality().name) };
    let text = format!("{named}link = \"ble-gatt\"\nble.direction = \"both\"\n");
    let plan = Plan::parse("check", &text, &Library::builtin(), &[]).expect("the plan of checks is right");
    let side = if build == Build::Esp { Side::Radio } else { build.side() };
    let mut library = plan.library().clone();
    chip::lines(&plan, (&[file], side), end, &mut Board::default(), &mut library).unwrap_or_default()
}

/// Tells if `plan` is of a Bluetooth LE link.
fn is_bluetooth(plan: &Plan) -> bool {
    plan.point(0).is_some_and(|point| point.scenario.of::<Scenario>().is_some())
}

/// Refuses files of a chip none of which says anything of Bluetooth: those of a host of ESP-hosted, for example.
fn bluetooth(files: &[File], link: &str) -> Result<(), PlanError> {
    const BEGINNINGS: [&str; 4] = ["CONFIG_BT_", "CONFIG_BTDM_", "CONFIG_NIMBLE_", "CONFIG_BLUEDROID_"];
    let says = |file: &File| {
        let begins = |name: &str| BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
        file.config.settings().iter().any(|setting| begins(&setting.name))
    };
    let Some(file) = files.first().filter(|_| !files.iter().any(says)) else { return Ok(()) };
    let what = format!("no device of the link `{link}` has an sdkconfig of ESP-IDF without a line of Bluetooth's");
    Err(Fault::new(what).at(&file.name, Place::File))
}

/// Refuses files of a chip that crosses no bus.
fn hosted(files: &[File], link: &str) -> Result<(), PlanError> {
    let own = |file: &File| {
        sdkconfig::role(&file.config) == sdkconfig::Role::Radio && sdkconfig::target(&file.config).is_some()
    };
    let Some(file) = files.first().filter(|_| files.iter().all(own)) else { return Ok(()) };
    let target = sdkconfig::target(&file.config).unwrap_or_default();
    let line = file.config.get("CONFIG_IDF_TARGET");
    let place = line.map_or(Place::File, |line| Place::Line { line: line.line, column: line.column });
    let what = format!(
        "an {target} has a radio of its own, and no line is about ESP-hosted: it is no device of the link `{link}`"
    );
    Err(Fault::new(what).at(&file.name, place))
}

/// End of the plan's link that has the configuration.
fn end(plan: &Plan, asked: Option<End>) -> Result<End, Fault> {
    let point = plan.point(0).expect("a plan has a point");
    let link = point.scenario.link();
    let Some(scenario) = point.scenario.of::<Scenario>() else {
        return Err(Fault::new(format!("no device of the link `{link}` has a configuration of Zephyr's")));
    };
    let device = |end| match end {
        End::Central => &scenario.central,
        End::Peripheral => &scenario.peripheral,
    };
    let firmware = |end: &End| device(*end).stack == Stack::Firmware;
    match asked {
        Some(end) if firmware(&end) => Ok(end),
        Some(end) => {
            let (end, name) = (end.name(), &device(end).name);
            Err(Fault::new(format!(
                "the {end} is `{name}`, whose stack is an operating system's: no prj.conf is built into it"
            )))
        }
        None => [End::Peripheral, End::Central]
            .into_iter()
            .find(firmware)
            .ok_or_else(|| Fault::new("both ends are operating systems: no prj.conf is built into either".to_owned())),
    }
}

/// The error at the line that broke a point, where one did.
fn at_its_line(error: PlanError, lines: &[Line]) -> PlanError {
    let Place::Flag(option) = &error.place else { return error };
    let is_it = |line: &&Line| line.read_as.as_ref() == Some(option) || line.text() == *option;
    let Some(line) = lines.iter().find(is_it) else { return error };
    let place = if line.line == 0 { Place::File } else { Place::Line { line: line.line, column: line.column } };
    PlanError { file: line.file.clone(), place, what: format!("{option}: {}", error.what), ..error }
}
