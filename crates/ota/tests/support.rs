//! Firmware, flashes and the pair of both sides for the tests.

use airtime_core::Instant;
use airtime_ota::direct::{Direct, DirectConfig, Happened};
use airtime_ota::flash::Nor;
use airtime_ota::image::{Chip, Description, compose};
use airtime_ota::partition::{COPROCESSOR, HOST, SLAVE_FW, Table};
use airtime_ota::slots::Slots;
use airtime_ota::stage::stage;

/// Octets of the published image.
pub const PUBLISHED: usize = 1_182_176;

pub const OLD: [u32; 3] = [2, 11, 7];
pub const NEW: [u32; 3] = [2, 12, 5];

/// Firmware of this version for the ESP32-C6 with `octets` octets in all, which have to be a multiple of 16.
pub fn firmware(version: [u32; 3], octets: usize) -> Vec<u8> {
    image(Chip::ESP32_C6, version, octets)
}

pub fn image(chip: Chip, [major, minor, patch]: [u32; 3], octets: usize) -> Vec<u8> {
    let description = Description {
        version: format!("{major}.{minor}.{patch}"),
        project: "network_adapter".into(),
        idf: "v5.5.1".into(),
        elf_sha256: [patch as u8; 32],
    };
    // Header 24, two segment headers of 8, description 256, four words, checksum in a block of 16, digest 32.
    let body = octets - (24 + 8 + 256 + 8 + 16 + 16 + 32) + (24 + 8 + 256 + 8 + 16) % 16;
    let body: Vec<u8> = (0..body as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let composed = compose(chip, &description, &body);
    assert_eq!(composed.len(), octets);
    composed
}

/// Octets of the host's partition.
pub fn room() -> u32 {
    Table::parse(HOST).unwrap().find(SLAVE_FW).unwrap().size
}

/// A co-processor whose first slot holds firmware of [`OLD`].
pub fn slots(rollback: bool, seed: u64) -> Slots<Nor> {
    let table = Table::parse(COPROCESSOR).unwrap();
    let mut slots = Slots::new(Nor::new(table.flash(), seed), &table, Chip::ESP32_C6, rollback).unwrap();
    slots.install(&firmware(OLD, 65_536)).unwrap();
    slots
}

/// Both sides with `image` staged, switched on.
pub fn pair(config: DirectConfig, image: &[u8], rollback: bool, seed: u64) -> Direct {
    let (partition, _) = stage(image, Chip::ESP32_C6, config.boot.partition, None).unwrap();
    let mut pair = Direct::new(config, Nor::holding(partition, seed), slots(rollback, seed));
    pair.power_on().unwrap();
    pair
}

/// Lets a pair go on until the host runs its application, restarts or nothing happens; not for ever.
pub fn run(pair: &mut Direct, limit: Instant) -> Happened {
    for _ in 0..1_000_000 {
        match pair.step(limit) {
            Happened::Step => {}
            other => return other,
        }
    }
    panic!("the sequence does not end");
}

pub fn version(pair: &Direct) -> [u32; 3] {
    pair.running().unwrap().image.description.numbers().unwrap()
}
