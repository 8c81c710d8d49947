//! Build configurations of Bluetooth LE devices: a `prj.conf` of Zephyr, an `sdkconfig` of a chip with a radio of its own, an
//! `sdk_config.h` of the nRF5 SDK, a `syscfg.yml` of Mynewt. What is built into a board stands above what a plan says of it.
//!
//! - `zephyr`: lines of a `prj.conf` · `chip`: lines of the others · `device`: the personality that an `sdkconfig` builds
//! - `keys`: options that are keys · `reasons`: why a line sets nothing · `rules`: shortages of a chip

mod chip;
mod device;
mod keys;
mod reasons;
mod rules;
mod traits;
mod zephyr;

use airtime_keys::config::Side;
use airtime_keys::{Fault, Field, Key, Knob, Source};
use airtime_link::config::{
    Alone, Board, Build, Claim, Configuration, Configurations, End, File, Finding, Gone, Planned, Refused, Sample,
    Spelling, Trial,
};

use crate::plan::{Advertiser, Connection, Direction, Initiator, Scenario, Stack};

/// The configurations of boards with a radio of Bluetooth LE.
#[derive(Clone, Copy, Debug)]
pub struct BoardFiles;

impl Configurations for BoardFiles {
    fn claim(&self, _: Build, _: &Configuration) -> Option<Claim> {
        Some(Claim::OfItsBuild)
    }

    fn personality(&self, end: End) -> Option<&'static Key> {
        Some(personality(end))
    }

    fn owns(&self, end: End, key: &Key, settings: &dyn Source) -> bool {
        let direction = settings.value(Connection::DIRECTION).and_then(|value| Direction::parse(&value));
        owns(end, key.knob, direction.unwrap_or(Direction::PeripheralToCentral))
    }

    fn always_owns(&self, end: End, key: &Key) -> bool {
        let ways = [Direction::PeripheralToCentral, Direction::CentralToPeripheral, Direction::Both];
        ways.into_iter().all(|way| owns(end, key.knob, way))
    }

    fn board(&self, plan: &dyn Planned, files: &[(Build, File)], asked: Option<End>) -> Result<Board, Refused> {
        let (build, files) = of_one_board(plan.link(), files)?;
        let end = built_end(plan, asked).map_err(|fault| Refused::whole(&files[0], fault))?;
        let mut board = match build {
            Build::Zephyr => zephyr::board(plan, &files[0], end),
            build => chip::board(plan, (&files, chip_side(build)), end),
        };
        board.end = Some(end);
        Ok(board)
    }

    fn end(&self, build: Build, config: &Configuration, asked: Option<End>) -> Option<End> {
        if build == Build::Zephyr { Some(zephyr::rules::end(config, asked)) } else { asked }
    }

    fn alone(&self, build: Build, config: &Configuration, end: Option<End>) -> Alone {
        let end = end.unwrap_or(End::Peripheral);
        let named = |device: &str| format!("{} = \"{device}\"\n", personality(end).name);
        let text = match build {
            Build::Zephyr => {
                format!("{}ble.direction = \"both\"\n", named(zephyr::rules::controller(config)))
            }
            build => {
                // Of Mynewt's controller no device is nearer than the one that leaves nothing out.
                let device = if build == Build::SoftDevice { "nordic-softdevice" } else { "ideal" };
                let told = build == Build::Esp && device::device(config).is_some();
                let named = if told { String::new() } else { named(device) };
                format!("{named}link = \"ble-gatt\"\nble.direction = \"both\"\n")
            }
        };
        Alone { sample: Sample::Text(text), made: build == Build::Zephyr }
    }

    fn board_alone(&self, plan: &dyn Planned, build: Build, file: File, end: Option<End>) -> Result<Board, Refused> {
        if build == Build::Zephyr {
            return self.board(plan, &[(build, file)], end);
        }
        Ok(chip::board(plan, (&[file], chip_side(build)), end.unwrap_or(End::Peripheral)))
    }

    fn elsewhere(&self, build: Build, option: &str) -> Option<String> {
        (build == Build::Esp).then(|| reasons::of_bluetooth(option)).flatten()
    }

    fn findings(&self, build: Build, config: &Configuration, end: Option<End>) -> Vec<Finding> {
        match build {
            Build::Zephyr => zephyr::rules::check(config, end.unwrap_or(End::Peripheral)),
            build => rules::check(build, config),
        }
    }

    fn spelling(&self, build: Build, config: &Configuration) -> Option<Spelling> {
        (build == Build::Zephyr).then(|| zephyr::rules::spelling(config))
    }

    fn gone(&self, build: Build, config: &Configuration) -> Vec<Gone> {
        if build == Build::Zephyr { zephyr::age::gone(config) } else { Vec::new() }
    }

    fn trials(&self, build: Build, config: &Configuration, finding: &Finding, end: Option<End>) -> Vec<Trial> {
        if build == Build::Zephyr { zephyr::trials::of_finding(config, finding, end) } else { Vec::new() }
    }

    fn gains(&self, build: Build, config: &Configuration, after: &Configuration, end: Option<End>) -> Vec<Trial> {
        if build == Build::Zephyr { zephyr::trials::both_ways(config, after, end) } else { Vec::new() }
    }
}

