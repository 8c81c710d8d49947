//! What is on the air, octet by octet, as docs/nrf24-tunnel.md has it. Nothing here is taken from the tunnel.

use airtime_core::Duration;
use airtime_nrf24::tunnel::Mode;

use super::pipe::Pipe;
use super::pipe::air::Air;
use super::pipe::packets::udp;

/// CRC-16/T10-DIF, bit by bit.
fn crc(octets: &[u8]) -> [u8; 2] {
    let mut sum = 0_u16;
    for octet in octets {
        sum ^= u16::from(*octet) << 8;
        for _ in 0..8 {
            sum = if sum & 0x8000 == 0 { sum << 1 } else { sum << 1 ^ 0x8bb7 };
        }
    }
    sum.to_le_bytes()
}

/// A control frame with its check, in the session with this number.
fn control(session: u64, octets: &[u8]) -> Vec<u8> {
    let all: Vec<u8> = session.to_le_bytes().iter().chain(octets).copied().collect();
    [octets, &crc(&all)].concat()
}

/// The session of the epochs 0xa and 0xb.
fn session() -> u64 {
    0xa_u64.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xb_u64.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn greeting(flags: u8, epoch: u8, echo: u8) -> Vec<u8> {
    // Kind 0, version 1, auto-ack and stream, an MTU of 1500.
    let mut octets = vec![0, 1, 0b101, flags, 0xdc, 0x05];
    octets.extend([epoch, 0, 0, 0, 0, 0, 0, 0]);
    octets.extend([0; 4]);
    octets.extend([echo, 0, 0, 0, 0, 0, 0, 0]);
    control(0, &octets)
}

#[test]
fn the_check_is_the_catalogue_s() {
    assert_eq!(crc(b"123456789"), 0xd0db_u16.to_le_bytes());
}

#[test]
fn two_ends_greet() {
    let pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    assert_eq!(pipe.ends[0].sent[0], greeting(0, 0xa, 0));
    assert_eq!(pipe.ends[1].sent[0], greeting(0, 0xb, 0));
    assert_eq!(pipe.ends[0].sent[1], greeting(0b1000, 0xa, 0xb));
    assert_eq!(pipe.ends[1].sent[1], greeting(0b1000, 0xb, 0xa));
}

#[test]
fn a_packet_is_cut_into_chunks() {
    let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    pipe.run_for(Duration::from_millis(10));
    let before = pipe.ends[0].sent.len();
    let packets = [udp(1, 0, 60), udp(1, 1, 61)];
    for packet in &packets {
        pipe.offer(0, packet).unwrap();
    }
    pipe.run_for(Duration::from_millis(10));
    let body = |packet: &[u8]| [packet, &crc(packet)].concat();
    let [first, second] = packets.map(|packet| body(&packet));
    let expected: Vec<Vec<u8>> = vec![
        [&[2], &first[..31]].concat(),
        [&[4 + 1], &first[31..62]].concat(),
        [&[2 * 4 + 2], &second[..31]].concat(),
        [&[3 * 4], &second[31..62]].concat(),
        [&[4 * 4 + 1], &second[62..]].concat(),
    ];
    assert_eq!(pipe.ends[0].sent[before..], expected);
}

#[test]
fn chunks_are_acknowledged() {
    let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    pipe.run_for(Duration::from_millis(10));
    let before = pipe.ends[1].sent.len();
    // Six chunks, and the third is lost.
    let chunks: Vec<Vec<u8>> = (0..6).map(|n| [&[n * 4 + 1], &[n; 20][..]].concat()).collect();
    for n in [0, 1, 3, 4, 5] {
        pipe.inject(1, &chunks[n]);
    }
    pipe.run_for(Duration::from_millis(10));
    pipe.inject(1, &chunks[2]);
    pipe.run_for(Duration::from_millis(10));
    let ack = |base: u8, bitmap: u8| control(session(), &[4, base, 0, bitmap, 0, 0, 0]);
    // At once for the gap, for the rest after a millisecond, and at once when the gap is filled.
    assert_eq!(pipe.ends[1].sent[before..], [ack(2, 0b001), ack(2, 0b111), ack(6, 0)]);
}

#[test]
fn a_sync_moves_the_receiver_on() {
    let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    pipe.run_for(Duration::from_millis(10));
    let before = pipe.ends[1].sent.len();
    pipe.inject(1, &control(session(), &[8, 20, 0]));
    pipe.run_for(Duration::from_millis(5));
    pipe.inject(1, &control(session() ^ 1, &[8, 40, 0]));
    pipe.run_for(Duration::from_millis(5));
    assert_eq!(pipe.ends[1].sent[before..], [control(session(), &[4, 20, 0, 0, 0, 0, 0])]);
}
