//! Frames of the air: octets, lengths, round trips.

use airtime_core::{Packet, Pool};
use airtime_ieee80211::wire::{
    Action, Beacon, BlockAck, BlockAckRequest, Control, Data, Direction, Element, Elements, Frame, FrameControl,
    FrameError, FrameType, MacAddress, Management, Null, ProbeRequest, Sequence, Ssid, Tim, fcs, llc, llc::Ethernet,
    subtype,
};
use proptest::prelude::*;

const STATION: MacAddress = MacAddress::local(1);
const SERVER: MacAddress = MacAddress::local(2);
const BSSID: MacAddress = MacAddress::local(3);

fn made(emit: impl FnOnce(&mut Packet)) -> Packet {
    let mut out = Pool::new().packet();
    emit(&mut out);
    out
}

fn data(payload: &[u8], tid: Option<u8>, ccmp: Option<u64>) -> Data<'_> {
    Data {
        direction: Direction::ToDs,
        bssid: BSSID,
        ethernet: Ethernet { destination: SERVER, source: STATION, ether_type: 0x0800, payload },
        sequence: Sequence::new(0x123, 0),
        tid,
        retry: false,
        ccmp,
        duration_us: 0x30,
    }
}

const BEACON: Beacon<'_> = Beacon {
    to: None,
    bssid: BSSID,
    sequence: Sequence::new(7, 0),
    timestamp_us: 0x0102_0304_0506_0708,
    interval_tu: 100,
    ssid: Ssid::WILDCARD,
    channel: 12,
    secured: true,
    ht: true,
    tim: Tim::NOTHING,
};

#[test]
fn a_null_frame_says_whether_its_sender_dozes() {
    for (dozes, flags) in [(true, 0x11), (false, 0x01)] {
        let frame = made(|out| {
            Null { bssid: BSSID, transmitter: STATION, sequence: Sequence::new(2, 0), dozes }.emit(out);
        });
        // Null, to DS, and the power management bit.
        assert_eq!((frame.len(), &frame[..4]), (24, &[0x48, flags, 0, 0][..]));
        assert_eq!((&frame[4..10], &frame[10..16], &frame[16..22]), (&BSSID.0[..], &STATION.0[..], &BSSID.0[..]));
    }
}

#[test]
fn a_beacon_names_the_station_that_has_frames() {
    let map = |tim| {
        let octets = made(|out| Beacon { tim, ..BEACON }.emit(out));
        let Ok(Frame::Management { body: Management::Beacon { elements, .. }, .. }) = Frame::parse(&octets) else {
            panic!("no beacon")
        };
        elements.find(Element::TIM).unwrap().to_vec()
    };
    assert_eq!(map(Tim::NOTHING), [0, 1, 0, 0]);
    assert_eq!(map(Tim { count: 2, period: 3, named: Some(1) }), [2, 3, 0, 2]);
}

#[test]
fn a_data_frame_octet_for_octet() {
    let frame = made(|out| data(&[0x45, 0x00], Some(5), Some(0xA6_A5A4_A3A2)).emit(out));
    let expected = [
        0x88, 0x41, // QoS data, to DS, protected
        0x30, 0x00, // duration
        2, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, // BSSID, source, destination
        0x30, 0x12, // sequence number 0x123
        0x05, 0x00, // TID 5
        0xa2, 0xa3, 0x00, 0x20, 0xa4, 0xa5, 0xa6, 0x00, // CCMP
        0xaa, 0xaa, 0x03, 0, 0, 0, 0x08, 0x00, 0x45, 0x00, // LLC, SNAP, IPv4
        0, 0, 0, 0, 0, 0, 0, 0, // MIC
    ];
    assert_eq!(&*frame, expected);
}

#[test]
fn from_the_access_point_the_addresses_are_others() {
    let frame = made(|out| Data { direction: Direction::FromDs, retry: true, ..data(&[], None, None) }.emit(out));
    let Ok(Frame::Data { header, payload }) = Frame::parse(&frame) else { panic!("no data frame") };
    assert_eq!((header.receiver, header.transmitter, header.third), (SERVER, BSSID, STATION));
    assert!(
        header.control.has(FrameControl::FROM_DS | FrameControl::RETRY) && !header.control.has(FrameControl::TO_DS)
    );
    assert_eq!((header.qos, payload.len()), (None, 8));
}

