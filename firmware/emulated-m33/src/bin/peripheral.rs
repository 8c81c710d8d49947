//! The end that advertises.
#![no_std]
#![no_main]

use board::{Executor, LogLine, address, controller};
use defmt::{panic, unwrap};
use embassy_executor::Spawner;

#[embassy_executor::main(executor = "Executor", entry = "cortex_m_rt::entry")]
async fn main(_spawner: Spawner) {
    unwrap!(coc::peripheral(controller(), address(2), LogLine::new()).await);
    panic!("the host has ended")
}
