//! Both roles, from the start of the host on.

use core::convert::Infallible;

use airtime_app::{Event, Name, Transport};
use bt_hci::cmd::info::ReadBdAddr;
#[cfg(feature = "central")]
use bt_hci::cmd::le::LeSetScanParams;
use bt_hci::cmd::le::{LeReadLocalSupportedFeatures, LeSetDataLength, LeSetPhy};
use bt_hci::controller::{ControllerCmdAsync, ControllerCmdSync};
use embassy_futures::join::{join_array, join4};
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::channel::Channel;
use trouble_host::connection::Connection;
use trouble_host::prelude::EventHandler;
use trouble_host::{BleHostError, PacketPool, Stack};

use crate::advertise::advertise;
use crate::alarm::alarm;
use crate::attributes::Attributes;
#[cfg(feature = "central")]
use crate::client::Initiator;
use crate::link::{Bench, serve};
use crate::role::{Advertiser, Role};
#[cfg(feature = "central")]
use crate::scan::{Reports, seek};
use crate::{Desk, Terms};

/// Connections on their way to the task that serves them.
pub(crate) type Connections<'s, P, const LINKS: usize> = Channel<NoopRawMutex, Connection<'s, P>, LINKS>;

/// Controller for either role: the commands that it must know.
pub trait LinkController:
    trouble_host::Controller
    + ControllerCmdSync<LeReadLocalSupportedFeatures>
    + ControllerCmdSync<LeSetDataLength>
    + ControllerCmdAsync<LeSetPhy>
{
}

impl<C> LinkController for C where
    C: trouble_host::Controller
        + ControllerCmdSync<LeReadLocalSupportedFeatures>
        + ControllerCmdSync<LeSetDataLength>
        + ControllerCmdAsync<LeSetPhy>
{
}

/// Controller for a central: the commands that it must know besides.
#[cfg(feature = "central")]
pub trait ScanController: LinkController + ControllerCmdSync<LeSetScanParams> {}

#[cfg(feature = "central")]
impl<C> ScanController for C where C: LinkController + ControllerCmdSync<LeSetScanParams> {}

/// Octets of a PSM that is none: who connects takes no channels, nor does who streams values.
const NO_PSM: [u8; 2] = [0; 2];

/// Name of a central as its peers may read it. Nobody looks for it.
#[cfg(feature = "central")]
const NAME: &str = "airtime";

/// Runs the machine of `desk` as a peripheral on `stack`, whose builder has registered
/// [`Terms::psm`]. It publishes that, unless its stream is in values, and `name` as the name of its device.
///
/// # Errors
/// When the controller fails; it does not return otherwise.
pub async fn run_peripheral<C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &Stack<'_, C, P>,
    terms: &Terms,
    name: &Name,
) -> Result<(), BleHostError<C::Error>>
where
    C: LinkController,
    P: PacketPool,
{
    let connections = Channel::new();
    let psm = match terms.transport {
        Transport::Coc => terms.psm.to_le_bytes(),
        Transport::Gatt => NO_PSM,
    };
    let attributes = Attributes::new(name, &psm, desk.witness().takes_settings());
    let gap = advertise(desk, stack, terms, &connections);
    run::<Advertiser, _, _, LINKS, CHANNELS, SDU>(desk, Bench { stack, terms }, &attributes, &connections, &Silent, gap)
        .await
}

/// Runs the machine of `desk` as a central on `stack`.
///
/// # Errors
/// When the controller fails; it does not return otherwise.
#[cfg(feature = "central")]
pub async fn run_central<C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &Stack<'_, C, P>,
    terms: &Terms,
) -> Result<(), BleHostError<C::Error>>
where
    C: ScanController,
    P: PacketPool,
{
    let connections = Channel::new();
    let reports = Reports::default();
    let name = Name::new(NAME).unwrap_or_default();
    let attributes = Attributes::new(&name, &NO_PSM, false);
    let gap = seek(desk, stack, &reports, &connections);
    run::<Initiator, _, _, LINKS, CHANNELS, SDU>(desk, Bench { stack, terms }, &attributes, &connections, &reports, gap)
        .await
}

/// A handler of nothing: a peripheral hears no reports.
struct Silent;

impl EventHandler for Silent {}

async fn run<'s, R, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    bench: Bench<'_, 's, '_, C, P>,
    attributes: &Attributes<'_, P, LINKS>,
    connections: &Connections<'s, P, LINKS>,
    handler: &impl EventHandler,
    gap: impl Future<Output = Infallible>,
) -> Result<(), BleHostError<C::Error>>
where
    R: Role,
    C: LinkController,
    P: PacketPool,
{
    let mut runner = bench.stack.runner();
    let links = join_array::<_, LINKS>(core::array::from_fn(|place| {
        link::<R, _, _, LINKS, CHANNELS, SDU>(desk, bench, attributes, place, connections)
    }));
    let working = join4(alarm(desk), gap, links, ready(desk, bench.stack));
    match select(runner.run_with_handler(handler), working).await {
        Either::First(result) => result,
        Either::Second((never, ..)) => match never {},
    }
}

/// Serves the connections that come as connection number `place` of the desk.
async fn link<'s, R, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    bench: Bench<'_, 's, '_, C, P>,
    attributes: &Attributes<'_, P, LINKS>,
    place: usize,
    connections: &Connections<'s, P, LINKS>,
) -> Infallible
where
    R: Role,
    C: LinkController,
    P: PacketPool,
{
    loop {
        // There are as many clients as connections, so the table has room; without, the connection ends here.
        if let Ok(served) = connections.receive().await.with_attribute_server(&attributes.table) {
            serve::<R, _, _, LINKS, CHANNELS, SDU>(desk, bench, place, served, &attributes.passing).await;
        }
    }
}

/// Tells the machine that the host works: a command waits until it does.
async fn ready<C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &Stack<'_, C, P>,
) where
    C: LinkController,
    P: PacketPool,
{
    // What it answers does not matter; a failure is the runner's to report.
    let _ = stack.command(ReadBdAddr::new()).await;
    desk.tell(Event::Ready);
}
