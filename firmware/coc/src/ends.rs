//! Both ends, from a controller that waits for its host on.

use core::cell::{Cell, RefCell};
use core::convert::Infallible;

use airtime_app::{Address, Central, CentralConfig, Peripheral};
use airtime_trouble::{Desk, LinkController, ScanController, run_central, run_peripheral};
use bt_hci::cmd::le::LeWriteSuggestedDefaultDataLength;
use bt_hci::controller::ControllerCmdSync;
use common::suggest_data_length;
use defmt::info;
use embassy_futures::join::{join, join3};
use embassy_futures::select::{Either, select};
use trouble_host::{BleHostError, HostResources};

use crate::log::{Figures, Log};
use crate::packets::PlanPool;
use crate::plan::{self, CHANNELS, LINKS, SDU};
use crate::settings::{Line, listen, read};

/// Controller for a peripheral: the commands that it must know.
pub trait PeripheralController: LinkController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

impl<C> PeripheralController for C where C: LinkController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

/// Controller for a central: the commands that it must know.
pub trait CentralController: ScanController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

impl<C> CentralController for C where C: ScanController + ControllerCmdSync<LeWriteSuggestedDefaultDataLength> {}

/// The end that advertises. Settings that a client writes hold from the next connection on; those of the board's `line` end the one there is.
///
/// # Errors
/// When the controller fails; it does not return otherwise.
pub async fn peripheral<C: PeripheralController>(
    controller: C,
    address: Address,
    mut line: impl Line,
) -> Result<(), BleHostError<C::Error>> {
    introduce("peripheral");
    let terms = plan::PERIPHERAL.terms();
    let config = RefCell::new(plan::peripheral());
    let name = config.borrow().name;
    let machine = RefCell::new(Peripheral::new(plan::peripheral()));
    let set = |line: &[u8]| {
        let settings = read(line);
        if let Some(settings) = &settings {
            settings.apply_to_peripheral(&mut config.borrow_mut());
            machine.borrow_mut().reconfigure(*config.borrow());
        }
        settings.is_some()
    };
    let log = Log { settings: Some(&set) };
    let desk = Desk::<1, CHANNELS, SDU>::new(&machine, &log);
    let mut resources = HostResources::<PlanPool, 1, CHANNELS>::new();
    let stack = trouble_host::new(controller, &mut resources)
        .set_random_address(trouble_host::Address::random(address))
        .register_l2cap_spsm(terms.psm)
        .build();
    // A host that fails ends this, whatever waits for an answer beside it.
    let figures = Figures::new(&machine);
    let typed = listen(&mut line, |line| {
        if set(line) {
            machine.borrow_mut().hang_up();
            desk.wake();
        }
    });
    let beside = join3(suggest_data_length(&stack, plan::DATA_OCTETS), figures.run(), typed);
    match select(run_peripheral(&desk, &stack, &terms, &name), beside).await {
        Either::First(result) => result,
        Either::Second((.., never)) => match never {},
    }
}

/// The end that looks for the others and connects, and does so again when they have gone. Settings of the board's `line` end what there is.
///
/// # Errors
/// When the controller fails; it does not return otherwise.
pub async fn central<C: CentralController>(
    controller: C,
    address: Address,
    mut line: impl Line,
) -> Result<(), BleHostError<C::Error>> {
    introduce("central");
    let terms = plan::CENTRAL.terms();
    let config = Cell::new(plan::central());
    let machine = RefCell::new(Central::new(config.get()));
    let log = Log::default();
    let desk = Desk::<LINKS, CHANNELS, SDU>::new(&machine, &log);
    let mut resources = HostResources::<PlanPool, LINKS, { LINKS * CHANNELS }>::new();
    let stack = trouble_host::new(controller, &mut resources)
        .set_random_address(trouble_host::Address::random(address))
        .register_l2cap_spsm(terms.psm)
        .build();
    let typed = listen(&mut line, |line| {
        if let Some(settings) = read(line) {
            let mut other = config.get();
            settings.apply_to_central(&mut other);
            config.set(other);
            machine.borrow_mut().hang_up();
            desk.wake();
        }
    });
    let again = join(again(&desk, &machine, &config), typed);
    let beside = join(suggest_data_length(&stack, plan::DATA_OCTETS), again);
    match select(run_central(&desk, &stack, &terms), beside).await {
        Either::First(result) => result,
        Either::Second((_, (never, _))) => match never {},
    }
}

/// Logs the figures, and looks for the peripherals anew a second after the last of them has ended: a board is not reset for it.
async fn again(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    machine: &RefCell<Central>,
    config: &Cell<CentralConfig>,
) -> Infallible {
    loop {
        Figures::new(machine).run().await;
        machine.replace(Central::new(config.get()));
        desk.begin_again();
    }
}

fn introduce(end: &str) {
    info!("airtime {=str} of plan {=str}, point {=str}", end, plan::NAME, plan::POINT);
    info!("replay: {=str}", plan::REPLAY);
}
