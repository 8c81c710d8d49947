//! Octets read as scripts for frames, commands and key exchanges: what the fuzz targets run, and what ordinary tests run with
//! random scripts and with the corpora of `fuzz/corpus`.

mod command;
mod extended;
mod frame;
mod key_exchange;

pub use command::command;
pub use extended::extended;
pub use frame::frame;
pub use key_exchange::key_exchange;

use std::collections::VecDeque;

use airtime_testing::Script;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 8_000;

/// Frames that wait on a lane; more are lost, as on any link.
const LANE: usize = 8;

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
