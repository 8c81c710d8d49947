//! Frames of ESP-hosted on their own: one is made, and two are read from what one transfer of the bus has brought.
//!
//! `cargo run -p airtime-esp-hosted --example frames`

use airtime_core::Pool;
use airtime_esp_hosted::wire::{Frame, Header, Interface, Layout};

fn main() {
    let layout = Layout { checksum: true, ..Layout::SDIO };
    let mut octets = Pool::new().packet();
    Header::new(Interface::Station).emit(&layout, b"an Ethernet frame", &mut octets);
    assert_eq!(octets.len(), 12 + 17);

    let frame = Frame::new_checked(&octets, &layout).expect("what was made can be read");
    assert_eq!((frame.header.interface, frame.payload), (Interface::Station, &b"an Ethernet frame"[..]));

    // One wrong bit is found by the checksum.
    let mut damaged = octets.to_vec();
    damaged[20] ^= 1;
    let error = Frame::new_checked(&damaged, &layout).expect_err("the checksum is another one");
    println!("{} octets, {} of payload; with a wrong bit: {error:?}", octets.len(), frame.payload.len());
}
