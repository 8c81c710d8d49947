//! Tables of advertising: its sets, and the legacy advertiser.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::random::{Stream, stream};

use super::{Input, answer, table};
use crate::controller::commands::advertising::{Advertising, legacy, sets};
use crate::controller::commands::{Answer, Call};
use crate::ll::identity::Identities;
use crate::personality::Controller;

/// Advertising with what its commands decide by.
struct Part {
    advertising: Advertising,
    identities: Identities,
    numbers: Stream,
    personality: Controller,
}

fn part() -> Part {
    let personality = Controller::default();
    Part {
        advertising: Advertising::new(&personality),
        identities: Identities::new([1; 6], stream(1, "test")),
        numbers: stream(2, "test"),
        personality,
    }
}

fn on_sets<'a>(part: &'a mut Part, params: &[u8], run: fn(&mut sets::Commands<'a>, &mut Call<'_>) -> Answer) -> String {
    let Part { advertising, identities, numbers, personality } = part;
    answer(params, |call| run(&mut advertising.sets(identities, numbers, personality), call))
}

fn on_legacy<'a>(
    part: &'a mut Part,
    params: &[u8],
    run: fn(&mut legacy::Commands<'a>, &mut Call<'_>) -> Answer,
) -> String {
    let Part { advertising, identities, numbers, .. } = part;
    answer(params, |call| run(&mut advertising.legacy(identities, numbers), call))
}

/// The advertiser has the radio.
fn on_the_air(part: &mut Part) -> String {
    part.advertising.running_mut().iter_mut().for_each(|advertiser| advertiser.active = true);
    String::new()
}

const CONNECTABLE: u8 = 0x01;
const SCANNABLE: u8 = 0x02;
const LEGACY_CONNECTABLE: u8 = 0x13;
const LEGACY_HIGH_DUTY: u8 = 0x1d;

/// Parameters of a set: 100 ms, all channels, own address of this type, 1M.
fn parameters(handle: u8, properties: u8, own: u8) -> Vec<u8> {
    let mut params = alloc::vec![handle, properties, 0, 160, 0, 0, 160, 0, 0, 7, own, 0];
    params.extend([0; 6]);
    params.extend([0, 127, 1, 0, 1, 0, 0]);
    params
}

fn data(handle: u8, operation: u8, octets: &[u8]) -> Vec<u8> {
    [&[handle, operation, 0, octets.len() as u8], octets].concat()
}

fn shown(part: &Part) -> String {
    let sets: Vec<_> = part.advertising.shown().collect();
    let legacy = if part.advertising.running().has(None) { ["legacy runs"].as_slice() } else { &[] };
    let all: Vec<_> = sets.iter().map(String::as_str).chain(legacy.iter().copied()).collect();
    let active = part.advertising.has_active();
    format!("[{}]{}", all.join("; "), if active { ", on the air" } else { "" })
}

#[test]
fn life_of_a_set() {
    use sets::Commands;
    let inputs: [(&str, Input<Part>); 14] = [
        ("parameters", |part| on_sets(part, &parameters(1, CONNECTABLE, 1), Commands::set_parameters)),
        ("handle 0xf0", |part| on_sets(part, &parameters(0xf0, CONNECTABLE, 1), Commands::set_parameters)),
        ("properties 3", |part| on_sets(part, &parameters(1, 3, 1), Commands::set_parameters)),
        ("anonymous", |part| on_sets(part, &parameters(1, 0x20, 1), Commands::set_parameters)),
        ("random address", |part| on_sets(part, &[1, 6, 5, 4, 3, 2, 0xc1], Commands::set_random_address)),
        ("enable", |part| on_sets(part, &[1, 1, 1, 0, 0, 0], Commands::enable)),
        ("enable twice at once", |part| on_sets(part, &[1, 2, 1, 0, 0, 0, 1, 0, 0, 0], Commands::enable)),
        ("enable none", |part| on_sets(part, &[1, 0], Commands::enable)),
        ("on the air", on_the_air),
        ("disable", |part| on_sets(part, &[0, 1, 1, 0, 0, 0], Commands::enable)),
        ("disable all", |part| on_sets(part, &[0, 0], Commands::enable)),
        ("remove", |part| on_sets(part, &[1], Commands::remove)),
        ("clear", |part| on_sets(part, &[], Commands::clear)),
        ("read number", |part| on_sets(part, &[], Commands::read_number)),
    ];
    insta::assert_snapshot!(table("one set with a random address", part, &inputs, shown));
}

