//! The back end of Linux: its own Bluetooth stack, by an L2CAP socket, and names by BlueZ's daemon.

mod peripheral;

use airtime_app::Outcome;
use airtime_ble::host::Role;
use airtime_ble_link::plan::{Carrier, Transport};
use airtime_core::Duration;
use airtime_live::ble::linux::bluez::{Bluez, BluezError, Board, Finder, SystemBus};
use airtime_live::ble::linux::l2cap::{Channel, ChannelConfig, ChannelError, Peer};
use airtime_live::ble::system::{Part, Values, Wanted};
use airtime_live::{PeerConfig, Stopper};

use super::Opened;
use super::back_end::{BackEnd, Status};
use super::refusal::Refusal;
use super::scan::Heard;
use super::through::{Through, way};
use crate::arguments::ble::{HwBleArguments, HwBleScanArguments};
use crate::commands::rpc::session::ANY_ADAPTER;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output;

/// HCI error: connection timeout. Core 6.0, Vol 1, Part F, 2.8.
const TIMEOUT: u8 = 0x08;

/// Time in which a board that is looked for by its name has to be heard, as the published test has it.
const SCAN: Duration = Duration::from_secs(15);

/// Time in which `doctor` listens.
const LISTEN: Duration = Duration::from_secs(3);

/// A channel of the kernel's.
struct Socket {
    channel: Channel,
    outcome: Option<Outcome>,
}

/// A channel to a board that BlueZ finds by its name first.
struct Named {
    finder: Finder<SystemBus>,
    stopper: Stopper,
    psm: Option<u16>,
    carries: Carries,
    socket: Option<Socket>,
}

/// Payload of a channel, whoever it leads to.
#[derive(Clone, Copy)]
struct Carries {
    mtu: u16,
    sdu: Option<u16>,
    warmup: Duration,
}

/// Back end for what `arguments` ask for, on the `adapter` with this address.
pub fn open(adapter: &str, arguments: &HwBleArguments, config: &PeerConfig) -> Result<Opened, Failure> {
    let wanted = |part| Wanted {
        adapter: (adapter != ANY_ADAPTER).then(|| adapter.to_owned()),
        name: config.scenario.connection.name.clone(),
        within: SCAN,
        part,
    };
    if config.role == Role::Peripheral {
        return peripheral::open(adapter, config);
    }
    if config.scenario.link == Carrier::BleGatt {
        let way = way(arguments, config)?;
        let (bus, stopper) = bus()?;
        let values = Values::new(Bluez::new(bus, wanted(Part::Stream)), way, config.scenario.run.warmup);
        return Ok((Box::new(Through::new(values, stopper.clone())), stopper));
    }
    let carries = Carries::of(config);
    let Some(address) = &arguments.address else {
        let wanted = wanted(if arguments.psm.is_none() { Part::Psm } else { Part::Address });
        let (bus, stopper) = bus()?;
        let finder = Finder::new(bus, wanted);
        let named = Named { finder, stopper: stopper.clone(), psm: arguments.psm, carries, socket: None };
        return Ok((Box::new(named), stopper));
    };
    let psm = arguments.psm.ok_or_else(|| {
        Failure::BadInput("--address: its PSM is not looked for; --psm 0x0080, or --name instead of it".to_owned())
    })?;
    let peer =
        |option: &str, text: &str| text.parse::<Peer>().map_err(|what| Failure::BadInput(format!("{option} {what}")));
    let adapter = if adapter == ANY_ADAPTER { None } else { Some(peer("--adapter", adapter)?) };
    let channel = carries.to(adapter, Some(peer("--address", address)?), psm);
    let channel = Channel::open(&channel).map_err(|error| Failure::Machine(error.to_string()))?;
    let stopper = channel.stopper();
    Ok((Box::new(Socket { channel, outcome: None }), stopper))
}

/// Everybody whom BlueZ hears by its `adapter`, and whether somebody has stopped it.
pub fn scan(adapter: &str, arguments: &HwBleScanArguments) -> Result<(Vec<Heard>, bool), Failure> {
    let (bus, stopper) = bus()?;
    stop_on_signal(stopper.clone())?;
    let heard = Finder::new(bus, listening(adapter, arguments.name.clone(), arguments.length)).scan();
    match heard {
        Err(BluezError::Stopped) => Ok((Vec::new(), true)),
        heard => Ok((heard.map_err(failed)?.iter().map(Heard::from).collect(), stopper.is_asked())),
    }
}