#[test]
fn lengths_are_those_that_air_is_calculated_with() {
    let octets = |emit: &dyn Fn(&mut Packet)| {
        made(|out| {
            emit(out);
            fcs::append(out, 0);
        })
        .len()
    };
    // A datagram of 1400 octets: IPv4 and UDP, QoS, CCMP, LLC, FCS.
    let datagram = [0; 1400 + 20 + 8];
    assert_eq!(octets(&|out| data(&datagram, Some(0), Some(1)).emit(out)), 1482);
    assert_eq!(octets(&|out| data(&datagram, Some(0), None).emit(out)), 1466);
    let (receiver, transmitter, tid, start) = (BSSID, STATION, 0, Sequence::default());
    let request = BlockAckRequest { receiver, transmitter, tid, start };
    let answer = BlockAck { receiver, transmitter, tid, start, bitmap: 0 };
    assert_eq!(octets(&|out| Control::Ack { receiver }.emit(out)), 14);
    assert_eq!(octets(&|out| Control::Cts { receiver, duration_us: 0 }.emit(out)), 14);
    assert_eq!(octets(&|out| Control::Rts { receiver, transmitter, duration_us: 0 }.emit(out)), 20);
    assert_eq!(octets(&|out| Control::BlockAckRequest(request).emit(out)), 24);
    assert_eq!(octets(&|out| Control::BlockAck(answer).emit(out)), 32);
}

#[test]
fn control_frames_come_back() {
    let (receiver, transmitter, duration_us) = (BSSID, STATION, 0x1234);
    let start = Sequence::new(4095, 0);
    let frames = [
        Control::Ack { receiver },
        Control::Cts { receiver, duration_us },
        Control::Rts { receiver, transmitter, duration_us },
        Control::BlockAckRequest(BlockAckRequest { receiver, transmitter, tid: 7, start }),
        Control::BlockAck(BlockAck { receiver, transmitter, tid: 7, start, bitmap: 0x8000_0000_0000_0001 }),
    ];
    for frame in frames {
        let octets = made(|out| frame.emit(out));
        assert_eq!(Frame::parse(&octets), Ok(Frame::Control(frame)));
        for len in 0..octets.len() {
            assert_eq!(Frame::parse(&octets[..len]), Err(FrameError::Short(len)), "{frame:?}");
        }
    }
    let octets = made(|out| frames[4].emit(out));
    assert_eq!(octets[..2], [0x94, 0x00]);
    assert_eq!(octets[16..20], [0x04, 0x70, 0xf0, 0xff], "compressed, TID 7, number 4095");
}

#[test]
fn other_block_acknowledgements_are_left_alone() {
    // Multi-TID, and a bitmap of 256 bits.
    for (at, octet) in [(16, 0x06), (18, 0x04)] {
        let answer = BlockAck { receiver: BSSID, transmitter: STATION, tid: 0, start: Sequence::default(), bitmap: 0 };
        let mut octets = made(|out| Control::BlockAck(answer).emit(out));
        octets[at] = octet;
        assert!(matches!(Frame::parse(&octets), Ok(Frame::Control(Control::Other { .. }))), "{at}");
    }
}

#[test]
fn a_beacon_says_what_it_was_told() {
    let ssid = Ssid::new(b"airtime").unwrap();
    let octets = made(|out| Beacon { ssid, ..BEACON }.emit(out));
    let Ok(Frame::Management { header, body }) = Frame::parse(&octets) else { panic!("no management frame") };
    assert_eq!((header.receiver, header.transmitter, header.third), (MacAddress::BROADCAST, BSSID, BSSID));
    assert_eq!(header.sequence, Sequence::new(7, 0));
    assert_eq!(body.ssid(), Some(ssid));
    let Management::Beacon { response, timestamp_us, interval_tu, capabilities, elements } = body else {
        panic!("no beacon")
    };
    assert_eq!((response, timestamp_us, interval_tu), (false, 0x0102_0304_0506_0708, 100));
    assert_eq!(capabilities & 0x11, 0x11, "an access point with privacy");
    assert_eq!(elements.find(Element::DS_PARAMETER), Some(&[12][..]));
    assert_eq!(elements.find(Element::TIM).map(<[u8]>::len), Some(4));
    assert_eq!(elements.find(Element::HT_CAPABILITIES).map(<[u8]>::len), Some(26));
    assert_eq!(elements.find(Element::HT_OPERATION).map(<[u8]>::len), Some(22));
    assert_eq!(elements.find(200), None);
    assert_eq!(elements.map(|element| 2 + element.value.len()).sum::<usize>(), elements.octets().len());
}

#[test]
fn a_probe_response_goes_to_who_asked() {
    let octets = made(|out| Beacon { to: Some(STATION), secured: false, ht: false, ..BEACON }.emit(out));
    assert_eq!(octets[0], 0x50);
    let Ok(Frame::Management { header, body }) = Frame::parse(&octets) else { panic!("no management frame") };
    assert_eq!(header.receiver, STATION);
    let Management::Beacon { response: true, elements, .. } = body else { panic!("no probe response") };
    assert_eq!(
        elements.find(Element::TIM).or(elements.find(Element::RSN)).or(elements.find(Element::HT_OPERATION)),
        None
    );
}

