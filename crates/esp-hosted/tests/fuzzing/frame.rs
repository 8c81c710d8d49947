//! Frames, start-up events and fragments.

use airtime_core::{Packet, Pool};
use airtime_esp_hosted::wire::start::{CoprocessorStart, HostStart};
use airtime_esp_hosted::wire::{
    Frame, FrameFaults, Frames, Header, Interface, Layout, Line, MESSAGE_MAX, Order, Reassembler, Transport, fragments,
};

use super::{OCTETS_MAX, Script};

/// Runs one script: what a read of the bus brings, whoever sent it.
pub fn frame(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let features = script.octet();
    let transport = [Transport::Sdio, Transport::Spi, Transport::Spi, Transport::Uart][usize::from(features) % 4];
    let layout = Layout { checksum: features & 0x10 != 0, numbered: features & 0x20 != 0, ..Layout::of(transport) };
    let order = if features & 0x40 == 0 { Order::Shared } else { Order::Counted };
    let mut reassembler = Reassembler::new(order);
    let mut faults = FrameFaults::default();
    let mut line = Line::new(layout);
    while !script.is_over() {
        let read = script.octets(4_000);
        let mut octets = 0;
        for frame in Frames::new(read, layout) {
            match frame {
                Ok(frame) => {
                    octets += frame.octets();
                    made_again(&frame, &layout);
                    take(&frame, &mut reassembler);
                }
                Err(error) => faults.count(error),
            }
        }
        assert!(octets <= read.len(), "frames are within what was read");
        on_a_line(&mut line, read, &layout);
    }
    // Whatever came, a message comes through.
    let message = [0x5a; 3_000];
    reassembler.discard();
    let mut whole = None;
    for fragment in fragments(&message, 1_500) {
        whole = reassembler.push(fragment.flags, 0, fragment.payload).expect("a message that fits").map(<[u8]>::len);
    }
    assert_eq!(whole, Some(message.len()));
}

/// Octets of a read, on a UART: every one belongs to a frame, is passed over, or waits.
fn on_a_line(line: &mut Line, read: &[u8], layout: &Layout) {
    let mut rest = read;
    while !rest.is_empty() {
        let taken = line.put(rest);
        assert!(taken > 0, "there is room once no frame is left");
        rest = &rest[taken..];
        while let Some(frame) = line.frame() {
            made_again(&frame, layout);
        }
    }
}

/// A frame that was read is made again of what was read.
fn made_again(frame: &Frame<'_>, layout: &Layout) {
    let pool = Pool::new();
    let payload: Vec<u8> = match frame.hci() {
        Some((kind, rest)) => [&[kind], rest].concat(),
        None => frame.payload.to_vec(),
    };
    let mut out = pool.packet();
    frame.header.emit(layout, &payload, &mut out);
    let again = Frame::new_checked(&out, layout).expect("what is made is read");
    assert_eq!((again.header, again.payload), (frame.header, frame.payload));
}

fn take(frame: &Frame<'_>, reassembler: &mut Reassembler) {
    match frame.header.interface {
        Interface::Serial => {
            let before = reassembler.faults();
            let message = reassembler.push(frame.header.flags, frame.header.sequence, frame.payload);
            assert!(
                message.is_ok_and(|message| message.is_none_or(|message| message.len() <= MESSAGE_MAX)) || {
                    let after = reassembler.faults();
                    after.too_long + after.rest > before.too_long + before.rest
                }
            );
            assert!(reassembler.pending() <= MESSAGE_MAX);
        }
        Interface::Private if frame.header.kind == Header::PRIVATE_EVENT => {
            if let Ok(start) = CoprocessorStart::parse(frame.payload) {
                let known = CoprocessorStart { unknown: 0, ..start };
                start_again(
                    |layout, out| known.emit(layout, out),
                    |payload| {
                        assert_eq!(CoprocessorStart::parse(payload), Ok(known));
                    },
                );
            }
            if let Ok(start) = HostStart::parse(frame.payload) {
                let known = HostStart { unknown: 0, ..start };
                start_again(
                    |layout, out| known.emit(layout, out),
                    |payload| {
                        assert_eq!(HostStart::parse(payload), Ok(known));
                    },
                );
            }
        }
        _ => {}
    }
}

/// A start-up event is made, and read again.
fn start_again(emit: impl FnOnce(&Layout, &mut Packet), check: impl FnOnce(&[u8])) {
    let mut out = Pool::new().packet();
    emit(&Layout::SDIO, &mut out);
    check(Frame::new_checked(&out, &Layout::SDIO).expect("what is made is read").payload);
}
