//! Tables of the procedures: what every input does in every state that can be reached. They are not
//! written but driven out of the machines: a row that changes is a change of behaviour.

mod changes;
mod encryption;
mod exchanges;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Debug, Write};

use airtime_core::units::Frequency;
use airtime_core::{Duration, Instant};

use super::effect::Effect;
use super::facts::Facts;
use super::parameters::timing;
use crate::air::{Phy, T_IFS};
use crate::ll::connection::Encryption;
use crate::personality::{Budget, CompletedPackets, Controller};
use crate::words::Role;

/// States after which a machine counts as one without end.
const STATES_MAX: usize = 200;

/// A controller that can do everything.
const ABLE: Controller = Controller {
    margin: Duration::ZERO,
    budget: Budget::EmptyReply,
    event_time_cap: None,
    event_overhead: Duration::ZERO,
    event_extension: false,
    event_pdu_cap: None,
    prepare_lead: None,
    slot_reservation: None,
    ticker_clock: Frequency(1_000_000),
    drift_skip: true,
    crc_errors_close: 2,
    crc_errors_reply: false,
    queue_ahead: Duration::ZERO,
    completed_packets: CompletedPackets::PerPdu,
    acl_count: 1,
    acl_size: 27,
    rx_buffers: 1,
    data_octets: 251,
    data_time: Duration::from_micros(17_040),
    suggested_octets: 27,
    begins_data_length: false,
    frame_space_min: Some(Duration::from_micros(52)),
    subrating: true,
    phy_2m: true,
    phy_coded: true,
    csa2: true,
    parameter_request: true,
    central_requests: false,
    controls_wait: false,
    link_spacing: Duration::ZERO,
    clock_ppm: 0,
    interval_min: Duration::from_micros(7500),
    ..Controller::ZEPHYR_LL
};

/// A controller that can do as little as is allowed.
const UNABLE: Controller = Controller {
    frame_space_min: None,
    subrating: false,
    phy_2m: false,
    phy_coded: false,
    csa2: false,
    parameter_request: false,
    ..ABLE
};

/// Event counter in all tables: an instant above lies ahead, one below has passed.
const NOW: u16 = 100;

/// Facts about a fresh connection with an interval of 15 ms and a timeout of 4 s.
fn facts(role: Role, personality: &Controller) -> Facts<'_> {
    Facts {
        now: Instant::from_nanos(1_000_000_000),
        personality,
        host_decides: true,
        role,
        link: 0x8e89_bed7,
        counter: NOW,
        sends_in: NOW,
        timing: timing(12, 0, 400),
        factor: 1,
        host_subrates: true,
        phys: (Phy::Le1M, Phy::Le1M),
        frame_space: T_IFS,
        peer_space: (T_IFS, T_IFS),
        encryption: Encryption::default(),
    }
}

/// Table of a machine under `heading`: the states reached from `start` by `inputs`, and in each what each input does.
fn table<'a, M, I>(
    heading: &str,
    start: (M, Facts<'a>),
    inputs: &[(&str, I)],
    step: impl Fn(&mut M, &Facts<'_>, I) -> Vec<Effect>,
) -> String
where
    M: Clone + Debug,
    I: Copy,
{
    let mut text = format!("# {heading}\n");
    let mut names = alloc::vec![shown(&start)];
    let mut states = alloc::vec![start];
    let mut next = 0;
    while next < states.len() {
        assert!(next < STATES_MAX, "{heading} has no end");
        let from = states[next].clone();
        let mut ignored = Vec::new();
        let _ = writeln!(text, "\n{next}: {}", names[next]);
        for &(name, input) in inputs {
            let (mut machine, mut facts) = from.clone();
            let effects = step(&mut machine, &facts, input);
            effects.iter().for_each(|effect| follow(&mut facts, effect));
            let to = (machine, facts);
            let state = shown(&to);
            let index = names.iter().position(|known| *known == state).unwrap_or(names.len());
            if index == names.len() {
                names.push(state);
                states.push(to);
            }
            if index == next && effects.is_empty() {
                ignored.push(name);
                continue;
            }
            let effects: Vec<_> = effects.iter().map(described).collect();
            let _ = writeln!(text, "  {}", format!("{name} -> {index}  {}", effects.join(", ")).trim_end());
        }
        if !ignored.is_empty() {
            let _ = writeln!(text, "  ignored: {}", ignored.join(", "));
        }
        next += 1;
    }
    text
}

/// Lets the facts follow what the connection would have carried out.
fn follow(facts: &mut Facts<'_>, effect: &Effect) {
    match effect {
        Effect::Encryption(encryption) => facts.encryption = *encryption,
        Effect::Phys { tx, rx } => facts.phys = (*tx, *rx),
        Effect::Timing { timing, .. } => facts.timing = *timing,
        Effect::PeerSpace(shortest, longest) => facts.peer_space = (*shortest, *longest),
        Effect::Space { space, .. } => {
            facts.frame_space = *space;
            facts.peer_space = (facts.peer_space.0.min(*space), facts.peer_space.1.max(*space));
        }
        _ => {}
    }
}

/// A state: the machine, and what is in force that was not from the beginning.
fn shown<M: Debug>((machine, now): &(M, Facts<'_>)) -> String {
    let mut text = format!("{machine:?}");
    let fresh = facts(now.role, now.personality);
    let mut add = |changed: bool, fact: &dyn Debug| {
        if changed {
            let _ = write!(text, ", {fact:?}");
        }
    };
    add(now.encryption != fresh.encryption, &now.encryption);
    add(now.phys != fresh.phys, &now.phys);
    add(now.timing != fresh.timing, &now.timing);
    add(now.frame_space != fresh.frame_space, &now.frame_space);
    add(now.peer_space != fresh.peer_space, &now.peer_space);
    text
}

fn described(effect: &Effect) -> String {
    match effect {
        Effect::Map(map) => format!("Map({:#x})", map.bits()),
        effect => format!("{effect:?}"),
    }
}
