//! The peripheral, from a controller that waits for its host on.

use airtime_app::Address;
use airtime_rpc::COMPATIBLE_FRAME_MAX;
use airtime_rpc::service::TestService;
use airtime_trouble::rpc::{CalledController, Config, run_called};
use bt_hci::cmd::le::LeRand;
use bt_hci::controller::ControllerCmdSync;
use defmt::info;
use static_cell::ConstStaticCell;
use trouble_host::prelude::DefaultPacketPool;
use trouble_host::{BleHostError, HostResources};

use crate::flash::served;
use crate::identity::SEALED;
use crate::log::Log;
use crate::{REQUEST_OCTETS, SERVER, secrets};

/// Controller for the peripheral: the commands that it must know.
pub trait PeripheralController: CalledController + ControllerCmdSync<LeRand> {}

impl<C> PeripheralController for C where C: CalledController + ControllerCmdSync<LeRand> {}

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
    let (config, mut service) = (Config::published(SERVER), TestService::new(served()));
    let secrets = async |_peer| secrets::draw(&stack).await;
    run_called::<REQUEST_OCTETS, _, _, _>(&stack, &config, &mut service, secrets, STORE.take(), &Log).await
}
