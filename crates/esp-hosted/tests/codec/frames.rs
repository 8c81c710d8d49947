//! The frame header.

use airtime_core::Pool;
use airtime_esp_hosted::wire::{
    Flags, Frame, FrameError, FrameFaults, Frames, Header, Interface, Layout, Throttle, Transport, checksum,
};
use proptest::prelude::*;

/// The frame that esp-hosted-mcu documents: SET_CHANNEL(primary 6, second 0) as a custom call with uid 1.
pub const DOCUMENTED: [u8; 41] = [
    0x03, 0x00, 0x1d, 0x00, 0x0c, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // header
    0x01, 0x06, 0x00, 0x52, 0x50, 0x43, 0x52, 0x73, 0x70, 0x02, 0x11, 0x00, // endpoint "RPCRsp", data
    0x08, 0x01, 0x10, 0x84, 0x03, 0x18, 0x01, 0xa2, 0x18, 0x07, 0x08, 0x81, 0x02, 0x12, 0x02, 0x06, 0x00, // Rpc
];

const CHECKED: Layout = Layout { checksum: true, ..Layout::SDIO };
const NUMBERED: Layout = Layout { numbered: true, ..CHECKED };

fn emit(header: &Header, layout: &Layout, payload: &[u8]) -> Vec<u8> {
    let mut out = Pool::new().packet();
    header.emit(layout, payload, &mut out);
    out.to_vec()
}

#[test]
fn the_documented_frame_is_made_and_read() {
    let payload = &DOCUMENTED[12..];
    assert_eq!(emit(&Header::new(Interface::Serial), &Layout::SDIO, payload), DOCUMENTED);
    let frame = Frame::new_checked(&DOCUMENTED, &Layout::SDIO).unwrap();
    assert_eq!(frame.header, Header::new(Interface::Serial));
    assert_eq!((frame.payload, frame.octets()), (payload, 41));
}

#[test]
fn its_checksum_is_the_documented_one() {
    assert_eq!(checksum(&DOCUMENTED), 0x047f);
    let mut octets = DOCUMENTED;
    octets[6..8].copy_from_slice(&[0x7f, 0x04]);
    assert_eq!(emit(&Header::new(Interface::Serial), &CHECKED, &DOCUMENTED[12..]), octets);
    assert!(Frame::new_checked(&octets, &CHECKED).is_ok());
    let zero = Frame::new_checked(&DOCUMENTED, &CHECKED);
    assert_eq!(zero, Err(FrameError::Checksum { found: 0, computed: 0x047f }));
}

#[test]
fn a_checksum_wraps() {
    assert_eq!(checksum(&[0xff; 400]), (400 * 255 % 65536) as u16);
    let header = Header::new(Interface::Station);
    assert!(Frame::new_checked(&emit(&header, &CHECKED, &[0xff; 1500]), &CHECKED).is_ok());
}

#[test]
fn fields_lie_where_the_header_file_says() {
    let header = Header {
        interface: Interface::Station,
        instance: 0xa,
        flags: Flags::MORE_FRAGMENT.with(Flags::POWER_SAVE_STOPPED),
        sequence: 0x1234,
        throttle: Throttle::Off,
        number: 0x5678,
        kind: 0x99,
    };
    let octets = emit(&header, &Layout::SDIO, &[1, 2, 3]);
    assert_eq!(octets, [0xa1, 9, 3, 0, 12, 0, 0, 0, 0x34, 0x12, 2, 0x99, 1, 2, 3]);
    let numbered = Layout { numbered: true, ..Layout::SDIO };
    let octets = emit(&header, &numbered, &[1, 2, 3]);
    assert_eq!(octets, [0xa1, 9, 3, 0, 14, 0, 0, 0, 0x34, 0x12, 2, 0x78, 0x56, 0x99, 1, 2, 3]);
    assert_eq!(Frame::new_checked(&octets, &numbered).unwrap().header, header);
    let other = Frame::new_checked(&octets, &Layout::SDIO);
    assert_eq!(other, Err(FrameError::Offset { found: 14, expected: 12 }));
}