#[test]
fn requests_and_actions_come_back() {
    let ssid = Ssid::new(&[b'x'; 32]).unwrap();
    let octets = made(|out| ProbeRequest { transmitter: STATION, sequence: Sequence::new(1, 0), ssid }.emit(out));
    let Ok(Frame::Management { header, body }) = Frame::parse(&octets) else { panic!("no management frame") };
    assert_eq!((header.control.subtype(), body.ssid()), (subtype::PROBE_REQUEST, Some(ssid)));
    let sequence = Sequence::new(2, 0);
    let action = Action {
        receiver: BSSID,
        transmitter: STATION,
        bssid: BSSID,
        sequence,
        category: 127,
        body: &[0x18, 0xfe, 0x34],
    };
    let octets = made(|out| action.emit(out));
    let Ok(Frame::Management { body, .. }) = Frame::parse(&octets) else { panic!("no management frame") };
    assert_eq!(body, Management::Action { category: 127, body: action.body });
    assert!(Ssid::new(&[0; 33]).is_none());
}

#[test]
fn the_check_is_that_of_ethernet() {
    assert_eq!(fcs::over(b"123456789"), 0xCBF4_3926);
    let mut frame = made(|out| Control::Ack { receiver: BSSID }.emit(out));
    fcs::append(&mut frame, 0);
    assert_eq!(Frame::parse_checked(&frame), Ok(Frame::Control(Control::Ack { receiver: BSSID })));
    for bit in 0..frame.len() * 8 {
        frame[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(Frame::parse_checked(&frame), Err(FrameError::Fcs));
        frame[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(fcs::check(&[0; 3]), None);
}

#[test]
fn ethernet_goes_through_llc() {
    let octets: Vec<u8> = (0..60).collect();
    let ethernet = Ethernet::parse(&octets).unwrap();
    assert_eq!(&*made(|out| ethernet.emit(out)), octets);
    let msdu = made(|out| ethernet.emit_msdu(out));
    assert_eq!(msdu.len(), octets.len() - 14 + 8);
    assert_eq!(llc::parse_msdu(&msdu), Some((0x0c0d, &octets[14..])));
    let ipx = made(|out| Ethernet { ether_type: 0x8137, ..ethernet }.emit_msdu(out));
    assert_eq!((ipx[5], llc::parse_msdu(&ipx).map(|(kind, _)| kind)), (0xf8, Some(0x8137)));
    assert_eq!((Ethernet::parse(&octets[..13]), llc::parse_msdu(&octets)), (None, None));
}

#[test]
fn what_is_no_frame() {
    assert_eq!(Frame::parse(&[]), Err(FrameError::Short(0)));
    assert_eq!(Frame::parse(&[0x81, 0]), Err(FrameError::Version(1)));
    assert_eq!(Frame::parse(&[0x0c, 0]), Ok(Frame::Extension(FrameControl(0x0c))));
    assert_eq!(Frame::parse(&[0x80; 24]), Err(FrameError::Short(24)), "a beacon has twelve octets more");
    assert_eq!(Frame::parse(&[0x88; 25]), Err(FrameError::Short(25)), "QoS data has two octets more");
    // An element that is cut ends the list and spoils nothing before it.
    let elements: Vec<u8> = Elements::new(&[0, 1, 9, 3, 2, 1]).map(|element| element.id).collect();
    assert_eq!(elements, [0]);
}

#[test]
fn four_addresses_and_ht_control() {
    let control = FrameControl::new(FrameType::Data, subtype::QOS, 0xff00);
    let mut octets = control.0.to_le_bytes().to_vec();
    octets.extend(1..=40);
    let Ok(Frame::Data { header, payload }) = Frame::parse(&octets) else { panic!("no data frame") };
    assert_eq!(header.fourth, Some(MacAddress([23, 24, 25, 26, 27, 28])));
    assert_eq!((header.qos, header.tid(), header.ht_control), (Some(0x1e1d), Some(13), Some(0x2221_201f)));
    assert_eq!(payload.len(), 6);
    let again = made(|out| header.emit(out));
    assert_eq!(&*again, &octets[..octets.len() - payload.len()]);
}

proptest! {
    #[test]
    fn headers_come_back(kind in 0..2usize, sub in 0..16u8, flags in any::<u8>(), rest in proptest::collection::vec(any::<u8>(), 60)) {
        let kind = [FrameType::Management, FrameType::Data][kind];
        let mut octets = FrameControl::new(kind, sub, u16::from(flags) << 8).0.to_le_bytes().to_vec();
        octets.extend(rest);
        let header = match Frame::parse(&octets).unwrap() {
            Frame::Management { header, .. } | Frame::Data { header, .. } => header,
            other => panic!("{other:?}"),
        };
        let again = made(|out| header.emit(out));
        prop_assert_eq!(&*again, &octets[..again.len()]);
    }

    #[test]
    fn sequences_come_back(bits in any::<u16>()) {
        prop_assert_eq!(Sequence::of(bits).bits(), bits);
    }
}
