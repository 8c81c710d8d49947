//! Remote calls through the system's Bluetooth: the machine of `app`, whose commands the system carries out in the place of a host. Frames are
//! values, written with commands and notified.

use airtime_app::rpc::{Central, CentralConfig, FRAME_MAX};
use airtime_app::{ATT_CHANNEL, Address, Command, Event, Phy, Reasons};
use airtime_core::{Duration, Instant};
use airtime_system::clock::TIME_MAX;

use super::{News, Part, SystemHost, Unanswered, Wanted, Written};
use crate::rpc::{CallingConfig, Job, secrets::Noted};

/// Handle of the connection, of which there is one at a time.
const CONN: u16 = 0;

/// Error code: connection terminated by local host. Core 6.0, Vol 1, Part F, 2.21.
const BY_LOCAL_HOST: u8 = 0x16;

/// Stage of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// There is none, and none is made.
    Idle,
    /// The board is looked for.
    Search,
    /// It was heard, and is connected to; the interval is the plan's, of which the system hears nothing.
    Connect(Address, Duration),
    /// It is connected, with this ATT MTU.
    Standing(u16),
}

/// A central that calls, with the system's Bluetooth as its host.
pub struct Calls<H> {
    host: H,
    central: Central<Job, Noted>,
    stage: Stage,
    ready: bool,
}

/// Board that the calls of `config` are for: its frames, by the adapter with this address or the one that is powered.
pub fn called(config: &CallingConfig, job: &Job, adapter: Option<String>) -> Wanted {
    Wanted {
        adapter,
        name: config.scenario.connection.name.clone(),
        within: config.central(job).set_up.scan_timeout,
        part: Part::Frames,
    }
}

impl<H: SystemHost> Calls<H> {
    /// The calls of `job` to the board that `host` is to find, which is [`called`].
    pub fn new(host: H, config: &CallingConfig, job: Job, secrets: Noted) -> Self {
        let central = Central::new(granted(config.central(&job)), job, secrets);
        Self { host, central, stage: Stage::Idle, ready: false }
    }

    /// The machine that calls.
    pub fn central(&self) -> &Central<Job, Noted> {
        &self.central
    }

    /// Time now, from its begin.
    pub fn now(&self) -> Instant {
        self.host.now()
    }

    /// Goes on for `time`, until the calls are over, or until somebody asks to stop.
    ///
    /// # Errors
    /// Why there is no connection.
    pub fn run(&mut self, time: Duration) -> Result<(), H::Error> {
        let end = self.now() + time.min(TIME_MAX);
        if !std::mem::replace(&mut self.ready, true) {
            self.tell(Event::Ready);
        }
        loop {
            self.carry_out()?;
            let now = self.now();
            if now >= end || self.central.is_over() || self.host.is_stopped() {
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
        self.host.hang_up();
    }

    fn tell(&mut self, event: Event) {
        let now = self.now();
        self.central.handle(now, event);
    }

    /// Carries out what the machine commands, until it has no more to say.
    fn carry_out(&mut self) -> Result<(), H::Error> {
        loop {
            let now = self.now();
            let Some(command) = self.central.poll(now) else { return Ok(()) };
            match command {
                Command::Scan { .. } => {
                    self.host.begin_again();
                    self.stage = Stage::Search;
                }
                Command::Connect { peer, interval, .. } => self.stage = Stage::Connect(peer, interval),
                Command::Disconnect { .. } => {
                    self.host.hang_up();
                    self.end(BY_LOCAL_HOST);
                }
                Command::ExchangeMtu { conn } => {
                    if let Stage::Standing(mtu) = self.stage {
                        self.tell(Event::MtuExchanged { conn, mtu });
                    }
                }
                // The search has ended with the characteristic, or with an error.
                Command::Discover { conn } => self.tell(Event::Discovered { conn, psm: None, stream: true }),
                Command::Subscribe { conn } => self.told(H::subscribe, Event::Subscribed { conn })?,
                Command::Send { conn, channel, len } => {
                    let mut frame = [0; FRAME_MAX];
                    let frame = &mut frame[..usize::from(len).min(FRAME_MAX)];
                    self.central.fill(frame);
                    self.told(|host| host.write(frame, Written::Command), Event::Sent { conn, channel })?;
                }
                // Of interval, PHY and data length nobody asks the system: `granted` leaves them out.
                _ => {}
            }
        }
    }

    /// Has the host `ask` a board that is connected, and tells `done`; where the connection has gone, that is told.
    fn told(
        &mut self,
        ask: impl FnOnce(&mut H) -> Result<(), Unanswered<H::Error>>,
        done: Event,
    ) -> Result<(), H::Error> {
        if !matches!(self.stage, Stage::Standing(_)) {
            return Ok(());
        }
        match ask(&mut self.host) {
            Ok(()) => self.tell(done),
            Err(Unanswered::Gone) => self.end(Reasons::CONNECTION_TIMEOUT),
            Err(Unanswered::Error(error)) => return Err(error),
        }
        Ok(())
    }

    fn end(&mut self, reason: u8) {
        if matches!(std::mem::replace(&mut self.stage, Stage::Idle), Stage::Standing(_)) {
            self.tell(Event::Disconnected { conn: CONN, reason });
        }
    }

    /// Waits for what comes within `time`.
    fn wait(&mut self, time: Duration) -> Result<(), H::Error> {
        match self.stage {
            Stage::Idle => self.host.rest(time)?,
            Stage::Search => {
                if let Some(peer) = self.host.hear(time)? {
                    self.stage = Stage::Idle;
                    self.tell(Event::Found { peer });
                }
            }
            Stage::Connect(peer, interval) => {
                if let Some(att_mtu) = self.host.connect(time)? {
                    self.stage = Stage::Standing(att_mtu);
                    self.tell(Event::Connected { conn: CONN, peer, interval });
                }
            }
            Stage::Standing(_) => match self.host.news(time)? {
                None => {}
                Some(News::Value(octets)) => {
                    let now = self.now();
                    self.central.receive(now, CONN, ATT_CHANNEL, &octets);
                }
                Some(News::Gone) => {
                    self.host.begin_again();
                    self.end(Reasons::CONNECTION_TIMEOUT);
                }
            },
        }
        Ok(())
    }
}

/// The same machine, which asks for nothing that no program may ask the system for: it has chosen interval, PHY and data length.
fn granted(mut config: CentralConfig) -> CentralConfig {
    let set_up = &mut config.set_up;
    (set_up.phy, set_up.data_octets) = (Phy::Le1M, 27);
    (set_up.interval.request, set_up.frame_space, set_up.encrypted) = (None, None, false);
    config
}
