//! `airtime ota run`: the host's boot sequence on a virtual SDIO link.

use std::sync::atomic::{AtomicBool, Ordering};

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};
use airtime_ota::boot::{Finding, Phase};
use airtime_ota::direct::{Happened, Side};
use airtime_ota::flash::Nor;
use airtime_ota::hosted::Session;
use airtime_ota::image::{Chip, Description, compose};
use airtime_ota::partition::{COPROCESSOR, Partition, Table};
use airtime_ota::slots::Slots;
use airtime_system::replacement::{Disk, System};
use serde_json::json;

use super::keep::Kept;
use super::settings::Settings;
use super::shown::Shown;
use super::{file, slave_fw};
use crate::arguments::ota::RunArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output;
use crate::request::Manner;

/// Firmware of a co-processor that is not read from a file: what the throughput report began with.
const FACTORY: &str = "2.11.7";
/// Seed of the random octets of a sector whose erasing is cut off.
const SEED: u64 = 1;
/// More restarts than this are none that an update needs.
const BOOTS_MAX: u32 = 16;

/// Carries the sequence out until the host runs its application.
pub fn run(arguments: &RunArguments, manner: Manner) -> Result<Exit, Failure> {
    let done = carry_out(arguments, &mut System, manner.quiet, interrupt::listen()?)?;
    shown(arguments, &done).print(manner)?;
    Ok(match done.ended {
        None => Exit::Interrupted,
        Some(Finding::Nothing) => Exit::Ok,
        Some(_) => Exit::Failed,
    })
}

/// A run that is over.
pub struct Done {
    /// Both sides, as they are in the end.
    pub pair: Session,
    /// Finding of the host; none when stopped.
    pub ended: Option<Finding>,
    watch: Watch,
    before: String,
}

/// Carries the sequence out, and keeps on `disk` what is to be kept.
///
/// # Errors
/// When what was asked for makes no sense, the sequence does not end, or a file cannot be read or written.
pub fn carry_out<D: Disk>(
    arguments: &RunArguments,
    disk: &mut D,
    quiet: bool,
    cancel: &AtomicBool,
) -> Result<Done, Failure> {
    let partition = slave_fw(&arguments.table)?;
    let settings = Settings::of(partition.size, &arguments.set)?;
    let files = arguments.in_place.then(|| Kept::of(arguments));
    let staged = staged(arguments, &partition)?;
    let slots = coprocessor(arguments, settings.rollback)?;
    let mut pair = Session::new(settings.link, Nor::holding(staged.clone(), SEED), slots);
    let before = switch_on(&mut pair)?;
    let mut watch = Watch { quiet, ..Watch::default() };
    let ended = watch.follow(&mut pair, arguments.cut, cancel)?;
    if let Some(files) = files {
        files.keep(disk, &staged, &pair)?;
    }
    Ok(Done { pair, ended, watch, before })
}

/// Content of the partition.
fn staged(arguments: &RunArguments, partition: &Partition) -> Result<Vec<u8>, Failure> {
    let octets = file::read(&arguments.file)?;
    if octets.len() as u64 != u64::from(partition.size) {
        let (path, found, name, size) = (arguments.file.display(), octets.len(), &partition.name, partition.size);
        return Err(Failure::BadInput(format!(
            "`{path}` has {found} octets, and partition `{name}` has {size}: stage the firmware first, with airtime ota stage"
        )));
    }
    Ok(octets)
}

fn coprocessor(arguments: &RunArguments, rollback: bool) -> Result<Slots<Nor>, Failure> {
    let bad = |why: String| Failure::BadInput(format!("the co-processor's flash: {why}"));
    let table = Table::parse(COPROCESSOR).map_err(|error| bad(error.to_string()))?;
    let kept = arguments.coprocessor.as_deref().map(file::read_if_there).transpose()?.flatten();
    let fresh = kept.is_none();
    let flash = match kept {
        Some(octets) if octets.len() < table.flash() as usize => {
            return Err(bad(format!("{} octets, where its table has {}", octets.len(), table.flash())));
        }
        Some(octets) => Nor::holding(octets, SEED),
        None => Nor::new(4 << 20, SEED),
    };
    let mut slots = Slots::new(flash, &table, Chip::ESP32_C6, rollback).map_err(|error| bad(error.to_string()))?;
    if fresh {
        let version = FACTORY.to_owned();
        let description = Description {
            version,
            project: "network_adapter".to_owned(),
            idf: "v5.5.1".to_owned(),
            elf_sha256: [0; 32],
        };
        slots.install(&compose(Chip::ESP32_C6, &description, &[])).map_err(|error| bad(error.to_string()))?;
    }
    Ok(slots)
}

/// Both get power; which firmware the co-processor runs.
fn switch_on(pair: &mut Session) -> Result<String, Failure> {
    pair.power_on().map_err(|error| Failure::BadInput(format!("the co-processor does not boot: {error}")))?;
    Ok(runs(pair))
}

fn runs(pair: &Session) -> String {
    pair.running().map_or_else(|| "nothing".to_owned(), |running| running.image.description.version)
}

