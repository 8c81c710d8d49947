//! The calling end: connects, then lets a script call.

use airtime_core::Instant;
use airtime_rpc::CALLS_MAX;
use airtime_rpc::client::{Client, ClientConfig, SetupError, State};
use airtime_rpc::suite::{Report, Script};

use super::carrier::Carrier;
use super::witness::Witness;
use super::{BUFFER, FrameConfig, Secrets};
use crate::{Command, Event, Link, Outcome, Reasons, Wait};

/// A central that calls.
#[derive(Clone, Copy, Debug)]
pub struct CentralConfig {
    /// Set-up of the connection. Of the stream only the transport counts, and there is one peripheral.
    pub set_up: crate::CentralConfig,
    /// Configuration of the RPC client.
    pub client: ClientConfig,
    /// Transport of the frames.
    pub frames: FrameConfig,
    /// Number of times that it connects again when a connection was lost before its script was over.
    pub reconnects: u16,
}

/// The central of remote calls; `S` is what it calls.
#[derive(Debug)]
pub struct Central<S, R, const OCTETS: usize = BUFFER> {
    config: CentralConfig,
    below: crate::Central,
    client: Client<OCTETS>,
    script: S,
    secrets: R,
    carrier: Carrier,
    /// Set if something happened since the script was advanced.
    changed: bool,
    /// A command of this machine itself: to end a connection that is of no more use.
    hangs_up: bool,
    failed: Option<SetupError>,
    /// Set once calls could have begun on any connection.
    stood: bool,
    reconnected: u16,
    gives_up: bool,
    outcome: Option<Outcome>,
    reasons: Reasons,
}

impl<S: Script<OCTETS>, R: Secrets, const OCTETS: usize> Central<S, R, OCTETS> {
    /// A central that begins with [`Event::Ready`].
    pub fn new(config: CentralConfig, script: S, secrets: R) -> Self {
        let set_up = crate::CentralConfig { peripherals: 1, ..config.set_up };
        let config = CentralConfig { set_up, ..config };
        Self {
            below: crate::Central::new(set_up),
            client: Client::new(config.client),
            carrier: Carrier::new(config.frames),
            config,
            script,
            secrets,
            changed: false,
            hangs_up: false,
            failed: None,
            stood: false,
            reconnected: 0,
            gives_up: false,
            outcome: None,
            reasons: Reasons::default(),
        }
    }

    /// Takes one event; the machine is then to be polled until it has no more to say.
    pub fn handle(&mut self, now: Instant, event: Event) {
        self.below.handle(now, event);
        self.carrier.note(&event);
        self.changed = true;
        match event {
            Event::Connected { conn, peer, .. } if self.below.index(conn).is_some() => {
                self.carrier.begin(conn, peer);
                self.hangs_up = self.gives_up;
            }
            Event::Disconnected { conn, reason } => {
                self.reasons.push(reason);
                if self.carrier.link().is_some_and(|(own, _)| own == conn) {
                    self.gone(now);
                }
            }
            Event::Wake if self.client.deadline().is_some_and(|due| due <= now) => {
                self.client.wake(now, &mut self.script);
            }
            _ => {}
        }
    }

    /// Takes a whole SDU or value that has arrived.
    pub fn receive(&mut self, now: Instant, conn: u16, channel: u16, octets: &[u8]) {
        if self.carrier.carries(conn, channel) {
            self.client.receive(now, octets, &mut self.script);
            self.changed = true;
        }
    }

    /// The next command, until there is none. Before it is asked, everything that happened at this instant should have been
    /// told: calls that begin together share frames.
    pub fn poll(&mut self, now: Instant) -> Option<Command> {
        if let Some(command) = self.below.poll(now).or_else(|| self.hang_up_now()) {
            return Some(command);
        }
        if self.carrier.channel().is_none() && self.below.is_streaming(0) {
            self.connect(now);
        }
        // Calls that end as they begin, one after the other, must not stop the clock.
        for _ in 0..=CALLS_MAX {
            if core::mem::take(&mut self.changed) {
                self.script.advance(now, &mut self.client);
                if let Some(command) = self.judge(now) {
                    return Some(command);
                }
            }
            let (client, mut witness) = (&mut self.client, Witness { caller: &mut self.script, ended: false });
            let command = self.carrier.send(|into| client.transmit(now, into, &mut witness));
            // A call may end as it is asked for octets: the script can begin another then.
            self.changed = witness.ended;
            if command.is_some() || !self.changed {
                return command;
            }
        }
        None
    }

