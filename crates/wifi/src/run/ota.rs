//! New firmware for the co-processor over the virtual bus, as the published boot sequence goes about it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::{Duration, Instant};
use airtime_link::{Carried, Ran, booked};

use crate::ledger::{Account, Books, Direction};
use crate::plan::{Hosted, Scenario};
use airtime_ota::direct::Happened;
use airtime_ota::flash::Nor;
use airtime_ota::hosted::{Session, SessionConfig};
use airtime_ota::image::{Chip, Description, compose};
use airtime_ota::partition::{COPROCESSOR, HOST, SLAVE_FW, Table};
use airtime_ota::slots::{BootError, Slots};
use airtime_ota::stage::stage;

use super::config;

/// Size of an image besides its body: header 24, segment headers 8 and 8, description 256, four words, checksum in a
/// block of 16, digest 32.
const AROUND_BODY: u32 = 24 + 8 + 256 + 8 + 16 + 16 + 32;

/// The smallest image that is made here.
pub const IMAGE_MIN: u32 = 1_024;

/// Octets of the co-processor's flash.
const FLASH: u32 = 4 << 20;

/// Seed of the random octets of a sector whose erasing is cut off, which nothing here does.
const SEED: u64 = 1;

/// Outcome of one update.
struct Updated {
    /// From the first chunk to the end of the update, as far as it came.
    installing: Duration,
    writes: u32,
    restarts: u64,
    runs: Option<String>,
    at: Instant,
}

/// Runs the update. Nothing in it is drawn, so one run is all of them.
pub fn ran(scenario: &Scenario) -> Ran {
    let Some(hosted) = scenario.chips() else { return Ran::default() };
    let updated = match update(scenario, hosted) {
        Ok(updated) => updated,
        Err(error) => return Ran { outcome: format!("failed: {error}"), ..Ran::default() },
    };
    let octets = hosted.image_octets();
    let done = updated.runs.is_some();
    let says = format!(
        "{octets} octets in {} chunks took {:.2} s: each chunk is a remote call and 10 ms of the host's own.",
        updated.writes,
        updated.installing.as_millis_f64() / 1e3
    );
    let ledger = books(updated.at);
    let version = updated.runs.unwrap_or_else(|| "the update was not through in time".into());
    Ran {
        carried: Some(Carried { octets: octets.into(), time: updated.installing }),
        elapsed: ledger.elapsed(),
        books: booked(&ledger),
        bottleneck: Account::IdleApp.name(),
        says,
        counters: [
            ("chunks", u64::from(updated.writes)),
            ("installing_ns", updated.installing.as_nanos()),
            ("whole_sequence_ns", ledger.elapsed().as_nanos()),
            ("restarts", updated.restarts),
        ]
        .into_iter()
        .collect(),
        outcome: if done { format!("ok, the co-processor runs {version}") } else { version },
        ..Ran::default()
    }
}

/// The channel's books: nothing was sent by air.
fn books(until: Instant) -> Ledger<Account> {
    Books::new(Instant::ZERO, Direction::Up).ledger_at(until)
}

fn update(scenario: &Scenario, hosted: &Hosted) -> Result<Updated, BootError> {
    let host = Table::parse(HOST).expect("the published table is right");
    let partition = host.find(SLAVE_FW).expect("the published table has a partition for the co-processor").size;
    let slots = installed()?;
    let (staged, _) = stage(&image("2.12.5", hosted.image_octets()), Chip::ESP32_C6, partition, None)
        .expect("an image of at most 2 MB fits the partition");
    let mut link = Session::new(link(scenario, hosted, partition), Nor::holding(staged, SEED), slots);
    link.power_on()?;
    let end = Instant::ZERO + scenario.run.duration;
    let (mut begun, mut restarts, mut last) = (None, 0, Instant::ZERO);
    loop {
        let before = link.writes();
        match link.step(end) {
            Happened::Step => {}
            Happened::Restarted => restarts += 1,
            Happened::Runs(_) => break,
            Happened::Nothing => {
                return Ok(Updated {
                    installing: Duration::ZERO,
                    writes: link.writes(),
                    restarts,
                    runs: None,
                    at: end,
                });
            }
        }
        begun = begun.or(link.progress().and_then(|progress| progress.begun));
        if link.writes() > before {
            last = link.now();
        }
    }
    let runs = link.running().map(|running| running.image.description.version);
    let installing = begun.map_or(Duration::ZERO, |begun| last.saturating_since(begun));
    Ok(Updated { installing, writes: link.writes(), restarts, runs, at: link.now() })
}

fn link(scenario: &Scenario, hosted: &Hosted, partition: u32) -> SessionConfig {
    let mut link = SessionConfig {
        host: config::host(scenario, hosted),
        coprocessor: config::coprocessor(scenario, hosted),
        bus: hosted.timing(),
        costs: scenario.costs(),
        ..SessionConfig::published(partition)
    };
    link.boot.not_before = hosted.start_up;
    link.set_transport(hosted.start_up);
    link
}

/// A co-processor with the firmware that the published report began with.
fn installed() -> Result<Slots<Nor>, BootError> {
    let table = Table::parse(COPROCESSOR).expect("the co-processor's table is right");
    let mut slots = Slots::new(Nor::new(FLASH, SEED), &table, Chip::ESP32_C6, true)?;
    slots.install(&image("2.11.7", IMAGE_MIN)).map_err(BootError::from)?;
    Ok(slots)
}

/// Firmware of this version with `octets` octets, a multiple of 16.
fn image(version: &str, octets: u32) -> Vec<u8> {
    let description = Description {
        version: version.into(),
        project: "network_adapter".into(),
        idf: "v5.5.1".into(),
        elf_sha256: [0; 32],
    };
    let body = octets - AROUND_BODY + (AROUND_BODY - 48) % 16;
    let body: Vec<u8> = (0..body).map(|place| (place.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    compose(Chip::ESP32_C6, &description, &body)
}