/// Follows a run: how long each phase takes, and what is said meanwhile.
#[derive(Debug, Default)]
struct Watch {
    quiet: bool,
    phases: Vec<(&'static str, Duration)>,
    since: Instant,
    said: u32,
    boots: u32,
    written: u32,
    writing: Duration,
}

impl Watch {
    /// Until the host runs its application; none when stopped.
    fn follow(
        &mut self,
        pair: &mut Session,
        mut cut: Option<Duration>,
        cancel: &AtomicBool,
    ) -> Result<Option<Finding>, Failure> {
        self.boots = 1;
        while self.boots <= BOOTS_MAX {
            if cancel.load(Ordering::SeqCst) {
                return Ok(None);
            }
            let limit = Instant::from_nanos(cut.map_or(u64::MAX, Duration::as_nanos));
            let phase = pair.progress().map(|progress| progress.phase);
            let happened = pair.step(limit);
            self.book(phase, pair);
            match happened {
                Happened::Step => self.say(pair),
                Happened::Restarted => self.boots += 1,
                Happened::Runs(finding) => return Ok(Some(finding)),
                Happened::Nothing if cut.is_some() => {
                    cut = None;
                    pair.cut(Side::Both);
                    self.note(&format!("{}: power goes and comes back", pair.now() - Instant::ZERO));
                    let version = switch_on(pair)?;
                    self.note(&format!("the co-processor boots {version}"));
                    self.boots += 1;
                }
                Happened::Nothing => break,
            }
        }
        Err(Failure::Machine("the sequence does not end".to_owned()))
    }

    /// Books the time since the last step to the phase the host was in.
    fn book(&mut self, phase: Option<Phase>, pair: &Session) {
        let took = pair.now() - self.since;
        self.since = pair.now();
        let Some(phase) = phase else { return };
        let name = phase.name();
        match self.phases.iter_mut().find(|(known, _)| *known == name) {
            Some((_, time)) => *time += took,
            None => self.phases.push((name, took)),
        }
        if let Some(progress) = pair.progress().filter(|progress| progress.written > 0) {
            (self.written, self.writing) = (progress.written, self.time(Phase::Write));
        }
    }

    fn time(&self, phase: Phase) -> Duration {
        self.phases.iter().find(|(name, _)| *name == phase.name()).map_or(Duration::ZERO, |(_, time)| *time)
    }

    /// A line for every tenth of the image.
    fn say(&mut self, pair: &Session) {
        let Some(progress) = pair.progress().filter(|progress| progress.phase == Phase::Write && progress.octets > 0)
        else {
            self.said = 0;
            return;
        };
        let tenth = (u64::from(progress.written) * 10 / u64::from(progress.octets)) as u32;
        if tenth <= self.said {
            return;
        }
        self.said = tenth;
        let rate = u64::from(self.written) * 1_000_000_000 / self.writing.as_nanos().max(1);
        let left = u64::from(progress.octets - progress.written) * 1000 / rate.max(1);
        self.note(&format!(
            "{}0 %: {} of {} octets, {}.{} kB/s, {}.{} s left",
            tenth,
            progress.written,
            progress.octets,
            rate / 1000,
            rate % 1000 / 100,
            left / 1000,
            left % 1000 / 100
        ));
    }

    fn note(&self, text: &str) {
        if !self.quiet {
            output::say(text);
        }
    }
}

fn shown(arguments: &RunArguments, done: &Done) -> Shown {
    let Done { pair, ended, watch, before } = done;
    let result = match ended {
        None if arguments.in_place => "stopped; a later run goes on from here".to_owned(),
        None => "stopped".to_owned(),
        Some(Finding::Nothing) if pair.writes() > 0 => {
            "the new firmware has answered, and what was staged is erased".to_owned()
        }
        Some(finding) => finding.to_string(),
    };
    let after = runs(pair);
    let goodput = Bitrate::of(u64::from(watch.written), watch.writing);
    let mut lines = vec![
        ("result", result.clone()),
        ("firmware before", before.clone()),
        ("firmware now", after.clone()),
        ("boots of the host", watch.boots.to_string()),
        ("writes", pair.writes().to_string()),
    ];
    lines.extend(watch.phases.iter().map(|(name, time)| (*name, format!("{:.3} s", seconds(*time)))));
    let elapsed = pair.now() - Instant::ZERO;
    let mut remarks =
        vec![format!("{:.3} s of virtual time; {:.0} kbps while writing", seconds(elapsed), goodput.kbps())];
    if arguments.in_place && arguments.coprocessor.is_none() {
        remarks.push("the co-processor's flash is kept nowhere: name a file for it with --coprocessor".to_owned());
    }
    let phases: serde_json::Map<String, serde_json::Value> =
        watch.phases.iter().map(|(name, time)| ((*name).to_owned(), json!(time.as_nanos()))).collect();
    let document = json!({
        "schema": "airtime/ota-run/1",
        "over": arguments.over,
        "completed": *ended == Some(Finding::Nothing),
        "result": result,
        "firmware_before": before,
        "firmware_now": after,
        "boots": watch.boots,
        "writes": pair.writes(),
        "elapsed_ns": elapsed.as_nanos(),
        "phases_ns": phases,
        "write_kbps": goodput.kbps(),
    });
    Shown { title: format!("{} over {}", arguments.file.display(), arguments.over), lines, remarks, document }
}

/// Seconds of a time, for reports only.
fn seconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e9
}
