//! Remote calls through BlueZ: the machine of `app`, whose commands the daemon carries out in the place of a host. Frames are values, written
//! with commands and notified.

use airtime_app::rpc::{Central, CentralConfig, FRAME_MAX};
use airtime_app::{ATT_CHANNEL, Address, Command, Event, Phy, Reasons};
use airtime_core::{Duration, Instant};
use airtime_system::sleep::TIME_MAX;

use super::bus::{Arguments, Bus, BusError, Call, Change, Value, Written};
use super::error::BluezError;
use super::finder::{Board, CHARACTERISTIC, Characteristic, Finder, Part, Wanted, of_value};
use crate::rpc::{CallingConfig, Job, secrets::Noted};

/// Handle of the connection, of which there is one at a time.
const CONN: u16 = 0;

/// Error code: connection terminated by local host. Core 6.0, Vol 1, Part F, 2.21.
const BY_LOCAL_HOST: u8 = 0x16;

/// Stage of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// There is none, and none is made.
    Idle,
    /// The board is looked for.
    Search,
    /// It was heard, and is connected to; the interval is the plan's, of which BlueZ hears nothing.
    Connect(Address, Duration),
    /// It is connected: its object, and the characteristic of its frames.
    Standing(String, Characteristic),
}

/// A central that calls, with BlueZ as its host.
pub struct Calls<B> {
    finder: Finder<B>,
    central: Central<Job, Noted>,
    stage: Stage,
    ready: bool,
}

impl<B: Bus> Calls<B> {
    /// The calls of `job` to whoever has the name of the scenario, on `bus`, by the adapter with this address or the one that is powered.
    pub fn new(bus: B, adapter: Option<String>, config: &CallingConfig, job: Job, secrets: Noted) -> Self {
        let machine = config.central(&job);
        let wanted = Wanted {
            adapter,
            name: config.scenario.connection.name.clone(),
            within: machine.set_up.scan_timeout,
            part: Part::Frames,
        };
        let central = Central::new(granted(machine), job, secrets);
        Self { finder: Finder::new(bus, wanted), central, stage: Stage::Idle, ready: false }
    }

    /// The machine that calls.
    pub fn central(&self) -> &Central<Job, Noted> {
        &self.central
    }

    /// Time now, from its begin.
    pub fn now(&self) -> Instant {
        self.finder.bus().now()
    }

    /// Goes on for `time`, until the calls are over, or until somebody asks to stop.
    ///
    /// # Errors
    /// Why there is no connection.
    pub fn run(&mut self, time: Duration) -> Result<(), BluezError> {
        let end = self.now() + time.min(TIME_MAX);
        if !std::mem::replace(&mut self.ready, true) {
            self.tell(Event::Ready);
        }
        loop {
            self.carry_out()?;
            let now = self.now();
            if now >= end || self.central.is_over() || self.finder.bus().is_stopped() {
                return Ok(());
            }
            let due = self.central.deadline();
            if due.is_some_and(|due| due <= now) {
                self.tell(Event::Wake);
            } else {
                self.wait(due.map_or(end, |due| due.min(end)).saturating_since(now))?;
            }
        }
    }

    /// Ends the connection, for nothing more is to be called.
    pub fn hang_up(&mut self) {
        self.finder.hang_up();
    }

    fn tell(&mut self, event: Event) {
        let now = self.now();
        self.central.handle(now, event);
    }

    /// Carries out what the machine commands, until it has no more to say.
    fn carry_out(&mut self) -> Result<(), BluezError> {
        loop {
            let now = self.now();
            let Some(command) = self.central.poll(now) else { return Ok(()) };
            match command {
                Command::Scan { .. } => {
                    self.finder.begin_again();
                    self.stage = Stage::Search;
                }
                Command::Connect { peer, interval, .. } => self.stage = Stage::Connect(peer, interval),
                Command::Disconnect { .. } => {
                    self.finder.hang_up();
                    self.end(BY_LOCAL_HOST);
                }
                Command::ExchangeMtu { conn } => {
                    if let Stage::Standing(_, Characteristic { att_mtu: mtu, .. }) = self.stage {
                        self.tell(Event::MtuExchanged { conn, mtu });
                    }
                }
                // The search has ended with the characteristic, or with an error.
                Command::Discover { conn } => self.tell(Event::Discovered { conn, psm: None, stream: true }),
                Command::Subscribe { conn } => {
                    self.told("StartNotify", Arguments::None, Event::Subscribed { conn })?;
                }
                Command::Send { conn, channel, len } => {
                    let mut frame = [0; FRAME_MAX];
                    let frame = &mut frame[..usize::from(len).min(FRAME_MAX)];
                    self.central.fill(frame);
                    let write = Arguments::Write(frame, Written::Command);
                    self.told("WriteValue", write, Event::Sent { conn, channel })?;
                }
                // Of interval, PHY and data length nobody asks BlueZ: `granted` leaves them out.
                _ => {}
            }
        }
    }

