//! Times of every bus, by hand and to the nanosecond.

use airtime_core::Pool;

use super::*;
use crate::hci::{ACL_DATA, EVENT};

fn packet(pool: &Pool, kind: u8, octets: usize) -> Packet {
    let mut all = alloc::vec![0; octets];
    all[0] = kind;
    pool.copy(&all)
}

fn arrivals(bus: Bus, to: End, packets: &[(u8, usize)]) -> alloc::vec::Vec<u64> {
    let pool = Pool::new();
    let mut transport = Transport::new(bus);
    for (kind, octets) in packets {
        transport.send(Instant::from_nanos(100), to, packet(&pool, *kind, *octets));
    }
    let mut found = alloc::vec::Vec::new();
    while transport.carries(to) {
        let at = transport.deadline().expect("what is carried arrives");
        assert!(transport.poll(Instant::from_nanos(at.as_nanos() - 1)).is_none());
        // An acknowledgement is nobody's packet.
        if let Some((end, _)) = transport.poll(at) {
            assert_eq!(end, to);
            found.push(at.as_nanos());
        }
    }
    found
}

#[test]
fn a_uart_takes_ten_bits_an_octet_one_packet_behind_the_other() {
    let uart = Bus::Uart { baud: 1_000_000 };
    // 256 octets of ten bits of 1 us each.
    assert_eq!(arrivals(uart, End::Controller, &[(ACL_DATA, 256), (ACL_DATA, 8)]), [2_560_100, 2_640_100]);
    assert_eq!(arrivals(Bus::Uart { baud: 115_200 }, End::Host, &[(EVENT, 8)]), [694_545]);
}

/// 255 octets behind a header of four between two delimiters are 261 of eleven bits of 1 us.
#[test]
fn a_three_wire_frame_takes_eleven_bits_an_octet() {
    let of = |window, crc| Bus::ThreeWire { baud: 1_000_000, window, crc };
    let two = [(ACL_DATA, 256), (ACL_DATA, 8)];
    // 7 octets are 13 in a frame.
    assert_eq!(arrivals(of(2, false), End::Controller, &two), [2_871_100, 2_871_100 + 143_000]);
    // A check is two more, and the header of the first frame with one begins with 0xC0, which takes two.
    assert_eq!(arrivals(of(2, true), End::Controller, &two), [2_904_100, 2_904_100 + 165_000]);
    // With a window of one the second waits for the acknowledgement of six octets.
    assert_eq!(arrivals(of(1, false), End::Host, &two), [2_871_100, 2_871_100 + 66_000 + 143_000]);
    // 13 octets of 11 bits at 115200 baud.
    let slow = Bus::ThreeWire { baud: 115_200, window: 4, crc: false };
    assert_eq!(arrivals(slow, End::Host, &[(EVENT, 8)]), [1_241_420]);
    assert_eq!(slow.time(EVENT, 8), Duration::from_nanos(1_241_320));
}

#[test]
fn octets_that_frames_end_with_take_two() {
    let pool = Pool::new();
    let mut transport = Transport::new(Bus::ThreeWire { baud: 1_000_000, window: 4, crc: false });
    // Four octets behind the type, two of them escaped: 12 octets on the line.
    transport.send(Instant::ZERO, End::Host, pool.copy(&[EVENT, 0x13, 0x02, 0xc0, 0xdb]));
    assert_eq!(transport.deadline(), Some(Instant::from_nanos(132_000)));
}

#[test]
fn usb_asks_for_events_once_a_frame_and_for_data_at_once() {
    // 255 octets are three packets of 64 and one of 63, of 13 octets more each: 307 octets at 12 Mbit/s.
    assert_eq!(arrivals(Bus::Usb, End::Host, &[(ACL_DATA, 256)]), [100 + 204_667]);
    // Seven octets from the next frame on; eighteen are two pieces in two frames.
    assert_eq!(arrivals(Bus::Usb, End::Host, &[(EVENT, 8)]), [1_000_000 + 13_334]);
    assert_eq!(arrivals(Bus::Usb, End::Host, &[(EVENT, 19)]), [2_000_000 + 10_000]);
    assert_eq!(arrivals(Bus::Usb, End::Host, &[(EVENT, 8), (EVENT, 8)]), [1_013_334, 2_013_334]);
}

/// A header of five octets before each piece of up to 255, and the delay between them.
#[test]
fn spi_takes_a_header_for_each_piece() {
    let spi = |hz, us| Bus::Spi { hz, delay: Duration::from_micros(us) };
    // 5 + 101 octets of 8 bits at 2 MHz.
    assert_eq!(arrivals(spi(2_000_000, 0), End::Controller, &[(ACL_DATA, 101)]), [424_100]);
    assert_eq!(arrivals(spi(2_000_000, 20), End::Host, &[(ACL_DATA, 101)]), [444_100]);
    // 256 octets are two pieces: 266 octets, and the delay twice.
    assert_eq!(arrivals(spi(8_000_000, 20), End::Host, &[(ACL_DATA, 256)]), [306_100]);
    // 8 bits of 3 MHz are no whole nanosecond: 13 octets are 34666.7 ns.
    assert_eq!(arrivals(spi(3_000_000, 0), End::Host, &[(EVENT, 8)]), [34_767]);
}

#[test]
fn one_clock_of_spi_serves_one_direction_at_a_time() {
    let pool = Pool::new();
    let both = |bus| {
        let mut transport = Transport::new(bus);
        for to in [End::Controller, End::Host, End::Controller] {
            transport.send(Instant::ZERO, to, packet(&pool, ACL_DATA, 101));
        }
        let mut found = alloc::vec::Vec::new();
        while let Some(at) = transport.deadline() {
            found.push((at.as_nanos() / 1_000, transport.poll(at).expect("it has arrived").0));
        }
        found
    };
    let (down, up) = (End::Controller, End::Host);
    let spi = Bus::Spi { hz: 2_000_000, delay: Duration::ZERO };
    assert_eq!(both(spi), [(424, down), (848, up), (1_272, down)]);
    assert_eq!(both(Bus::Ipc { delay: Duration::from_micros(30) }), [(30, down), (30, up), (60, down)]);
}

#[test]
fn a_core_hands_over_one_packet_after_the_other() {
    let ipc = Bus::Ipc { delay: Duration::from_nanos(21_500) };
    let two = [(ACL_DATA, 256), (ACL_DATA, 8)];
    assert_eq!(arrivals(ipc, End::Host, &two), [21_600, 43_100]);
    assert_eq!(arrivals(ipc, End::Controller, &two), [21_600, 43_100]);
    assert!(Transport::new(Bus::Ipc { delay: Duration::ZERO }).is_instant(), "what takes no time is not carried");
}

#[test]
fn what_has_no_power_carries_nothing() {
    let pool = Pool::new();
    for bus in [Bus::Usb, Bus::ThreeWire { baud: 9_600, window: 1, crc: true }] {
        let mut transport = Transport::new(bus);
        assert!(!transport.is_instant() && Transport::default().is_instant());
        transport.send(Instant::from_nanos(0), End::Controller, packet(&pool, ACL_DATA, 9));
        assert!(transport.carries(End::Controller));
        transport.clear();
        assert_eq!((transport.deadline(), transport.carries(End::Controller)), (None, false));
    }
}
