//! Octets of the published RPC protocol, ours and those of its Python library, both ways.

mod frames;
mod library;
mod seals;
mod small;

use libtest_mimic::Trial;

use crate::peer::{Peer, trial};

const LIBRARY: &[Peer] = &[Peer::BlerpcProtocol];

pub fn trials() -> Vec<Trial> {
    vec![
        trial("RPC frames of every MTU are those of blerpc-protocol", LIBRARY, frames::both_ways),
        trial("RPC frames are cut where blerpc-protocol would fail", LIBRARY, frames::quirks),
        trial("RPC frames that are cut short are refused", LIBRARY, frames::truncated),
        trial("RPC commands are those of blerpc-protocol", LIBRARY, small::commands),
        trial("RPC controls are those of blerpc-protocol", LIBRARY, small::controls),
        trial("RPC keys are exchanged with a blerpc-protocol peripheral", LIBRARY, seals::with_a_peripheral),
        trial("RPC keys are exchanged with a blerpc-protocol central", LIBRARY, seals::with_a_central),
        trial("RPC messages are sealed as blerpc-protocol seals", LIBRARY, seals::both_ways),
    ]
}