/// Key that names the device at `end`.
const fn personality(end: End) -> &'static Key {
    match end {
        End::Central => Initiator::PERSONALITY,
        End::Peripheral => Advertiser::PERSONALITY,
    }
}

/// Tells if what `knob` turns is the alone of `end` where the stream goes `direction`.
const fn owns(end: End, knob: Knob, direction: Direction) -> bool {
    match (knob, direction) {
        (Knob::Sender | Knob::Receiver, Direction::Both) => false,
        (Knob::Sender, Direction::CentralToPeripheral) | (Knob::Receiver, Direction::PeripheralToCentral) => {
            matches!(end, End::Central)
        }
        (Knob::Sender | Knob::Receiver | Knob::Peripheral, _) => matches!(end, End::Peripheral),
        (Knob::Central, _) => matches!(end, End::Central),
        _ => true,
    }
}

/// Image of a chip with a radio of its own that is built so.
const fn chip_side(build: Build) -> Side {
    match build {
        Build::Esp => Side::Radio,
        Build::Zephyr => Side::Zephyr,
        Build::SoftDevice => Side::SoftDevice,
        Build::Mynewt => Side::Mynewt,
    }
}

/// Files of the one board with firmware that a plan has, and the build that they are of.
///
/// # Errors
/// When those of ESP-IDF say nothing of Bluetooth, or there are files of several builds: a board has one.
fn of_one_board(link: &str, files: &[(Build, File)]) -> Result<(Build, Vec<File>), Refused> {
    let of = |build: Build| files.iter().filter(move |(own, _)| *own == build).map(|(_, file)| file.clone());
    let esp: Vec<File> = of(Build::Esp).collect();
    about_bluetooth(&esp, link)?;
    let (first, _) = &files[0];
    if let Some((second, file)) = files.iter().find(|(build, _)| build != first) {
        let (first, second) = (first.argument(), second.argument());
        let what =
            format!("{first} and {second} are of one board each, and a plan has one board with a build of its own");
        return Err(Refused::whole(file, Fault::new(what)));
    }
    Ok((*first, of(*first).collect()))
}

/// Refuses files of a chip none of which says anything of Bluetooth: those of a host of ESP-hosted, for example.
fn about_bluetooth(files: &[File], link: &str) -> Result<(), Refused> {
    const BEGINNINGS: [&str; 4] = ["CONFIG_BT_", "CONFIG_BTDM_", "CONFIG_NIMBLE_", "CONFIG_BLUEDROID_"];
    let says = |file: &File| {
        let begins = |name: &str| BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
        file.config.settings().iter().any(|setting| begins(&setting.name))
    };
    let Some(file) = files.first().filter(|_| !files.iter().any(says)) else { return Ok(()) };
    let what = format!("no device of the link `{link}` has an sdkconfig of ESP-IDF without a line of Bluetooth's");
    Err(Refused::whole(file, Fault::new(what)))
}

/// End of the plan's link that has the configuration.
fn built_end(plan: &dyn Planned, asked: Option<End>) -> Result<End, Fault> {
    let mut scenario: Option<Scenario> = None;
    plan.points(&mut |point, _| {
        if scenario.is_none() {
            scenario = point.as_any().downcast_ref().cloned();
        }
    });
    let Some(scenario) = scenario else {
        let link = plan.link();
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
