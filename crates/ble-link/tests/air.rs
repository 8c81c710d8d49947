//! Packets that runs of the laboratory do not have: secondary channels, unknown connections, many connections.

use airtime_ble::air::Phy;
use airtime_ble::capture::{Auxiliary, Frame, Kind, crc};
use airtime_ble::hci::Status;
use airtime_ble::host::Role;
use airtime_ble::ll::pdu::ADVERTISING_ACCESS_ADDRESS;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::capture::{AirCapture, TimelineCapture};
use airtime_capture::Origin;
use airtime_capture::pcapng::Packets;
use airtime_core::{Instant, Pool};

const LINK: u32 = 0x5065_4e12;
const EVENT: Place = Place::Event { counter: 0, opens: true, from_central: true };

fn sent(link: u32, channel: u8, place: Place, pdu: &[u8]) -> Transmission {
    Transmission {
        link,
        channel,
        phy: Phy::Le1M,
        start: Instant::from_nanos(1),
        end: Instant::from_nanos(1) + Phy::Le1M.packet(pdu.len() as u64 - 2),
        unsent: airtime_core::Duration::ZERO,
        place,
        encrypted: false,
        packet: Pool::new().copy(pdu),
    }
}

fn kinds_and_crcs(packets: &[Transmission]) -> Vec<(Kind, Option<bool>, [u8; 3])> {
    let mut capture = AirCapture::new(Vec::new(), Origin::VIRTUAL);
    for packet in packets {
        capture.transmission(packet, Verdict::Unheard);
    }
    let capture = capture.into_sink();
    let frames = Packets::new(&capture).map(|packet| {
        let frame = Frame::parse(packet.expect("our own capture is whole").data).expect("our own frame is whole");
        (frame.kind, frame.crc_valid, frame.crc)
    });
    frames.collect()
}

/// An AUX_CONNECT_REQ, which is laid out like a CONNECT_IND: Core 6.0, Vol 6, Part B, 2.3.3.1.
fn connect_req() -> Vec<u8> {
    let mut pdu = vec![0x05, 34];
    pdu.extend([1; 6]);
    pdu.extend([2; 6]);
    pdu.extend(LINK.to_le_bytes());
    pdu.extend([0x56, 0x34, 0x12, 1, 0, 0, 24, 0, 0, 0, 100, 0, 0xff, 0xff, 0xff, 0xff, 0x1f, 7]);
    pdu
}

#[test]
fn secondary_channels_carry_auxiliary_pdus() {
    let advertising = |channel, pdu: &[u8]| sent(ADVERTISING_ACCESS_ADDRESS, channel, Place::Advertising, pdu);
    let ext = [0x07, 1, 0];
    let scan_req = [[0x03, 12].as_slice(), &[0; 12]].concat();
    let seen = kinds_and_crcs(&[
        advertising(37, &ext),
        advertising(20, &ext),
        advertising(20, &scan_req),
        advertising(20, &ext),
        advertising(20, &ext),
        sent(0x1234_5678, 20, Place::Advertising, &ext),
    ]);
    let kinds: Vec<_> = seen.iter().map(|(kind, ..)| *kind).collect();
    let aux = Kind::Auxiliary;
    let expected = [
        Kind::Unspecified,
        aux(Auxiliary::AdvInd),
        aux(Auxiliary::AdvInd),
        aux(Auxiliary::ScanRsp),
        aux(Auxiliary::AdvInd),
        aux(Auxiliary::SyncInd),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(seen[5].1, None, "what the CRCs of a periodic train begin with was not seen");
}

#[test]
fn a_request_on_either_kind_of_channel_gives_the_crc() {
    let data = sent(LINK, 3, EVENT, &[2, 1, 0xaa]);
    for channel in [38, 20] {
        let request = sent(ADVERTISING_ACCESS_ADDRESS, channel, Place::Advertising, &connect_req());
        let data = sent(LINK, 3, EVENT, &[2, 1, 0xaa]);
        let seen = kinds_and_crcs(&[request, data]);
        assert_eq!(seen[1], (Kind::Data { from_central: true }, Some(true), crc::crc(0x12_3456, &[2, 1, 0xaa])));
    }
    let seen = kinds_and_crcs(&[data]);
    assert_eq!(seen, [(Kind::Data { from_central: true }, None, [0; 3])], "without the request nobody can check");
}

#[test]
fn connections_that_come_and_go_leave_nothing_behind() {
    let mut air = AirCapture::new(Vec::new(), Origin::VIRTUAL).with_devices(2);
    let mut timeline = TimelineCapture::new(Vec::new(), &["central", "peripheral"]);
    let round = |link| {
        for (device, role) in [(0, Role::Central), (1, Role::Peripheral)] {
            let opened = Trace::ConnectionOpened { link, role, handle: 0 };
            air.trace(device, &opened);
            timeline.trace(Instant::ZERO, device, &opened, None);
        }
        let packet = sent(link, 3, EVENT, &[2, 1, 0xaa]);
        air.transmission(&packet, Verdict::New);
        timeline.transmission(&packet, Verdict::New);
        for (device, role) in [(0, Role::Central), (1, Role::Peripheral)] {
            let closed = Trace::ConnectionClosed { link, role, reason: Status::CONNECTION_TIMEOUT };
            air.trace(device, &closed);
            timeline.trace(packet.end, device, &closed, None);
        }
        // Its state is all that is printed once the bytes are taken away.
        air.sink().clear();
        timeline.sink().clear();
        format!("{air:?}{timeline:?}").len()
    };
    let sizes: Vec<usize> = (1..=2_000).map(round).collect();
    assert!(sizes[1_999] <= sizes[10] + 64, "{} octets of state, then {}", sizes[10], sizes[1_999]);
}
