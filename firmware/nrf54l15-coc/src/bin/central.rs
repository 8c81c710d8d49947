//! The end that looks for the others and connects.
#![no_std]
#![no_main]

use core::cell::RefCell;

use airtime_app::Central;
use airtime_trouble::{Desk, run_central};
use board::plan::{self, CHANNELS, LINKS, SDU};
use board::{Figures, Log, PlanPool};
use defmt::{panic, unwrap};
use embassy_executor::Spawner;
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use nrf54l15::{Role, suggest_data_length};
use trouble_host::{Address, HostResources};

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board = board::start(spawner, Role::Central);
    let terms = plan::CENTRAL.terms();
    let machine = RefCell::new(Central::new(plan::central()));
    let desk = Desk::<LINKS, CHANNELS, SDU>::new(&machine, &Log);
    let mut resources = HostResources::<PlanPool, LINKS, { LINKS * CHANNELS }>::new();
    let stack = trouble_host::new(board.controller, &mut resources)
        .set_random_address(Address::random(board.address))
        .register_l2cap_spsm(terms.psm)
        .build();
    let host = join(run_central(&desk, &stack, &terms), suggest_data_length(&stack, plan::DATA_OCTETS));
    match select(host, Figures::new(&machine).run()).await {
        Either::First((result, ())) => {
            unwrap!(result);
            panic!("the host has ended")
        }
        Either::Second(never) => never,
    }
}
