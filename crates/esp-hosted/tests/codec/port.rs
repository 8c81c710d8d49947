//! Messages over frames: both directions, and streams that were cut, reordered or corrupted.

use airtime_core::Pool;
use airtime_esp_hosted::rpc::proto::{CustomRequest, OtaWrite};
use airtime_esp_hosted::rpc::{CUSTOM_DATA_MAX, Event, Message, Port, PortError, Request, TooLong};
use airtime_esp_hosted::wire::{FragmentError, Frame, Header, Layout, checksum};
use proptest::prelude::*;

const LAYOUT: Layout = Layout { checksum: true, ..Layout::SDIO };

fn frames(port: &mut Port, message: &Message) -> Vec<Vec<u8>> {
    let mut frame = Pool::new().packet();
    let mut frames = Vec::new();
    port.send(message, |header, payload| {
        frame.truncate(0);
        header.emit(&LAYOUT, payload, &mut frame);
        frames.push(frame.to_vec());
    })
    .unwrap();
    frames
}

fn receive(port: &mut Port, frame: &[u8]) -> Result<Option<Message>, PortError> {
    port.receive(&Frame::new_checked(frame, &LAYOUT).unwrap())
}

fn custom(octets: usize) -> Message {
    let data = (0..octets).map(|at| at as u8).collect();
    Message::request(octets as u32, Request::CustomRpc(CustomRequest { custom_msg_id: 0x103, data }))
}

#[test]
fn fragments_are_as_long_as_each_side_makes_them() {
    let lengths = |mut port: Port| -> Vec<usize> {
        frames(&mut port, &custom(4000)).iter().map(|frame| frame.len() - 12).collect()
    };
    let total = lengths(Port::host(&LAYOUT)).iter().sum::<usize>();
    assert_eq!(lengths(Port::host(&LAYOUT)), [1524, 1524, total - 3048]);
    assert_eq!(lengths(Port::coprocessor(&LAYOUT)), [1500, 1500, total - 3000]);
}

/// A custom call of this identity and number with so much data.
fn sized(uid: u32, custom_msg_id: u32, octets: usize) -> Message {
    Message::request(uid, Request::CustomRpc(CustomRequest { custom_msg_id, data: vec![1; octets] }))
}

#[test]
fn the_documented_bound_of_custom_data_does_not_fit() {
    let mut host = Port::host(&LAYOUT);
    let nothing = |_: &Header, _: &[u8]| panic!("no frame of a message that is too long");
    assert_eq!(host.send(&sized(1, 1, CUSTOM_DATA_MAX), nothing), Err(TooLong { octets: 8194 }));
    assert_eq!(host.send(&sized(u32::MAX, u32::MAX, CUSTOM_DATA_MAX), nothing), Err(TooLong { octets: 8202 }));
    for largest in [sized(1, 1, 8164), sized(u32::MAX, u32::MAX, 8156)] {
        let sent = frames(&mut host, &largest);
        let mut coprocessor = Port::coprocessor(&LAYOUT);
        let received = sent.iter().map(|frame| receive(&mut coprocessor, frame).unwrap()).last().unwrap();
        assert_eq!((sent.len(), received), (6, Some(largest)));
    }
}

#[test]
fn each_side_numbers_as_it_does_on_silicon() {
    let numbers = |mut port: Port| -> Vec<u16> {
        let sent = [frames(&mut port, &custom(4000)), frames(&mut port, &custom(10))].concat();
        sent.iter().map(|frame| Frame::new_checked(frame, &LAYOUT).unwrap().header.sequence).collect()
    };
    assert_eq!(numbers(Port::host(&LAYOUT)), [0, 0, 0, 0]);
    assert_eq!(numbers(Port::coprocessor(&LAYOUT)), [0, 1, 2, 3]);
}

/// Sends one message of three frames with `spoil`, then two more; returns which of the three came.
fn spoiled(from: &mut Port, to: &mut Port, spoil: impl FnOnce(&mut Vec<Vec<u8>>)) -> [bool; 3] {
    let messages = [custom(4000), custom(2000), custom(30)];
    let mut spoil = Some(spoil);
    messages.map(|message| {
        let mut sent = frames(from, &message);
        if let Some(spoil) = spoil.take() {
            spoil(&mut sent);
        }
        let received: Vec<_> = sent.iter().filter_map(|frame| receive(to, frame).ok().flatten()).collect();
        received == [message]
    })
}

