//! The peripheral, from a controller that waits for its host on.

use airtime_app::Address;
use airtime_rpc::COMPATIBLE_FRAME_MAX;
use bt_hci::cmd::le::LeWriteSuggestedDefaultDataLength;
use bt_hci::controller::ControllerCmdSync;
use common::{Stack, suggest_data_length};
use defmt::info;
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use static_cell::ConstStaticCell;
use trouble_host::prelude::DefaultPacketPool;
use trouble_host::{BleHostError, HostResources};

use crate::Service;
use crate::advertise::connections;
use crate::attributes::Frames;
use crate::connection::{RpcController, serve};
use crate::flash::served;
use crate::identity::SEALED;

/// Longest LL payload. Core 6.0, Vol 6, Part B, 4.5.10.
const DATA_OCTETS: u16 = 251;

/// Controller for the peripheral: the commands that it must know.
pub trait PeripheralController: RpcController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

impl<C> PeripheralController for C where C: RpcController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

/// Serves one connection after another.
///
/// # Errors
/// When the controller fails; it does not return otherwise.
///
/// # Panics
/// When called a second time.
pub async fn peripheral<C: PeripheralController>(
    controller: C,
    address: Address,
) -> Result<(), BleHostError<C::Error>> {
    static STORE: ConstStaticCell<[u8; COMPATIBLE_FRAME_MAX]> = ConstStaticCell::new([0; COMPATIBLE_FRAME_MAX]);
    info!("airtime rpc, sealed: {}", SEALED);
    let mut resources = HostResources::<DefaultPacketPool, 1, 0>::new();
    let stack = trouble_host::new(controller, &mut resources)
        .set_random_address(trouble_host::Address::random(address))
        .build();
    let frames = Frames::new(STORE.take());
    let mut service = Service::new(served());
    let calls = async {
        let mut peripheral = stack.peripheral();
        loop {
            let connection = connections(&mut peripheral).await?;
            info!("connected");
            serve(&stack, connection, &frames, &mut service).await?;
            info!("{}", Stack::look());
        }
    };
    let mut runner = stack.runner();
    match select(runner.run(), join(calls, suggest_data_length(&stack, DATA_OCTETS))).await {
        Either::First(result) => result,
        Either::Second((result, ())) => result,
    }
}
