//! Octets read as scripts for frames, commands and key exchanges: what the fuzz targets run, and what ordinary tests run with
//! random scripts and with the corpora of `fuzz/corpus`.
//!
//! A script is read to its end and never refused. Each octet keeps its meaning when others change, which is what lets a fuzzer
//! learn.

mod command;
mod extended;
mod frame;
mod key_exchange;

pub use command::command;
pub use extended::extended;
pub use frame::frame;
pub use key_exchange::key_exchange;

use std::collections::VecDeque;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 8_000;

/// Frames that wait on a lane; more are lost, as on any link.
const LANE: usize = 8;

/// A script that is being read.
struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self(&bytes[..bytes.len().min(OCTETS_MAX)])
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn octet(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.octet(), self.octet()])
    }

    /// Up to `most` octets, as many as the next two say.
    fn octets(&mut self, most: usize) -> &'a [u8] {
        let len = (usize::from(self.u16()) % (most + 1)).min(self.0.len());
        let (octets, rest) = self.0.split_at(len);
        self.0 = rest;
        octets
    }
}

/// Loses, repeats, swaps, shortens or changes what is under way.
fn disturb(lane: &mut VecDeque<Vec<u8>>, script: &mut Script<'_>) {
    let (what, at) = (script.octet(), usize::from(script.octet()));
    if lane.is_empty() {
        return;
    }
    let at = at % lane.len();
    match what % 5 {
        0 => {
            lane.remove(at);
        }
        1 => lane.push_back(lane[at].clone()),
        2 => lane.swap(0, at),
        3 => {
            let len = usize::from(script.octet());
            lane[at].truncate(len);
        }
        _ => {
            let octet = usize::from(script.octet());
            let len = lane[at].len().max(1);
            if let Some(octet) = lane[at].get_mut(octet % len) {
                *octet ^= script.octet();
            }
        }
    }
}
