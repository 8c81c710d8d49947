//! Any frames into the tallies of stations and nodes.
#![no_main]

#[path = "../../crates/ieee80211/tests/fuzzing/mod.rs"]
mod ieee80211;
#[path = "../../crates/ieee802154/tests/fuzzing/mod.rs"]
mod ieee802154;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    ieee80211::heard(bytes);
    ieee802154::heard(bytes);
});
