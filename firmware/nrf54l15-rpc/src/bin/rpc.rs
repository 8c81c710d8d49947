//! The peripheral.
#![no_std]
#![no_main]

use airtime_rpc::COMPATIBLE_FRAME_MAX;
use board::{Frames, SEALED, Service, connections, serve, served};
use defmt::{info, panic, unwrap};
use embassy_executor::Spawner;
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use nrf54l15::{Buffers, Mem, Role, suggest_data_length};
use static_cell::{ConstStaticCell, StaticCell};
use trouble_host::prelude::DefaultPacketPool;
use trouble_host::{Address, HostResources};

/// As the published firmware: 20 outgoing packets. Incoming ones are *assumed*.
const BUFFERS: Buffers = Buffers { links: 1, acl_packets: 20, rx_packets: 8 };

/// Longest LL payload. Core 6.0, Vol 6, Part B, 4.5.10.
const DATA_OCTETS: u16 = 251;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    static CONTROLLER: StaticCell<Mem<{ BUFFERS.memory() }>> = StaticCell::new();
    static STORE: ConstStaticCell<[u8; COMPATIBLE_FRAME_MAX]> = ConstStaticCell::new([0; COMPATIBLE_FRAME_MAX]);
    let board = nrf54l15::start(spawner, Role::Peripheral, BUFFERS, CONTROLLER.init(Mem::new()));
    info!("airtime rpc, sealed: {}", SEALED);
    let mut resources = HostResources::<DefaultPacketPool, 1, 0>::new();
    let stack =
        trouble_host::new(board.controller, &mut resources).set_random_address(Address::random(board.address)).build();
    let frames = Frames::new(STORE.take());
    let mut service = Service::new(served());
    let calls = async {
        let mut peripheral = stack.peripheral();
        loop {
            let connection = unwrap!(connections(&mut peripheral).await);
            info!("connected");
            unwrap!(serve(&stack, connection, &frames, &mut service).await);
        }
    };
    let mut runner = stack.runner();
    match select(runner.run(), join(calls, suggest_data_length(&stack, DATA_OCTETS))).await {
        Either::First(result) => {
            unwrap!(result);
            panic!("the host has ended")
        }
        Either::Second((never, ())) => never,
    }
}
