//! The RPC peripheral.
#![no_std]
#![no_main]

use board::{Executor, address, controller};
use defmt::{panic, unwrap};
use embassy_executor::Spawner;

#[embassy_executor::main(executor = "Executor", entry = "cortex_m_rt::entry")]
async fn main(_spawner: Spawner) {
    unwrap!(rpc::peripheral(controller(), address(3)).await);
    panic!("the host has ended")
}
