//! Octets read as scripts for the stack of an ESP32 host: what the fuzz target runs, and what ordinary tests run with random
//! scripts and with the corpus of `fuzz/corpus`.

mod lwip;

pub use lwip::lwip;

use airtime_testing::Script;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 8_000;
