//! The end that looks for the others and connects.
#![no_std]
#![no_main]

use coc::NoLine;
use defmt::{panic, unwrap};
use embassy_executor::Spawner;
use nrf54l15::Role;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board = board::start(spawner, Role::Central);
    unwrap!(coc::central(board.controller, board.address, NoLine).await);
    panic!("the host has ended")
}