    /// The board is connected, and the characteristic of its frames is known.
    fn connected(&mut self, board: Board, peer: Address, interval: Duration) -> Result<(), BluezError> {
        let frames = board.values.unwrap_or_default();
        // Values may come before the answer to whoever asks for them.
        self.finder.bus_mut().watch(&board.object)?;
        self.finder.bus_mut().watch(&frames.object)?;
        self.stage = Stage::Standing(board.object, frames);
        self.tell(Event::Connected { conn: CONN, peer, interval });
        Ok(())
    }

    /// Has BlueZ carry out a method of the frames' characteristic, and tells `done`; where the connection has gone, that is told.
    fn told(&mut self, method: &str, arguments: Arguments<'_>, done: Event) -> Result<(), BluezError> {
        let Stage::Standing(_, frames) = &self.stage else { return Ok(()) };
        let call = Call { path: &frames.object, interface: CHARACTERISTIC, method, arguments };
        let answer = self.finder.bus_mut().call(&call);
        // An object that is not there any more went with its connection.
        let gone = matches!(&answer, Err(BusError::Refused { name, .. }) if name.ends_with(".UnknownObject"));
        match answer.map_err(|error| of_value(error, self.finder.name())) {
            Ok(_) => self.tell(done),
            Err(error) if !gone && !matches!(error, BluezError::Gone(_)) => return Err(error),
            Err(_) => self.end(Reasons::CONNECTION_TIMEOUT),
        }
        Ok(())
    }

    fn end(&mut self, reason: u8) {
        if matches!(std::mem::replace(&mut self.stage, Stage::Idle), Stage::Standing(..)) {
            self.tell(Event::Disconnected { conn: CONN, reason });
        }
    }

    /// Waits for what comes within `time`.
    fn wait(&mut self, time: Duration) -> Result<(), BluezError> {
        match self.stage {
            Stage::Idle => self.finder.bus_mut().rest(time)?,
            Stage::Search => {
                if let Some(peer) = self.finder.hear(time)? {
                    self.stage = Stage::Idle;
                    self.tell(Event::Found { peer });
                }
            }
            Stage::Connect(peer, interval) => {
                if let Some(board) = self.finder.run(time)? {
                    self.connected(board, peer, interval)?;
                }
            }
            Stage::Standing(..) => {
                if let Some(change) = self.finder.bus_mut().change(time)? {
                    self.changed(&change);
                }
            }
        }
        Ok(())
    }

    fn changed(&mut self, change: &Change) {
        let Stage::Standing(board, frames) = &self.stage else { return };
        if change.path == *board && change.properties.of("Connected") == Some(&Value::Flag(false)) {
            self.finder.begin_again();
            self.end(Reasons::CONNECTION_TIMEOUT);
        } else if change.path == frames.object
            && let Some(octets) = change.properties.of("Value").and_then(Value::octets)
        {
            let now = self.now();
            self.central.receive(now, CONN, ATT_CHANNEL, &octets);
        }
    }
}

/// The same machine, which asks for nothing that BlueZ lets no program ask for: Linux has chosen interval, PHY and data length.
fn granted(mut config: CentralConfig) -> CentralConfig {
    let set_up = &mut config.set_up;
    (set_up.phy, set_up.data_octets) = (Phy::Le1M, 27);
    (set_up.interval.request, set_up.frame_space, set_up.encrypted) = (None, None, false);
    config
}
