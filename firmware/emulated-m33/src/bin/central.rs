//! The end that looks for the others and connects.
#![no_std]
#![no_main]

use board::{Executor, LogLine, address, controller};
use defmt::{panic, unwrap};
use embassy_executor::Spawner;

#[embassy_executor::main(executor = "Executor", entry = "cortex_m_rt::entry")]
async fn main(_spawner: Spawner) {
    unwrap!(coc::central(controller(), address(1), LogLine::new()).await);
    panic!("the host has ended")
}
