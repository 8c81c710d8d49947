//! What a host that has set no masks hears, and what it does not.

use airtime_ble::hci::{Status, event, opcode};
use airtime_core::Duration;

use crate::support::{CENTRAL, PERIPHERAL, Pair};

/// The default masks: Core 6.0, Vol 4, Part E, 7.3.1 without LE Meta, and 7.8.1.
const DEFAULT: [u8; 8] = 0x0000_1fff_ffff_ffffu64.to_le_bytes();
const WITH_LE_META: [u8; 8] = 0x2000_1fff_ffff_ffffu64.to_le_bytes();
const LE_DEFAULT: [u8; 8] = 0x1fu64.to_le_bytes();

/// Subevents of the LE Meta events a device has heard since it had `from` packets.
fn subevents(pair: &Pair, device: usize, from: usize) -> Vec<u8> {
    pair.script(device).heard[from..].iter().filter(|p| p[1] == event::LE_META).map(|p| p[3]).collect()
}

#[test]
fn the_default_le_mask_lets_the_first_five_pass() {
    let mut pair = Pair::connected(12);
    pair.done(CENTRAL, opcode::SET_EVENT_MASK, &WITH_LE_META);
    pair.done(CENTRAL, opcode::LE_SET_EVENT_MASK, &LE_DEFAULT);
    let from = pair.script(CENTRAL).heard.len();
    pair.done(CENTRAL, opcode::LE_SET_DATA_LENGTH, &[0, 0, 251, 0, 0x48, 0x08]);
    pair.done(CENTRAL, opcode::LE_SET_PHY, &[0, 0, 0, 2, 2, 0, 0]);
    pair.done(CENTRAL, opcode::LE_READ_REMOTE_FEATURES, &[0, 0]);
    pair.run(Duration::from_secs(1));
    assert_eq!(subevents(&pair, CENTRAL, from), [event::LE_READ_REMOTE_FEATURES_COMPLETE]);
    let update = [0, 0, 24, 0, 24, 0, 0, 0, 0x90, 1, 0, 0, 0, 0];
    pair.done(CENTRAL, opcode::LE_CONNECTION_UPDATE, &update);
    pair.run(Duration::from_secs(1));
    assert_eq!(subevents(&pair, CENTRAL, from)[1..], [event::LE_CONNECTION_UPDATE_COMPLETE]);
    // A parameter request that the host masks is refused for it. Core 6.0, Vol 6, Part B, 5.1.7.
    pair.done(PERIPHERAL, opcode::LE_CONNECTION_UPDATE, &update);
    pair.run(Duration::from_secs(1));
    let refused = pair.script(PERIPHERAL).le_event(event::LE_CONNECTION_UPDATE_COMPLETE).expect("an answer");
    assert_eq!(refused[0], Status::UNSUPPORTED_REMOTE_FEATURE.0);
}

#[test]
fn without_the_le_meta_bit_there_are_no_le_events() {
    let mut pair = Pair::connected(12);
    pair.done(CENTRAL, opcode::SET_EVENT_MASK, &DEFAULT);
    let from = pair.script(CENTRAL).heard.len();
    pair.done(CENTRAL, opcode::LE_SET_PHY, &[0, 0, 0, 2, 2, 0, 0]);
    pair.run(Duration::from_secs(1));
    assert!(subevents(&pair, CENTRAL, from).is_empty());
    pair.done(CENTRAL, opcode::DISCONNECT, &[0, 0, 0x13]);
    pair.run(Duration::from_secs(1));
    assert!(pair.script(CENTRAL).plain_event(event::DISCONNECTION_COMPLETE).is_some());
}

#[test]
fn a_reset_puts_the_default_masks_back() {
    let mut pair = Pair::connected(12);
    pair.done(CENTRAL, opcode::RESET, &[]);
    pair.run(Duration::from_secs(5));
    pair.done(PERIPHERAL, opcode::RESET, &[]);
    let from = pair.script(CENTRAL).heard.len();
    pair.connect(12, 0);
    assert!(subevents(&pair, CENTRAL, from).is_empty(), "LE Meta is not in the default mask");
}
