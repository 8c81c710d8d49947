//! Linux as the board: BlueZ advertises and has the characteristic, and a channel is the kernel's.

use airtime_ble::host::ValueMethod;
use airtime_ble_link::plan::Carrier;
use airtime_core::Duration;
use airtime_live::ble::linux::bluez::{BluezError, Offer, Peripheral, PeripheralConfig, SystemBus};
use airtime_live::ble::linux::l2cap::Channel;
use airtime_live::{PeerConfig, Stopper};

use super::super::Opened;
use super::super::back_end::{BackEnd, Status};
use super::super::refusal::Refusal;
use super::{Carries, Socket, failed};
use crate::commands::rpc::session::ANY_ADAPTER;
use crate::exit::Failure;

/// PSM where none is asked for: the first dynamic one. Core 6.0, Vol 3, Part A, 4.22.
const PSM: u16 = 0x0080;

/// Octets of a handle and an opcode in front of a value that is indicated, in the smallest MTU that there is. Core 6.0, Vol 3, Part F, 3.4.7.2.
const VALUE_LEAST: u16 = 20;

/// Turn in which calls of BlueZ's and the channel are waited for, one after the other, until there is one.
const TURN: Duration = Duration::from_millis(20);

/// A peripheral whose values go through BlueZ.
struct Served {
    peripheral: Peripheral<SystemBus>,
    stopper: Stopper,
}

/// A peripheral that takes a channel.
struct Listening {
    peripheral: Peripheral<SystemBus>,
    stopper: Stopper,
    psm: u16,
    carries: Carries,
    socket: Option<Socket>,
}

/// Back end of a peripheral on the `adapter` with this address.
pub fn open(adapter: &str, config: &PeerConfig) -> Result<Opened, Failure> {
    let offer = offer(config)?;
    let bus = SystemBus::serving().map_err(|error| failed(error.into()))?;
    let stopper = bus.stopper();
    let peripheral = Peripheral::new(
        bus,
        PeripheralConfig {
            adapter: (adapter != ANY_ADAPTER).then(|| adapter.to_owned()),
            name: config.scenario.connection.name.clone(),
            offer,
            octets: config.scenario.value(),
            warmup: config.scenario.run.warmup,
        },
    );
    let stops = stopper.clone();
    Ok(match offer {
        Offer::Psm(psm) => {
            let carries = Carries::of(config);
            (Box::new(Listening { peripheral, stopper: stops, psm, carries, socket: None }), stopper)
        }
        Offer::Written | Offer::Indicated => (Box::new(Served { peripheral, stopper: stops }), stopper),
    })
}

/// Part of the test service for the test of `config`.
fn offer(config: &PeerConfig) -> Result<Offer, Failure> {
    if config.scenario.link == Carrier::BleCoc {
        return Ok(Offer::Psm(config.psm.unwrap_or(PSM)));
    }
    match (config.name.ends_with("source"), config.scenario.method()) {
        (false, _) => Ok(Offer::Written),
        (true, ValueMethod::Indication) if config.scenario.value() > VALUE_LEAST => Err(Failure::BadInput(format!(
            "gatt.payload={}: BlueZ cuts a value that the central's MTU does not take, and tells nobody; expected at most {VALUE_LEAST}: --set \
             gatt.payload={VALUE_LEAST}",
            config.scenario.value()
        ))),
        (true, ValueMethod::Indication) => Ok(Offer::Indicated),
        (true, _) => Err(Failure::BadInput(
            "--role peripheral --adapter: BlueZ takes values to notify without end, so that what it has taken is no figure; --plan gatt-notify \
             --set gatt.method=indication has each one confirmed, `coc` and --hci send"
                .to_owned(),
        )),
    }
}

/// Refusal that an error is; whoever has asked to stop is told by `is_stopped`.
fn refused(ran: Result<(), BluezError>) -> Result<(), Refusal> {
    match ran {
        Ok(()) | Err(BluezError::Stopped) => Ok(()),
        Err(error) => Err(Refusal::System { why: error.to_string() }),
    }
}

impl Listening {
    /// The channel that it listens for, on the adapter that advertises.
    fn listen(&self, adapter: &str) -> Result<Socket, Refusal> {
        let system = |why: String| Refusal::System { why };
        let adapter = adapter.parse().map_err(system)?;
        let channel = Channel::open(&self.carries.to(Some(adapter), None, self.psm));
        Ok(Socket { channel: channel.map_err(|error| system(error.to_string()))?, outcome: None })
    }
}

impl BackEnd for Listening {
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal> {
        let end = self.peripheral.bus_now() + time;
        while !self.is_stopped() {
            let rest = end.saturating_since(self.peripheral.bus_now());
            if rest.is_zero() {
                return Ok(());
            }
            match &mut self.socket {
                Some(socket) if socket.channel.is_open() => return socket.go_on(rest),
                Some(socket) => socket.go_on(TURN.min(rest))?,
                None => {}
            }
            refused(self.peripheral.run(TURN.min(rest)))?;
            // It listens where it advertises, which is known by then.
            if self.socket.is_none()
                && let Some(adapter) = self.peripheral.adapter()
            {
                self.socket = Some(self.listen(adapter)?);
            }
        }
        Ok(())
    }

    fn status(&self) -> Status {
        let up = self.peripheral.adapter().is_some();
        match &self.socket {
            Some(socket) => Status { up, ready: up, ..socket.status() },
            None => Status { up: true, ready: up, ..Status::default() },
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopper.is_asked() || self.socket.as_ref().is_some_and(BackEnd::is_stopped)
    }
}

impl BackEnd for Served {
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal> {
        refused(self.peripheral.run(time))
    }

    fn status(&self) -> Status {
        let (rate, now) = self.peripheral.rate();
        Status {
            up: true,
            ready: self.peripheral.adapter().is_some(),
            connections: self.peripheral.streaming().is_some().into(),
            streaming: self.peripheral.streaming(),
            octets: self.peripheral.octets(),
            series_kbps: rate.series_by(now),
            steady_kbps: rate.steady_by(now),
            whole: self.peripheral.whole(),
            ..Status::default()
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopper.is_asked()
    }
}
