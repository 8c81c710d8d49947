//! The end that advertises.
#![no_std]
#![no_main]

use core::cell::RefCell;

use airtime_app::Peripheral;
use airtime_trouble::{Desk, run_peripheral};
use board::plan::{self, CHANNELS, SDU};
use board::{Figures, Log, PlanPool};
use defmt::{panic, unwrap};
use embassy_executor::Spawner;
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use nrf54l15::{Role, suggest_data_length};
use trouble_host::{Address, HostResources};

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board = board::start(spawner, Role::Peripheral);
    let terms = plan::PERIPHERAL.terms();
    let machine = RefCell::new(Peripheral::new(plan::peripheral()));
    let desk = Desk::<1, CHANNELS, SDU>::new(&machine, &Log);
    let mut resources = HostResources::<PlanPool, 1, CHANNELS>::new();
    let stack = trouble_host::new(board.controller, &mut resources)
        .set_random_address(Address::random(board.address))
        .register_l2cap_spsm(terms.psm)
        .build();
    let host = join(run_peripheral(&desk, &stack, &terms), suggest_data_length(&stack, plan::DATA_OCTETS));
    match select(host, Figures::new(&machine).run()).await {
        Either::First((result, ())) => {
            unwrap!(result);
            panic!("the host has ended")
        }
        Either::Second(never) => never,
    }
}