/// Steps to a scan by BlueZ, and what to do where one fails.
pub fn doctor(adapter: &str) -> Result<Exit, Failure> {
    let (bus, stopper) = bus()?;
    stop_on_signal(stopper)?;
    output::say("ok: the system bus is there");
    let heard = Finder::new(bus, listening(adapter, None, LISTEN)).scan().map_err(failed)?;
    output::say(&format!("ok: BlueZ scans, and has heard {} devices within {LISTEN}", heard.len()));
    Ok(Exit::Ok)
}

fn listening(adapter: &str, name: Option<String>, within: Duration) -> Wanted {
    let adapter = (adapter != ANY_ADAPTER).then(|| adapter.to_owned());
    Wanted { adapter, name: name.unwrap_or_default(), within, part: Part::Address }
}

fn bus() -> Result<(SystemBus, Stopper), Failure> {
    let bus = SystemBus::open().map_err(|error| failed(error.into()))?;
    let stopper = bus.stopper();
    Ok((bus, stopper))
}

fn failed(error: BluezError) -> Failure {
    Failure::Machine(error.to_string())
}

impl Carries {
    /// Payload of a test.
    fn of(config: &PeerConfig) -> Self {
        debug_assert!(config.scenario.transport() == Transport::Coc);
        let sends = config.name.ends_with("source");
        Self {
            mtu: config.scenario.receiver().host.coc_mtu,
            sdu: if sends { Some(config.scenario.sdu()) } else { None },
            warmup: config.scenario.run.warmup,
        }
    }

    /// Channel to `peer`.
    fn to(self, adapter: Option<Peer>, peer: Option<Peer>, psm: u16) -> ChannelConfig {
        let Self { mtu, sdu, warmup } = self;
        ChannelConfig { adapter, peer, psm, mtu, sdu, warmup }
    }
}

impl Named {
    /// Channel to `board`, once it is found.
    fn socket(&self, board: &Board) -> Result<Socket, Refusal> {
        let system = |why: String| Refusal::System { why };
        let (adapter, peer) = (board.adapter.parse().map_err(system)?, board.address.parse().map_err(system)?);
        let psm = self.psm.or(board.psm).unwrap_or_default();
        let channel = Channel::open(&self.carries.to(Some(adapter), Some(peer), psm));
        Ok(Socket { channel: channel.map_err(|error| system(error.to_string()))?, outcome: None })
    }
}

impl BackEnd for Named {
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal> {
        if let Some(socket) = &mut self.socket {
            return socket.go_on(time);
        }
        match self.finder.run(time) {
            Ok(Some(board)) => self.socket = Some(self.socket(&board)?),
            // Whoever asks is told by `is_stopped`.
            Ok(None) | Err(BluezError::Stopped) => {}
            Err(error) => return Err(Refusal::System { why: error.to_string() }),
        }
        Ok(())
    }

    fn status(&self) -> Status {
        match &self.socket {
            Some(socket) => Status { connections: 1, ..socket.status() },
            None => Status {
                up: true,
                ready: true,
                step: self.finder.step(),
                connections: self.finder.is_heard().into(),
                ..Status::default()
            },
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopper.is_asked()
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        // The channel goes before the connection that it is on.
        self.socket = None;
        self.finder.hang_up();
    }
}

impl BackEnd for Socket {
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal> {
        match self.channel.run(time) {
            Ok(()) => Ok(()),
            // In mid-stream it ends the test, whose figures are kept; before that there is none.
            Err(ChannelError::Gone) => {
                self.outcome = Some(Outcome::Disconnected { reason: TIMEOUT });
                Ok(())
            }
            Err(error) => Err(Refusal::System { why: error.to_string() }),
        }
    }

    fn status(&self) -> Status {
        let (rate, now) = self.channel.rate();
        Status {
            // Its errors come at once, so a kernel that waits for the peer is up.
            up: true,
            ready: true,
            step: None,
            connections: self.channel.is_open().into(),
            streaming: self.channel.streaming(),
            octets: self.channel.octets(),
            ended: self.outcome,
            series_kbps: rate.series_by(now),
            steady_kbps: rate.steady_by(now),
            // The kernel tells a program of the MTUs alone.
            negotiated: None,
            whole: self.channel.whole(),
        }
    }

    fn is_stopped(&self) -> bool {
        self.channel.stopper().is_asked()
    }
}