#[test]
fn data_of_a_set() {
    use sets::Commands;
    let inputs: [(&str, Input<Part>); 11] = [
        ("connectable", |part| on_sets(part, &parameters(1, CONNECTABLE, 0), Commands::set_parameters)),
        ("scannable", |part| on_sets(part, &parameters(1, SCANNABLE, 0), Commands::set_parameters)),
        ("whole", |part| on_sets(part, &data(1, 3, &[1; 3]), Commands::set_data)),
        ("first part", |part| on_sets(part, &data(1, 1, &[1; 200]), Commands::set_data)),
        ("last part", |part| on_sets(part, &data(1, 2, &[1; 4]), Commands::set_data)),
        ("last part that is too long", |part| on_sets(part, &data(1, 2, &[1; 30]), Commands::set_data)),
        ("nothing as first part", |part| on_sets(part, &data(1, 1, &[]), Commands::set_data)),
        ("unchanged", |part| on_sets(part, &data(1, 4, &[]), Commands::set_data)),
        ("response", |part| on_sets(part, &data(1, 3, &[1; 5]), Commands::set_response)),
        ("enable", |part| on_sets(part, &[1, 1, 1, 0, 0, 0], Commands::enable)),
        ("disable", |part| on_sets(part, &[0, 1, 1, 0, 0, 0], Commands::enable)),
    ];
    insta::assert_snapshot!(table("data of one set", part, &inputs, shown));
}

#[test]
fn sets_of_legacy_events() {
    use sets::Commands;
    let inputs: [(&str, Input<Part>); 7] = [
        ("ADV_IND", |part| on_sets(part, &parameters(1, LEGACY_CONNECTABLE, 0), Commands::set_parameters)),
        ("high duty", |part| on_sets(part, &parameters(1, LEGACY_HIGH_DUTY, 0), Commands::set_parameters)),
        ("31 octets", |part| on_sets(part, &data(1, 3, &[1; 31]), Commands::set_data)),
        ("32 octets", |part| on_sets(part, &data(1, 3, &[1; 32]), Commands::set_data)),
        ("first part", |part| on_sets(part, &data(1, 1, &[1; 3]), Commands::set_data)),
        ("enable", |part| on_sets(part, &[1, 1, 1, 0, 0, 0], Commands::enable)),
        ("enable for 1.28 s", |part| on_sets(part, &[1, 1, 1, 128, 0, 0], Commands::enable)),
    ];
    insta::assert_snapshot!(table("one set of legacy events", part, &inputs, shown));
}

#[test]
fn as_many_sets_as_there_are() {
    use sets::Commands;
    let another = |part: &mut Part| {
        let handle = part.advertising.shown().count() as u8 + 1;
        on_sets(part, &parameters(handle, CONNECTABLE, 0), Commands::set_parameters)
    };
    let inputs: [(&str, Input<Part>); 3] = [
        ("another", another),
        ("enable 1 and 2", |part| on_sets(part, &[1, 2, 1, 0, 0, 0, 2, 0, 0, 0], Commands::enable)),
        ("clear", |part| on_sets(part, &[], Commands::clear)),
    ];
    insta::assert_snapshot!(table("several sets", part, &inputs, shown));
}

/// Parameters of the legacy advertiser: 100 ms, all channels.
fn legacy_parameters(kind: u8, own: u8, channels: u8) -> Vec<u8> {
    let mut params = alloc::vec![160, 0, 160, 0, kind, own, 0];
    params.extend([0; 6]);
    params.extend([channels, 0]);
    params
}

#[test]
fn legacy_advertiser() {
    use legacy::Commands;
    let inputs: [(&str, Input<Part>); 10] = [
        ("public address", |part| on_legacy(part, &legacy_parameters(0, 0, 7), Commands::set_parameters)),
        ("random address", |part| on_legacy(part, &legacy_parameters(0, 1, 7), Commands::set_parameters)),
        ("type 5", |part| on_legacy(part, &legacy_parameters(5, 0, 7), Commands::set_parameters)),
        ("no channel", |part| on_legacy(part, &legacy_parameters(0, 0, 0), Commands::set_parameters)),
        ("data", |part| on_legacy(part, &[1; 32], Commands::set_data)),
        ("data of 32 octets", |part| on_legacy(part, &[32; 32], Commands::set_data)),
        ("enable", |part| on_legacy(part, &[1], Commands::enable)),
        ("enable 2", |part| on_legacy(part, &[2], Commands::enable)),
        ("disable", |part| on_legacy(part, &[0], Commands::enable)),
        ("on the air", on_the_air),
    ];
    let shown = |part: &Part| format!("{}, shows {}", shown(part), part.advertising.shown_legacy());
    insta::assert_snapshot!(table("legacy advertiser", part, &inputs, shown));
}
