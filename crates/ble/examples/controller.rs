//! A virtual controller inside a test of one's own: octets of H4 in, octets of H4 out, and time as the test likes.
//!
//! `cargo run -p airtime-ble --example controller`

use airtime_ble::controller::{Controller, Input};
use airtime_ble::ll::outbox::Output;
use airtime_ble::personality::Controller as Personality;
use airtime_core::{Instant, Pool};

/// Gives the controller one packet of its host, and takes what it has to say to it.
fn ask(controller: &mut Controller, now: Instant, command: &[u8]) -> Vec<Vec<u8>> {
    controller.handle(now, Input::Hci(command));
    let mut said = Vec::new();
    while let Some(output) = controller.poll(now) {
        if let Output::Hci(packet) = output {
            said.push(packet.to_vec());
        }
    }
    said
}

fn main() {
    let address = [1, 2, 3, 4, 5, 0xc0];
    let mut controller = Controller::new(Personality::ZEPHYR_LL, address, Pool::new());
    let now = Instant::ZERO;

    // HCI_Reset, and its Command Complete. Core 6.0, Vol 4, Part E, 7.3.2 and 7.7.14.
    let answer = ask(&mut controller, now, &[0x01, 0x03, 0x0c, 0x00]);
    assert_eq!(answer, [[0x04, 0x0e, 0x04, 0x01, 0x03, 0x0c, 0x00]]);

    // HCI_Read_BD_ADDR: the address that it was made with. 7.4.6.
    let answer = ask(&mut controller, now, &[0x01, 0x09, 0x10, 0x00]);
    assert_eq!(answer[0][7..], address);

    // HCI_LE_Set_Advertising_Enable: from now on it has a deadline of its own. 7.8.9.
    let answer = ask(&mut controller, now, &[0x01, 0x0a, 0x20, 0x01, 0x01]);
    assert_eq!(answer, [[0x04, 0x0e, 0x04, 0x01, 0x0a, 0x20, 0x00]]);
    let due = controller.deadline().expect("it advertises");
    println!("reset, asked for its address, and due again at {due:?}");
}
