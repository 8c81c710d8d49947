//! One connection: what is written goes to the server, what it has to say is notified.

use core::cell::RefCell;

use airtime_rpc::COMPATIBLE_FRAME_MAX;
use bt_hci::cmd::le::LeRand;
use bt_hci::controller::ControllerCmdSync;
use defmt::{info, warn};
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Timer};
use trouble_host::connection::{Connection, RequestedConnParams};
use trouble_host::gatt::{GattConnection, GattConnectionEvent, GattEvent};
use trouble_host::prelude::DefaultPacketPool;
use trouble_host::{BleHostError, Stack};

use crate::attributes::Frames;
use crate::{Calls, SERVER, Service, now, secrets};

/// Octets of a notification in front of its value. Core 6.0, Vol 3, Part F, 3.4.7.1.
const HEADER: u16 = 3;

/// Line that both directions share.
struct Line<'a> {
    server: RefCell<Calls>,
    service: RefCell<&'a mut Service>,
    /// Bell for the task that sends: something may be there.
    bell: Signal<NoopRawMutex, ()>,
}

/// Controller for the image: the commands that it must know.
pub trait RpcController:
    trouble_host::Controller
    + ControllerCmdSync<LeRand>
    + ControllerCmdSync<bt_hci::cmd::le::LeReadLocalSupportedFeatures>
    + bt_hci::controller::ControllerCmdAsync<bt_hci::cmd::le::LeConnUpdate>
{
}

impl<C> RpcController for C where
    C: trouble_host::Controller
        + ControllerCmdSync<LeRand>
        + ControllerCmdSync<bt_hci::cmd::le::LeReadLocalSupportedFeatures>
        + bt_hci::controller::ControllerCmdAsync<bt_hci::cmd::le::LeConnUpdate>
{
}

/// Serves a connection until it ends.
///
/// # Errors
/// When the controller fails.
pub(crate) async fn serve<'s, C: RpcController>(
    stack: &Stack<'_, C, DefaultPacketPool>,
    connection: Connection<'s, DefaultPacketPool>,
    frames: &Frames<'_>,
    service: &mut Service,
) -> Result<(), BleHostError<C::Error>> {
    let secrets = secrets::draw(stack).await?;
    let connection = connection.with_attribute_server(&frames.table)?;
    let line = Line { server: RefCell::new(Calls::new(SERVER)), service: RefCell::new(service), bell: Signal::new() };
    // The central decides; one that refuses stays where it is.
    if let Err(error) = connection.raw().update_connection_params(stack, &wanted()).await {
        warn!("interval of 15 to 30 ms: {}", defmt::Debug2Format(&error));
    }
    let mut begun = false;
    let hear = async {
        loop {
            match connection.next().await {
                GattConnectionEvent::Disconnected { reason } => break info!("disconnected: {}", reason),
                GattConnectionEvent::Gatt { event: GattEvent::Write(write) }
                    if write.handle() == frames.value.handle =>
                {
                    if !begun {
                        begun = true;
                        let longest = connection.raw().att_mtu().saturating_sub(HEADER);
                        info!("frames of up to {} octets", longest);
                        line.server.borrow_mut().connected(now(), longest.min(COMPATIBLE_FRAME_MAX as u16), secrets);
                    }
                    write.with_data(|_, frame| line.receive(frame));
                }
                _ => {}
            }
        }
    };
    match select(hear, line.speak(&connection, frames)).await {
        Either::First(()) => {}
        Either::Second(never) => match never {},
    }
    line.server.borrow_mut().disconnected(now(), *line.service.borrow_mut());
    let faults = line.server.borrow().faults();
    info!("dropped or refused: {}", defmt::Debug2Format(&faults));
    Ok(())
}

impl Line<'_> {
    fn receive(&self, frame: &[u8]) {
        self.server.borrow_mut().receive(now(), frame, *self.service.borrow_mut());
        self.bell.signal(());
    }

    /// The next frame; a function of its own, for nothing may be borrowed while a frame is sent.
    fn next(&self, frame: &mut [u8]) -> Option<usize> {
        self.server.borrow_mut().transmit(now(), frame, *self.service.borrow_mut())
    }

    /// Pulls frames while there are any; each waits for room in the host.
    async fn speak(
        &self,
        connection: &GattConnection<'_, '_, DefaultPacketPool>,
        frames: &Frames<'_>,
    ) -> core::convert::Infallible {
        let mut frame = [0; COMPATIBLE_FRAME_MAX];
        loop {
            while let Some(len) = self.next(&mut frame) {
                if let Err(error) = frames.value.notify_raw(connection, &frame[..len], false).await {
                    warn!("a frame was not sent: {}", error);
                }
            }
            let deadline = self.server.borrow().deadline();
            match deadline {
                Some(at) => {
                    let wait = Duration::from_micros((at.saturating_since(now())).as_micros() + 1);
                    if let Either::Second(()) = select(self.bell.wait(), Timer::after(wait)).await {
                        self.server.borrow_mut().wake(now(), *self.service.borrow_mut());
                    }
                }
                None => self.bell.wait().await,
            }
        }
    }
}

/// Connection parameters that the published firmware asks for: 12 to 24 units of 1.25 ms, no latency, a supervision
/// timeout of 1 s.
fn wanted() -> RequestedConnParams {
    RequestedConnParams {
        min_connection_interval: Duration::from_millis(15),
        max_connection_interval: Duration::from_millis(30),
        max_latency: 0,
        min_event_length: Duration::from_millis(0),
        max_event_length: Duration::from_millis(0),
        supervision_timeout: Duration::from_secs(1),
    }
}
