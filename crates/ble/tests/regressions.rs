//! What fuzzing has found, each as the smallest case that showed it.

use airtime_ble::hci::opcode;
use airtime_ble::host::Role;
use airtime_ble::ll::pdu::LLID_CONTROL;

use crate::fuzzing;
use crate::fuzzing::air::{Fault, Rig};
use crate::fuzzing::controller::{advertise, connect_ind, personality};

/// Octets of a CONNECT_IND in front of its LLData: header and two addresses.
const LL_DATA: usize = 2 + 12;
/// Offsets within LLData. Core 6.0, Vol 6, Part B, 2.3.3.1.
const WIN_SIZE: usize = LL_DATA + 7;
const INTERVAL: usize = LL_DATA + 10;

/// A controller with one connection as a peripheral: no latency, and 7.5 ms or what `shape` says.
fn connected(shape: u8) -> Rig {
    let mut rig = Rig::new(personality(0));
    advertise(&mut rig);
    rig.hear_advertising(&connect_ind(shape), Fault::NONE);
    assert_eq!(rig.controller.connection(0).map(|c| c.role), Some(Role::Peripheral));
    rig
}

/// It took the advertiser with it and left the radio with nobody: neither advertised nor served another link.
#[test]
fn a_malformed_connect_ind_does_not_stop_advertising() {
    let mut rig = Rig::new(personality(0));
    advertise(&mut rig);
    let mut malformed = connect_ind(0);
    malformed[INTERVAL..INTERVAL + 2].fill(0);
    rig.hear_advertising(&malformed, Fault::NONE);
    assert!(rig.controller.connection(0).is_none());
    rig.hear_advertising(&connect_ind(0), Fault::NONE);
    assert!(rig.controller.connection(0).is_some(), "still advertising");
}

/// A transmit window longer than the interval is none (Core 6.0, Vol 6, Part B, 4.5.3): it closed behind
/// the next anchor.
#[test]
fn a_connect_ind_with_an_endless_window_is_not_taken() {
    let mut rig = Rig::new(personality(0));
    advertise(&mut rig);
    let mut malformed = connect_ind(0);
    malformed[WIN_SIZE] = 255;
    rig.hear_advertising(&malformed, Fault::NONE);
    assert!(rig.controller.connection(0).is_none());
}

/// The second link of an access address never heard a packet and held the radio until it timed out.
#[test]
fn an_access_address_in_use_is_not_taken_again() {
    // 30 ms leave room for advertising between two events.
    let shape = 0b100;
    let mut rig = connected(shape);
    advertise(&mut rig);
    rig.hear_advertising(&connect_ind(shape), Fault::NONE);
    assert!(rig.controller.connection(0).is_some());
    assert!(rig.controller.connection(1).is_none());
}

/// LL_CONNECTION_UPDATE_IND with an interval, latency and timeout that no connection may have: anchors stood still.
#[test]
fn a_connection_update_out_of_range_changes_nothing() {
    let mut rig = connected(0);
    let before = rig.controller.connection(0).map(|c| c.timing);
    for fields in [[0u8; 9], [0xff; 9], [1, 0, 0, 6, 0, 0, 0, 1, 0]] {
        let update = [&[0x00][..], &fields, &[8, 0]].concat();
        rig.hear_data(LLID_CONTROL, &update, Fault::NONE);
        for _ in 0..12 {
            rig.hear_data(1, &[], Fault::NONE);
        }
        assert_eq!(rig.controller.connection(0).map(|c| c.timing), before, "{update:02x?}");
    }
}

/// A peer that sends on beyond the next anchor: the next event was due before it could be prepared.
#[test]
fn an_event_that_overruns_the_next_anchor() {
    fuzzing::run(
        "ll_control",
        &[0xc6, 0x00, 0x09, 0xc6, 0xc6, 0x09, 0xc6, 0xc6, 0x09, 0xc6, 0xc6, 0x09, 0xc6, 0xc6, 0x24],
    );
}

/// A peer that goes on until the reply is due right behind the next anchor: woken at that reply, the
/// controller wanted the next event at the same instant.
#[test]
fn an_event_that_ends_at_the_next_anchor() {
    let mut script = vec![0xb8, 0xb8];
    script.extend([0x66; 0x81]);
    script.extend([0x41, 0x02, 0x2e, 0x41, 0x95, 0xb8, 0xb8, 0x02]);
    fuzzing::run("ll_control", &script);
}

/// An event of high duty cycle advertising that was talked over ended behind the start of the next one, which was
/// then due in the past.
#[test]
fn an_advertising_event_that_outlasts_its_interval() {
    let mut rig = Rig::new(personality(0));
    // Directed at the peer, without pauses.
    rig.command(opcode::LE_SET_ADV_PARAMETERS, &[0, 0, 0, 0, 1, 0, 0, 2, 2, 2, 2, 2, 2, 7, 0]);
    rig.command(opcode::LE_SET_ADV_ENABLE, &[1]);
    let mut noise = vec![0x0f; 257];
    noise[1] = 255;
    for _ in 0..12 {
        rig.hear_advertising(&noise, Fault::NONE);
    }
    rig.hear_advertising(&connect_ind(0), Fault::NONE);
    assert!(rig.controller.connection(0).is_some(), "still advertising");
}

/// Waiting procedures are limited, and one that ends at once does not recurse into the next.
#[test]
fn a_host_that_asks_without_end() {
    let mut rig = connected(0);
    for _ in 0..100_000 {
        rig.command(opcode::READ_REMOTE_VERSION, &[0, 0]);
    }
    // LL_VERSION_IND: version, company, subversion.
    rig.hear_data(LLID_CONTROL, &[0x0c, 14, 1, 0, 1, 0], Fault::NONE);
}
