//! Octets of the published RPC protocol, ours and those of its Python library, both ways.

mod frames;
mod library;
mod seals;
mod small;

use libtest_mimic::Trial;

use crate::peer::{Peer, beside};

const LIBRARY: &[Peer] = &[Peer::BlerpcProtocol];

pub fn trials() -> Vec<Trial> {
    vec![
        beside("RPC frames of every MTU are those of blerpc-protocol", LIBRARY, frames::both_ways),
        beside("RPC frames are cut where blerpc-protocol would fail", LIBRARY, frames::quirks),
        beside("RPC frames that are cut short are refused", LIBRARY, frames::truncated),
        beside("RPC commands are those of blerpc-protocol", LIBRARY, small::commands),
        beside("RPC controls are those of blerpc-protocol", LIBRARY, small::controls),
        beside("RPC keys are exchanged with a blerpc-protocol peripheral", LIBRARY, seals::with_a_peripheral),
        beside("RPC keys are exchanged with a blerpc-protocol central", LIBRARY, seals::with_a_central),
        beside("RPC messages are sealed as blerpc-protocol seals", LIBRARY, seals::both_ways),
    ]
}
