//! Frames on a UART.

use airtime_core::Pool;
use airtime_esp_hosted::wire::{Flags, Header, Interface, Layout, Line, Throttle, Transport};
use proptest::prelude::*;

const UART: Layout = Layout::of(Transport::Uart);

/// A frame with a payload of its own.
fn frame(number: u8, octets: usize) -> Vec<u8> {
    let mut out = Pool::new().packet();
    Header::new(Interface::Serial).emit(&UART, &vec![number; octets], &mut out);
    out.to_vec()
}

/// Payloads of all frames that are whole, by their first octet and length.
fn payloads(line: &mut Line) -> Vec<(u8, usize)> {
    let mut found = Vec::new();
    while let Some(frame) = line.frame() {
        found.push((frame.payload[0], frame.payload.len()));
    }
    found
}

#[test]
fn frames_come_whole_however_they_are_cut() {
    let octets = [frame(1, 1), frame(2, 1588), frame(3, 300)].concat();
    for piece in [1, 2, 11, 12, 13, 128, 1600] {
        let mut line = Line::new(UART);
        let mut found = Vec::new();
        for piece in octets.chunks(piece) {
            assert_eq!(line.put(piece), piece.len());
            found.extend(payloads(&mut line));
        }
        assert_eq!(found, [(1, 1), (2, 1588), (3, 300)], "pieces of {piece}");
        assert_eq!((line.is_within(), line.skipped()), (false, 0));
    }
}

/// The published driver reads twelve octets each time that they are no header, and is lost until an offset comes by.
#[test]
fn an_octet_that_is_lost_costs_its_frame() {
    let (first, second) = (frame(1, 100), frame(2, 200));
    for lost in 0..first.len() {
        let mut line = Line::new(UART);
        let mut octets = [first.clone(), second.clone(), second.clone()].concat();
        octets.remove(lost);
        line.put(&octets);
        assert_eq!(payloads(&mut line), [(2, 200), (2, 200)], "octet {lost}");
        assert_eq!(line.skipped(), first.len() as u64 - 1);
    }
}

#[test]
fn a_frame_that_is_not_ended_holds_others_back_until_the_line_is_silent() {
    let mut line = Line::new(UART);
    // The header of 1588 octets, and nothing of them.
    line.put(&frame(1, 1588)[..12]);
    line.put(&frame(2, 20));
    line.put(&frame(3, 20));
    assert_eq!(payloads(&mut line), []);
    assert!(line.is_within());
    line.cut();
    assert_eq!(payloads(&mut line), [(2, 20), (3, 20)]);
    assert!(!line.is_within());
    assert_eq!(line.skipped(), 12);
    line.put(&frame(4, 5));
    assert_eq!(payloads(&mut line), [(4, 5)]);
}

#[test]
fn headers_without_payload_are_passed_over() {
    let mut octets = Pool::new().packet();
    Header::throttle(&UART, Throttle::On, &mut octets);
    // Source: `bus_inform_slave_host_power_save_start` of `uart_drv.c`.
    let mut saves = [3, Flags::POWER_SAVE_STARTED.bits(), 0, 0, 12, 0, 0, 0, 0, 0, 0, 0];
    let sum: u8 = saves.iter().sum();
    saves[6] = sum;
    let mut line = Line::new(UART);
    line.put(&[&saves[..], &frame(1, 30), &octets, &frame(2, 30)].concat());
    assert_eq!(payloads(&mut line), [(1, 30), (2, 30)]);
    // The one that throttles names no interface, and is noise.
    assert_eq!(line.skipped(), 12);
}

#[test]
fn it_holds_two_frames_and_no_more() {
    let mut line = Line::new(UART);
    assert_eq!(line.put(&[1; 5_000]), 3_200);
    assert_eq!(line.put(&[1; 5_000]), 0);
    line.cut();
    assert_eq!(payloads(&mut line), []);
    assert_eq!(line.put(&frame(1, 1588)), 1_600);
    assert_eq!(payloads(&mut line), [(1, 1588)]);
    line.put(&frame(1, 1588)[..700]);
    line.clear();
    line.put(&frame(2, 7));
    assert_eq!(payloads(&mut line), [(2, 7)]);
}

proptest! {
    /// Whatever comes before, silence makes an end of it.
    #[test]
    fn behind_noise_and_silence_frames_are_whole(
        noise in proptest::collection::vec(any::<u8>(), 0..3_000), payload in proptest::collection::vec(any::<u8>(), 1..1_588),
    ) {
        let mut line = Line::new(UART);
        line.put(&noise);
        while line.frame().is_some() {}
        line.cut();
        while line.frame().is_some() {}
        prop_assert!(!line.is_within());
        let mut out = Pool::new().packet();
        Header::new(Interface::Station).emit(&UART, &payload, &mut out);
        line.put(&out);
        prop_assert_eq!(line.frame().map(|frame| frame.payload.to_vec()), Some(payload));
    }
}