#[test]
fn a_lost_frame_costs_its_message() {
    for lost in 0..3 {
        let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
        let came = spoiled(&mut coprocessor, &mut host, |sent| drop(sent.remove(lost)));
        assert_eq!(came, [false, true, true], "frame {lost} to the host");
        // Without its middle a message is cut, and its end is no message.
        let faults = (host.fragment_faults().cut, host.faults().envelope);
        assert_eq!(faults, [(0, 1), (1, 1), (1, 0)][lost], "frame {lost} to the host");

        // A host does not number: without its end a message takes the next one with it.
        let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
        let came = spoiled(&mut host, &mut coprocessor, |sent| drop(sent.remove(lost)));
        assert_eq!(came, [false, lost != 2, true], "frame {lost} to the co-processor");
        assert_eq!(coprocessor.faults().envelope, 1, "frame {lost} to the co-processor");
    }
}

#[test]
fn reordered_frames_cost_their_message() {
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let reorder = |sent: &mut Vec<Vec<u8>>| *sent = order.map(|at| sent[at].clone()).to_vec();
        let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
        assert_eq!(spoiled(&mut coprocessor, &mut host, reorder), [false, true, true], "{order:?} to the host");
        let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
        let ended = order[2] == 2;
        assert_eq!(
            spoiled(&mut host, &mut coprocessor, reorder),
            [false, ended, true],
            "{order:?} to the co-processor"
        );
        assert!(coprocessor.faults().envelope > 0);
    }
}

#[test]
fn a_corrupted_message_costs_itself() {
    // The frame's checksum is off on SDIO: what is wrong in the envelope or the protobuf is found there.
    let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
    for at in 0..24 {
        let came = spoiled(&mut host, &mut coprocessor, |sent| {
            let mut frame = sent[0].clone();
            frame[12 + at] ^= 0x80;
            let sum = checksum(&frame[12..]).wrapping_add(checksum(&frame[..6])).wrapping_add(checksum(&frame[8..12]));
            frame[6..8].copy_from_slice(&sum.to_le_bytes());
            sent[0] = frame;
        });
        assert_eq!(came, [false, true, true], "octet {at}");
    }
    assert!(coprocessor.faults().total() > 0);
}

#[test]
fn a_stream_that_never_ends_is_bounded() {
    let mut coprocessor = Port::coprocessor(&LAYOUT);
    let sent = frames(&mut Port::host(&LAYOUT), &custom(4000));
    let mut errors = 0;
    for _ in 0..1000 {
        match receive(&mut coprocessor, &sent[0]) {
            Ok(None) => {}
            Err(PortError::Fragment(FragmentError::TooLong | FragmentError::Rest)) => errors += 1,
            other => panic!("{other:?}"),
        }
    }
    let faults = coprocessor.fragment_faults();
    assert_eq!((faults.too_long, faults.too_long + faults.rest), (1, errors));
}

#[test]
fn a_reset_forgets() {
    let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
    let sent = frames(&mut host, &custom(2000));
    assert_eq!(receive(&mut coprocessor, &sent[0]), Ok(None));
    coprocessor.reset();
    // A host that has just started counts from zero as before.
    let event = Message::event(Event::of(770).unwrap());
    let sent = frames(&mut Port::host(&LAYOUT), &event);
    assert_eq!(receive(&mut coprocessor, &sent[0]), Ok(Some(event)));
    assert_eq!(coprocessor.fragment_faults().cut, 1);
}

proptest! {
    #[test]
    fn messages_come_through(lengths in proptest::collection::vec(0..8160usize, 1..5)) {
        let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
        for octets in lengths {
            let message = Message::request(1, Request::OtaWrite(OtaWrite { ota_data: vec![7; octets] }));
            let sent = frames(&mut host, &message);
            let received = sent.iter().map(|frame| receive(&mut coprocessor, frame).unwrap()).last().unwrap();
            prop_assert_eq!(received, Some(message));
        }
    }
}