    /// Instant at which it wants [`Event::Wake`].
    pub fn deadline(&self) -> Option<Instant> {
        let client = self.carrier.channel().and_then(|_| self.client.deadline());
        self.below.deadline().into_iter().chain(client).chain(self.script.deadline()).min()
    }

    /// Reason that it gives its host no more frames.
    pub fn wait(&self) -> Wait {
        match (self.carrier.is_full(), self.client.is_calling()) {
            (true, _) => Wait::InFlight,
            (false, true) => Wait::Answer,
            (false, false) => Wait::Idle,
        }
    }

    /// Writes the frame that the last [`Command::Send`] asked for.
    pub fn fill(&self, frame: &mut [u8]) {
        self.carrier.fill(frame);
    }

    /// The number of the frame that the last [`Command::Send`] asked for, from zero on each connection.
    pub fn sequence(&self) -> u64 {
        self.carrier.sequence()
    }

    /// The next thing that the script reports, until there is none.
    pub fn report(&mut self) -> Option<Report> {
        self.script.poll()
    }

    /// Ends the connection, and connects no more.
    pub fn hang_up(&mut self) {
        self.gives_up = true;
        self.hangs_up = self.carrier.link().is_some();
    }

    /// The script.
    pub fn script(&self) -> &S {
        &self.script
    }

    /// The script, to tell it something; wake the machine afterwards.
    pub fn script_mut(&mut self) -> &mut S {
        &mut self.script
    }

    /// The client.
    pub fn client(&self) -> &Client<OCTETS> {
        &self.client
    }

    /// The channel that frames travel on, once that is settled.
    pub fn channel(&self) -> Option<u16> {
        self.carrier.channel()
    }

    /// The connection, or the last one there was.
    pub fn link(&self) -> Option<&Link> {
        self.below.link(0)
    }

    /// Outcome, if it ended before the script was over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// True once nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some() || self.script.is_over()
    }

    /// Number of times that it has connected again.
    pub fn reconnected(&self) -> u16 {
        self.reconnected
    }

    /// Reasons with which connections ended.
    pub fn reasons(&self) -> Reasons {
        self.reasons
    }

    /// The transport stands.
    fn connect(&mut self, now: Instant) {
        let Some((_, peer)) = self.carrier.link() else { return };
        let Some(frame) = self.carrier.settle(self.config.set_up.stream.transport) else { return };
        self.stood = true;
        self.client.connected(now, frame, self.secrets.client(peer));
        self.changed = true;
    }

    /// The connection is gone.
    fn gone(&mut self, now: Instant) {
        if self.carrier.channel().is_some() {
            self.client.disconnected(now, &mut self.script);
        }
        self.carrier.end();
        self.hangs_up = false;
    }

    fn hang_up_now(&mut self) -> Option<Command> {
        let (conn, _) = self.carrier.link()?;
        core::mem::take(&mut self.hangs_up).then_some(Command::Disconnect { conn })
    }

    /// Judges the states of client and connection: an end of either may be one of the whole, or a new beginning.
    fn judge(&mut self, now: Instant) -> Option<Command> {
        if let State::Failed(error) = self.client.state()
            && self.carrier.link().is_some()
            && self.failed.is_none()
        {
            self.failed = Some(error);
            self.hangs_up = true;
            return self.hang_up_now();
        }
        if self.carrier.link().is_none() && self.below.is_over() && self.outcome.is_none() {
            self.ended(now);
            return self.below.poll(now);
        }
        None
    }

    fn ended(&mut self, now: Instant) {
        let failed = self.failed.take().map(|error| Outcome::NoCalls { error });
        let Some(outcome) = failed.or(self.below.outcome(0)) else { return };
        let may_pass = match outcome {
            Outcome::NoCalls { error } => error == SetupError::Timeout,
            Outcome::NoService | Outcome::ChannelRefused { .. } => false,
            _ => true,
        };
        if may_pass
            && self.stood
            && !self.gives_up
            && !self.script.is_over()
            && self.reconnected < self.config.reconnects
        {
            self.reconnected += 1;
            self.below = crate::Central::new(self.config.set_up);
            self.below.handle(now, Event::Ready);
        } else {
            self.outcome = Some(outcome);
        }
    }
}
