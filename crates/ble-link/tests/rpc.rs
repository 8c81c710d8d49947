//! Remote calls in a capture of the air: frames as ATT values and as SDUs.

use airtime_ble::capture::{Frame, Kind};
use airtime_capture::pcapng::Packets;
use airtime_core::Duration;

use crate::captured::captured;

/// L2CAP PDUs from either end that one link layer packet holds: whether of the central, and the PDU.
fn pdus(transport: &str) -> Vec<(bool, Vec<u8>)> {
    let set = [
        ("link", "ble-rpc"),
        ("rpc.call", "echo"),
        ("rpc.calls", "3"),
        ("rpc.transport", transport),
        ("run.duration", "6s"),
    ];
    let captured = captured(&set, Duration::from_secs(3));
    let capture = captured.air.into_sink();
    Packets::new(&capture)
        .filter_map(|packet| {
            let frame = Frame::parse(packet.expect("our own capture is whole").data).expect("our own frame is whole");
            let Kind::Data { from_central } = frame.kind else { return None };
            // LLID 2: the start of an L2CAP message, or a whole one. Core 6.0, Vol 6, Part B, 2.4.
            let starts = frame.pdu[0] & 3 == 2;
            starts.then(|| (from_central, frame.pdu[2..].to_vec()))
        })
        .collect()
}

/// The first request of the published set-up, TIMEOUT, and its answer of 100 ms.
const ASKED: [u8; 4] = [0, 0, 0xc4, 0];
const ANSWER: [u8; 6] = [0, 0, 0xc4, 2, 100, 0];

/// A command packet's beginning: request or response, and the name.
const REQUEST: &[u8] = b"\x00\x04echo";
const RESPONSE: &[u8] = b"\x80\x04echo";

fn holds(pdus: &[(bool, Vec<u8>)], from_central: bool, begins: &[u8], command: &[u8]) -> bool {
    pdus.iter().any(|(central, pdu)| {
        *central == from_central
            && pdu.get(2..).is_some_and(|rest| rest.starts_with(begins))
            && pdu.windows(command.len()).any(|octets| octets == command)
    })
}

#[test]
fn frames_are_values_of_the_published_characteristic() {
    let pdus = pdus("gatt");
    let (channel, handle) = ([4, 0], [8, 0]);
    // Length, channel, opcode, handle, value. Core 6.0, Vol 3, Part F, 3.4.5.3 and 3.4.7.1.
    let write_command = [&[7, 0][..], &channel, &[0x52], &handle, &ASKED].concat();
    let notification = [&[9, 0][..], &channel, &[0x1b], &handle, &ANSWER].concat();
    assert!(pdus.contains(&(true, write_command)) && pdus.contains(&(false, notification)));
    assert!(holds(&pdus, true, &[4, 0, 0x52, 8, 0], REQUEST));
    assert!(holds(&pdus, false, &[4, 0, 0x1b, 8, 0], RESPONSE));
}

#[test]
fn frames_are_sdus_of_a_channel() {
    let pdus = pdus("coc");
    // Length, channel, SDU length, SDU. Core 6.0, Vol 3, Part A, 3.4.1.
    let k_frame = |sdu: &[u8]| [&[2 + sdu.len() as u8, 0, 0x40, 0, sdu.len() as u8, 0][..], sdu].concat();
    assert!(pdus.contains(&(true, k_frame(&ASKED))) && pdus.contains(&(false, k_frame(&ANSWER))));
    assert!(holds(&pdus, true, &[0x40, 0], REQUEST) && holds(&pdus, false, &[0x40, 0], RESPONSE));
}
