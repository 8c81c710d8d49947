//! Both ends, from a controller that waits for its host on.

use core::cell::RefCell;
use core::convert::Infallible;

use airtime_app::{Address, Central, Peripheral};
use airtime_trouble::{Desk, LinkController, ScanController, run_central, run_peripheral};
use bt_hci::cmd::le::LeWriteSuggestedDefaultDataLength;
use bt_hci::controller::ControllerCmdSync;
use common::suggest_data_length;
use defmt::info;
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use trouble_host::{BleHostError, HostResources};

use crate::log::{Figures, Log};
use crate::packets::PlanPool;
use crate::plan::{self, CHANNELS, LINKS, SDU};

/// Controller for a peripheral: the commands that it must know.
pub trait PeripheralController: LinkController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

impl<C> PeripheralController for C where C: LinkController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

/// Controller for a central: the commands that it must know.
pub trait CentralController: ScanController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

impl<C> CentralController for C where C: ScanController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

/// The end that advertises.
///
/// # Errors
/// When the controller fails; it does not return otherwise.
pub async fn peripheral<C: PeripheralController>(
    controller: C,
    address: Address,
) -> Result<(), BleHostError<C::Error>> {
    introduce("peripheral");
    let terms = plan::PERIPHERAL.terms();
    let config = plan::peripheral();
    let machine = RefCell::new(Peripheral::new(config));
    let desk = Desk::<1, CHANNELS, SDU>::new(&machine, &Log);
    let mut resources = HostResources::<PlanPool, 1, CHANNELS>::new();
    let stack = trouble_host::new(controller, &mut resources)
        .set_random_address(trouble_host::Address::random(address))
        .register_l2cap_spsm(terms.psm)
        .build();
    // A host that fails ends this, whatever waits for an answer beside it.
    let figures = Figures::new(&machine);
    let beside = join(suggest_data_length(&stack, plan::DATA_OCTETS), figures.run());
    match select(run_peripheral(&desk, &stack, &terms, &config.name), beside).await {
        Either::First(result) => result,
        Either::Second(_) => defmt::unreachable!("a peripheral waits for the next central"),
    }
}

/// The end that looks for the others and connects, and does so again when they have gone.
///
/// # Errors
/// When the controller fails; it does not return otherwise.
pub async fn central<C: CentralController>(controller: C, address: Address) -> Result<(), BleHostError<C::Error>> {
    introduce("central");
    let terms = plan::CENTRAL.terms();
    let machine = RefCell::new(Central::new(plan::central()));
    let desk = Desk::<LINKS, CHANNELS, SDU>::new(&machine, &Log);
    let mut resources = HostResources::<PlanPool, LINKS, { LINKS * CHANNELS }>::new();
    let stack = trouble_host::new(controller, &mut resources)
        .set_random_address(trouble_host::Address::random(address))
        .register_l2cap_spsm(terms.psm)
        .build();
    let beside = join(suggest_data_length(&stack, plan::DATA_OCTETS), again(&desk, &machine));
    match select(run_central(&desk, &stack, &terms), beside).await {
        Either::First(result) => result,
        Either::Second((_, never)) => match never {},
    }
}

/// Logs the figures, and looks for the peripherals anew a second after the last of them has ended: a board is not reset for it.
async fn again(desk: &Desk<'_, LINKS, CHANNELS, SDU>, machine: &RefCell<Central>) -> Infallible {
    loop {
        Figures::new(machine).run().await;
        machine.replace(Central::new(plan::central()));
        desk.begin_again();
    }
}

fn introduce(end: &str) {
    info!("airtime {=str} of plan {=str}, point {=str}", end, plan::NAME, plan::POINT);
    info!("replay: {=str}", plan::REPLAY);
}
