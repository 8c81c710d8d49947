//! Messages over frames: both directions, and streams that were cut, reordered or corrupted.

use airtime_core::{Packet, Pool};
use airtime_wifi::hosted::rpc::proto::{CustomRequest, OtaWrite};
use airtime_wifi::hosted::rpc::{
    CUSTOM_DATA_MAX, EnvelopeError, Event, Message, Port, PortError, Request, RpcError, TooLong,
};
use airtime_wifi::hosted::wire::{FragmentError, Frame, Header, Layout};
use proptest::prelude::*;

const LAYOUT: Layout = Layout { checksum: true, ..Layout::SDIO };

fn frames(port: &mut Port, message: &Message) -> Vec<Packet> {
    let pool = Pool::new();
    let mut frames = Vec::new();
    port.send(message, |header, payload| {
        let mut frame = pool.packet();
        header.emit(&LAYOUT, payload, &mut frame);
        frames.push(frame);
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
fn a_lost_frame_costs_its_message() {
    let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
    for lost in 0..3 {
        let mut sent = frames(&mut host, &custom(4000));
        sent.remove(lost);
        assert_eq!(receive(&mut coprocessor, &sent[0]), Ok(None));
        match (lost, receive(&mut coprocessor, &sent[1])) {
            // What comes begins in the middle.
            (0, Err(PortError::Message(RpcError::Envelope(EnvelopeError::Type(_))))) => {}
            // What comes is too short.
            (1, Err(PortError::Message(RpcError::Envelope(EnvelopeError::Cut)))) => {}
            // The end is missing, and nothing comes.
            (2, Ok(None)) => {}
            (_, other) => panic!("frame {lost} was lost: {other:?}"),
        }
        let next = custom(30);
        let sent = frames(&mut host, &next);
        assert_eq!(receive(&mut coprocessor, &sent[0]), Ok(Some(next)), "frame {lost} was lost");
    }
    assert_eq!((coprocessor.faults().envelope, coprocessor.fragment_faults().cut), (2, 1));
}

#[test]
fn reordered_frames_cost_their_message() {
    let (mut host, mut coprocessor) = (Port::host(&LAYOUT), Port::coprocessor(&LAYOUT));
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let sent = frames(&mut host, &custom(4000));
        let whole = order.iter().filter_map(|&at| receive(&mut coprocessor, &sent[at]).ok().flatten()).count();
        assert_eq!(whole, 0, "{order:?}");
        let next = custom(2000);
        let sent = frames(&mut host, &next);
        let received = sent.iter().map(|frame| receive(&mut coprocessor, frame).unwrap()).last().unwrap();
        assert_eq!(received, Some(next), "{order:?}");
    }
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