#[test]
fn the_type_of_an_hci_packet_moves_into_the_header() {
    // HCI Reset as H4.
    let octets = emit(&Header::new(Interface::Hci), &Layout::SDIO, &[0x01, 0x03, 0x0c, 0x00]);
    assert_eq!(octets, [0x04, 0, 3, 0, 12, 0, 0, 0, 0, 0, 0, 0x01, 0x03, 0x0c, 0x00]);
    let frame = Frame::new_checked(&octets, &Layout::SDIO).unwrap();
    assert_eq!(frame.hci(), Some((1, &[0x03, 0x0c, 0x00][..])));
    assert_eq!(Frame::new_checked(&DOCUMENTED, &Layout::SDIO).unwrap().hci(), None);
}

#[test]
fn sizes_of_transports() {
    assert_eq!(Layout::SDIO.payload_max(), 1524);
    assert_eq!(Layout::of(Transport::Spi).payload_max(), 1588);
    assert_eq!(NUMBERED.payload_max(), 1522);
    assert!(!Layout::SDIO.checksum && Layout::of(Transport::Spi).checksum);
}

#[test]
fn what_a_driver_drops() {
    let frame = |change: &dyn Fn(&mut [u8; 41])| {
        let mut octets = DOCUMENTED;
        change(&mut octets);
        Frame::new_checked(&octets, &Layout::SDIO).map(|frame| frame.octets())
    };
    let mut faults = FrameFaults::default();
    let errors = [
        (frame(&|o| o[4] = 13), FrameError::Offset { found: 13, expected: 12 }),
        (frame(&|o| o[2] = 0), FrameError::Empty),
        (frame(&|o| o[2..4].copy_from_slice(&1525u16.to_le_bytes())), FrameError::TooLong { len: 1525, max: 1524 }),
        (frame(&|o| o[2] = 30), FrameError::Cut { needs: 42, has: 41 }),
        (frame(&|o| o[0] = 0), FrameError::Interface(0)),
        (frame(&|o| o[0] = 0x49), FrameError::Interface(9)),
        (
            Frame::new_checked(&DOCUMENTED[..11], &Layout::SDIO).map(|f| f.octets()),
            FrameError::Short { needs: 12, has: 11 },
        ),
    ];
    for (found, expected) in errors {
        assert_eq!(found, Err(expected));
        faults.count(expected);
    }
    let once = FrameFaults { offset: 1, empty: 1, too_long: 1, cut: 1, interface: 2, short: 1, checksum: 0 };
    assert_eq!((faults, faults.total()), (once, 7));
}

#[test]
fn a_streaming_read_holds_many_frames() {
    let mut read = DOCUMENTED.repeat(3);
    read.extend_from_slice(&DOCUMENTED[..20]);
    let frames: Vec<_> = Frames::new(&read, Layout::SDIO).collect();
    assert_eq!(frames.len(), 4);
    assert!(frames[..3].iter().all(|frame| frame.is_ok_and(|frame| frame.octets() == 41)));
    assert_eq!(frames[3], Err(FrameError::Cut { needs: 41, has: 20 }));
    assert_eq!(Frames::new(&[], Layout::SDIO).count(), 0);
}

prop_compose! {
    fn headers()(
        interface in 0..8usize, instance in 0..16u8, flags in any::<u8>(), sequence in any::<u16>(),
        throttle in 0..3u8, number in any::<u16>(), kind in any::<u8>(),
    ) -> Header {
        let interface = Interface::ALL[interface];
        Header { interface, instance, flags: Flags::of(flags), sequence, throttle: Throttle::of(throttle), number, kind }
    }
}

proptest! {
    #[test]
    fn frames_come_back(header in headers(), payload in proptest::collection::vec(any::<u8>(), 2..1522)) {
        let octets = emit(&header, &NUMBERED, &payload);
        let frame = Frame::new_checked(&octets, &NUMBERED).unwrap();
        let (kind, rest) =
            if header.interface == Interface::Hci { (payload[0], &payload[1..]) } else { (header.kind, &payload[..]) };
        prop_assert_eq!(frame.header, Header { kind, ..header });
        prop_assert_eq!(frame.payload, rest);
    }

    #[test]
    fn one_wrong_octet_is_seen(at in 0..41usize, by in 1..=255u8) {
        let mut octets = emit(&Header::new(Interface::Serial), &CHECKED, &DOCUMENTED[12..]);
        octets[at] = octets[at].wrapping_add(by);
        prop_assert!(Frame::new_checked(&octets, &CHECKED).is_err());
    }
}
