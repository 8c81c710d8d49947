//! The peripheral.
#![no_std]
#![no_main]

use defmt::{panic, unwrap};
use embassy_executor::Spawner;
use nrf54l15::{Buffers, Mem, Role};
use static_cell::StaticCell;

/// As the published firmware: 20 outgoing packets. Incoming ones are *assumed*.
const BUFFERS: Buffers = Buffers { links: 1, acl_packets: 20, rx_packets: 8 };

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    static CONTROLLER: StaticCell<Mem<{ BUFFERS.memory() }>> = StaticCell::new();
    let board = nrf54l15::start(spawner, Role::Peripheral, BUFFERS, CONTROLLER.init(Mem::new()));
    unwrap!(rpc::peripheral(board.controller, board.address).await);
    panic!("the host has ended")
}
