//! The table of keys: what every link shares here, and one file per link.

mod ble;
mod nrf24;
mod rpc;
mod traffic;
mod wifi;

use airtime_core::Duration;

use super::{Default, Key, Kind, Knob, Scope, Turns};

pub use ble::{INTERVAL_GRID, INTERVAL_MIN};
pub use nrf24::{MODES, POWERS};
pub use rpc::{CHECKS, METHODS};

/// The kinds of link this version has.
pub const LINKS: &[&str] = &["ble-coc", "ble-gatt", "ble-rpc", "nrf24-ip", "wifi-hosted"];

const NOBODY: Knob = Knob::Of(Turns::Nobody);

/// A time in µs up to `max_us`.
const fn span(min_us: u64, max_us: u64) -> Kind {
    Kind::Span(Duration::from_micros(min_us), Duration::from_micros(max_us))
}

/// The ways in which a table of loss can be written.
const LOSS_FORMS: &[&[&str]] = &[&["per"], &["ber"], &["good", "bad", "every", "burst"]];

/// A time of the CPU or the bus.
const HOST_TIME: Kind = span(0, 1_000_000);

const fn key(scope: Scope, name: &'static str, kind: Kind, default: Default, knob: Knob, doc: &'static str) -> Key {
    Key { name, kind, default, knob, scope, doc }
}

use Default::{Absent, Count, From, Text};
use Scope::{Every, Plan};

/// What is said of the plan, before any link.
#[rustfmt::skip]
const HEAD: &[Key] = &[
    key(Plan, "name", Kind::Text(120), From("the file's name"), NOBODY, "Name of the plan in tables and records."),
    key(Plan, "note", Kind::Text(1000), Absent, NOBODY, "What is to be known about the plan's figures as a whole."),
    key(Plan, "source", Kind::Text(400), Absent, NOBODY, "Where the plan's measured figures were published."),
    key(Every, "link", Kind::Choice(LINKS), Text("ble-coc"), NOBODY, "Kind of link: an L2CAP credit-based channel, GATT notifications and write commands, remote calls over either, IP over the nRF24L01+, or IP over Wi-Fi through an ESP-hosted co-processor."),
];

/// What every link has, after its own keys.
#[rustfmt::skip]
const TAIL: &[Key] = &[
    key(Every, "run.duration", span(1_000, 86_400_000_000), Text("60s"), NOBODY, "Virtual time from the connection to the end."),
    key(Every, "run.warmup", span(0, 86_400_000_000), Text("2s"), NOBODY, "Left out of the steady state, from the first SDU or value."),
    key(Every, "run.seed", Kind::Count(0, 9_223_372_036_854_775_807), Count(1), NOBODY, "Seed of the first run."),
    key(Every, "run.repeat", Kind::Count(1, 1_000), Count(3), NOBODY, "Runs with seed, seed + 1, ...; what draws no random number is run once."),

    key(Plan, "threshold.goodput", Kind::Threshold, Absent, NOBODY, "What the goodput must reach, or the command exits with 3."),
    key(Plan, "need.rate", Kind::Rates, Absent, NOBODY, "What the application wants, or a range of it; tables show the headroom."),
];

const PARTS: [&[Key]; 7] = [HEAD, ble::KEYS, rpc::KEYS, nrf24::KEYS, wifi::KEYS, traffic::KEYS, TAIL];

const COUNT: usize = {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

/// Every key of a plan, in the order of documentation and records.
pub const KEYS: &[Key] = &joined();

const fn joined() -> [Key; COUNT] {
    let mut all = [HEAD[0]; COUNT];
    let (mut at, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut index = 0;
        while index < PARTS[part].len() {
            all[at] = PARTS[part][index];
            at += 1;
            index += 1;
        }
        part += 1;
    }
    all
}
