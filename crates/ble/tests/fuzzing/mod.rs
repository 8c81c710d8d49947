//! Byte strings read as scripts: what the fuzz targets run, and what the ordinary tests run with
//! random scripts and with the corpora of `fuzz/corpus`.

pub mod air;
pub mod controller;
pub mod host;

use airtime_testing::Script;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 4096;

/// Runs the script of the target with this name.
pub fn run(target: &str, bytes: &[u8]) {
    match target {
        "hci" => controller::hci(bytes),
        "ll_control" => controller::ll_control(bytes),
        "l2cap_att" => host::l2cap_att(bytes),
        other => panic!("no fuzz target is called {other}"),
    }
}
