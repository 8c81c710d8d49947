//! A device above HCI: one host and an application on it, as one node.

mod activities;
mod application;
mod either;
#[cfg(not(target_family = "wasm"))]
mod executed;
#[cfg(not(target_family = "wasm"))]
mod foreign;
mod negotiated;
mod output;
mod overheard;
mod rpc;
mod script;
mod secrets;
mod translate;
mod user;

use std::collections::VecDeque;

pub use airtime_app::Unit;
use airtime_app::{ATT_CHANNEL, Command, Wait};
use airtime_ble::hci::Status;
use airtime_ble::host::{ConnHandle, Host, HostEvent, HostInput, HostOutput, Refused, Request, Starved, SubrateTerms};
use airtime_core::random::Stream;
use airtime_core::{Instant, Packet};

pub use activities::Activities;
pub use application::Application;
pub use either::EitherStation;
#[cfg(not(target_family = "wasm"))]
pub use executed::Executed;
#[cfg(not(target_family = "wasm"))]
pub use foreign::{Foreign, Linked};
pub use negotiated::{ChannelTerms, Negotiated};
pub use output::StationOutput;
pub use overheard::Overheard;
pub use rpc::{CalledStation, CallingStation};
pub use script::AnyScript;
pub use secrets::SeededSecrets;
pub use user::HostUser;

/// More commands than any semaphore lets an application give at one instant: four connections with
/// four channels of 255 places each. An application or a host that exceeds it runs in circles.
const COMMANDS_MAX: u32 = 10_000;

/// One host with one application: that of the throughput test, or an end of remote calls.
#[derive(Debug)]
pub struct Station<A = Application> {
    host: Host,
    application: A,
    /// The application was told something and not yet polled to the end.
    told: bool,
    /// Commands carried since the last mutation.
    commands: u32,
    /// Events and outputs of the host while it was drained; the application hears them afterwards.
    heard: VecDeque<Heard>,
    outputs: VecDeque<StationOutput>,
    links: Vec<LinkState>,
    /// The SDU being made.
    sdu: Vec<u8>,
    refused: u64,
    beside: Activities,
    /// A stream has started, and what goes on beside it has not.
    starts_beside: bool,
    /// Set if the application heeds what a call of its host returns: it does nothing before, and gives a value that was refused again.
    heeds: bool,
    /// Subrating to ask for on each connection, as soon as it streams and whenever its interval changes.
    subrate: Option<SubrateTerms>,
    /// Connections that are to be asked.
    to_subrate: Vec<ConnHandle>,
}

/// Word from the host: an event, or octets.
#[derive(Debug)]
enum Heard {
    Event(HostEvent),
    Octets { conn: ConnHandle, channel: u16, octets: Packet },
}

/// State of one connection, as a station remembers it.
#[derive(Clone, Debug, Default)]
struct LinkState {
    negotiated: Negotiated,
    started: bool,
    ended: bool,
    /// Units that were given whole on this connection, and their octets.
    taken: (u64, u64),
}

impl<A: HostUser> Station<A> {
    /// `application` on `host`.
    pub fn new(host: Host, application: A) -> Self {
        let links = vec![LinkState::default(); application.links()];
        Self {
            host,
            application,
            told: false,
            commands: 0,
            heard: VecDeque::new(),
            outputs: VecDeque::new(),
            links,
            sdu: Vec::new(),
            refused: 0,
            beside: Activities::default(),
            starts_beside: false,
            heeds: false,
            subrate: None,
            to_subrate: Vec::new(),
        }
    }

    /// This station with a subrating that it asks for.
    #[must_use]
    pub fn subrating(self, subrate: Option<SubrateTerms>) -> Self {
        Self { subrate, ..self }
    }

    /// This station with an application that is told what its host refused, and gives it again.
    #[must_use]
    pub fn heeding(self, heeds: bool) -> Self {
        Self { heeds, ..self }
    }

    /// This station with activities of its device beside its links.
    #[must_use]
    pub fn with(self, beside: Activities) -> Self {
        Self { beside, ..self }
    }

    /// Bottleneck that keeps the host from giving the controller the next packet of `conn`.
    ///
    /// Of an application that waits for something, the host is the cause where it has news that it has not taken in: they
    /// may be what is waited for.
    pub fn starved(&self, conn: ConnHandle) -> Starved {
        let (starved, wait) = (self.host.starved(conn), self.application.wait(conn));
        match (starved, wait) {
            (Starved::Application, Wait::Sleep) => Starved::Sleep,
            // It would answer if it were done, whatever news there are.
            (Starved::Application, Wait::Busy) => Starved::Busy,
            (Starved::Application, _) if self.host.is_late() => Starved::LateHost,
            (Starved::Application, Wait::InFlight) if self.host.awaits_answer(conn) => Starved::Response,
            (Starved::Application, Wait::InFlight) => Starved::InFlight,
            (Starved::Application, Wait::Answer) => Starved::Answer,
            (Starved::Application, Wait::Request) => Starved::Response,
            _ => starved,
        }
    }

    /// Draws what the host's latency varies by from `chance`.
    pub fn draw_from(&mut self, chance: Stream) {
        self.host.draw_from(chance);
    }

    /// The host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The application, with its counters.
    pub fn application(&self) -> &A {
        &self.application
    }

    /// The application, to tell it something or to take its finished seconds. It is polled when the station is.
    pub fn application_mut(&mut self) -> &mut A {
        self.told = true;
        &mut self.application
    }

    /// Parameters negotiated on link number `link`, as this end sees them. Links count from zero in the order of the
    /// central's peripherals; a peripheral has link 0 only.
    pub fn negotiated(&self, link: usize) -> Option<&Negotiated> {
        self.links.get(link).map(|state| &state.negotiated)
    }

    /// Octets that were given whole on the connection of link number `link`.
    pub fn taken(&self, link: usize) -> Option<u64> {
        self.links.get(link).map(|state| state.taken.1)
    }

    /// Reasons of the disconnections seen, oldest first, as the error codes they came as.
    pub fn reasons(&self) -> airtime_app::Reasons {
        self.application.reasons()
    }

    /// Commands of the application that the host refused.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Tells the application what the host said, and the record what is worth keeping.
    fn hear(&mut self, now: Instant, event: HostEvent) {
        match &event {
            HostEvent::Received { conn, channel, sdu } => {
                let sequence = airtime_app::payload::sequence(sdu.len, sdu.head);
                self.delivered(*conn, *channel, sdu.len, sequence);
                self.tell(now, &event);
            }
            HostEvent::Sent { .. } => self.tell(now, &event),
            _ => {
                self.tell(now, &event);
                self.observe(&event);
                self.outputs.push_back(StationOutput::Host(event));
            }
        }
    }

    /// Gives the application what has arrived whole. Such units carry no number: they are counted.
    fn take(&mut self, now: Instant, conn: ConnHandle, channel: u16, octets: &[u8]) {
        let link = self.application.index(conn).and_then(|link| self.links.get_mut(link));
        if let (Some(state), Ok(len)) = (link, u16::try_from(octets.len())) {
            let sequence = state.taken.0;
            state.taken = (sequence + 1, state.taken.1 + u64::from(len));
            self.delivered(conn, channel, len, sequence);
        }
        self.application.receive(now, conn, channel, octets);
        self.told = true;
    }

    fn delivered(&mut self, conn: ConnHandle, channel: u16, octets: u16, sequence: u64) {
        if let Some(unit) = self.unit(conn, channel, octets, sequence) {
            self.begin(unit.link, conn);
            self.outputs.push_back(StationOutput::Delivered(unit));
        }
    }

    fn tell(&mut self, now: Instant, event: &HostEvent) {
        if let Some(event) = translate::event(event) {
            self.application.handle(now, event);
            self.told = true;
        }
    }

    fn observe(&mut self, event: &HostEvent) {
        let link = negotiated::conn(event).and_then(|conn| self.application.index(conn));
        if let Some(state) = link.and_then(|link| self.links.get_mut(link)) {
            if matches!(event, HostEvent::Connected { .. }) {
                *state = LinkState::default();
            }
            negotiated::note(&mut state.negotiated, event);
            // Another interval ends a subrating.
            if let HostEvent::IntervalUpdated { conn, status: Status::SUCCESS, .. } = *event
                && state.started
            {
                self.to_subrate.extend(self.subrate.map(|_| conn));
            }
        }
    }

    /// Carries a command of the application to the host.
    fn carry(&mut self, now: Instant, command: Command) {
        self.commands += 1;
        assert!(self.commands <= COMMANDS_MAX, "the application and its host keep each other busy for ever");
        match command {
            Command::Send { conn, channel, len } => self.send(now, conn, channel, len),
            _ => {
                let refused = translate::with_request(&command, |request| self.host.request(now, request).is_err());
                self.refused += u64::from(refused == Some(true));
            }
        }
    }

    fn send(&mut self, now: Instant, conn: ConnHandle, channel: u16, len: u16) {
        self.sdu.resize(usize::from(len), 0);
        self.application.fill(&mut self.sdu);
        let sdu = self.sdu.as_slice();
        let request = match channel {
            ATT_CHANNEL => Request::SendValue { conn, value: sdu },
            _ => Request::SendSdu { conn, channel, sdu },
        };
        let output: fn(Unit) -> StationOutput = match self.host.request(now, request) {
            Ok(()) => StationOutput::Submitted,
            Err(Refused::Full) if self.heeds => {
                self.application.handle(now, airtime_app::Event::Refused { conn, channel });
                return;
            }
            Err(Refused::Full) => StationOutput::Dropped,
            Err(_) => {
                self.refused += 1;
                return;
            }
        };
        if let Some(unit) = self.unit(conn, channel, len, self.application.sequence()) {
            self.begin(unit.link, conn);
            self.outputs.push_back(output(unit));
        }
    }

    /// True while an application that heeds what its calls return waits for one of them to return.
    fn is_in_call(&self) -> bool {
        self.heeds && self.host.is_making()
    }

    fn unit(&self, conn: ConnHandle, channel: u16, octets: u16, sequence: u64) -> Option<Unit> {
        let link = self.application.index(conn)?;
        let lane = self.application.lane(link, channel)?;
        Some(Unit { link, lane, conn, channel, octets, sequence })
    }

    /// Says once per connection that its stream has started.
    fn begin(&mut self, link: usize, conn: ConnHandle) {
        if let Some(state) = self.links.get_mut(link)
            && !state.started
            && self.application.has_begun(link)
        {
            state.started = true;
            self.starts_beside = true;
            self.to_subrate.extend(self.subrate.map(|_| conn));
            self.outputs.push_back(StationOutput::StreamStarted { link, conn });
        }
    }

    /// Passes on what the application reports, and that calls can begin.
    fn note_reports(&mut self) {
        while let Some(report) = self.application.report() {
            self.outputs.push_back(StationOutput::Rpc(report));
        }
        if let Some(conn) = self.application.called() {
            self.begin(0, conn);
        }
    }

    /// Says once per link how the test with it ended.
    fn note_ends(&mut self) {
        for (link, state) in self.links.iter_mut().enumerate().filter(|(_, state)| !state.ended) {
            if let Some(outcome) = self.application.outcome(link) {
                state.ended = true;
                self.outputs.push_back(StationOutput::Ended { link, outcome });
            }
        }
    }
}

impl<A: HostUser> Station<A> {
    /// One mutation at `now`, which never runs backwards.
    pub fn handle(&mut self, now: Instant, input: HostInput<'_>) {
        self.commands = 0;
        match input {
            HostInput::Wake => {
                if self.host.deadline().is_some_and(|due| due <= now) {
                    self.host.handle(now, HostInput::Wake);
                }
                if self.application.deadline().is_some_and(|due| due <= now) {
                    self.application.handle(now, airtime_app::Event::Wake);
                    self.told = true;
                }
            }
            hci => self.host.handle(now, hci),
        }
    }

    /// The next output of the last mutation; drained to none.
    pub fn poll(&mut self, now: Instant) -> Option<StationOutput> {
        loop {
            if let Some(output) = self.outputs.pop_front() {
                return Some(output);
            }
            if std::mem::take(&mut self.starts_beside) {
                self.refused += std::mem::take(&mut self.beside).start(&mut self.host, now);
            }
            if let Some((conn, subrate)) = self.to_subrate.pop().zip(self.subrate) {
                let refused = self.host.request(now, Request::Subrate { conn, subrate }).is_err();
                self.refused += u64::from(refused);
            }
            // Either machine is drained before it is told the next thing.
            match self.host.poll(now) {
                Some(HostOutput::Hci(packet)) => return Some(StationOutput::Hci(packet)),
                Some(HostOutput::Event(event)) => {
                    self.heard.push_back(Heard::Event(event));
                    continue;
                }
                Some(HostOutput::Octets { conn, channel, octets }) => {
                    self.heard.push_back(Heard::Octets { conn, channel, octets });
                    continue;
                }
                None => {}
            }
            if self.told && !self.is_in_call() && (self.heard.is_empty() || !self.application.hears_first()) {
                match self.application.poll(now) {
                    Some(command) => self.carry(now, command),
                    None => {
                        self.told = false;
                        self.note_ends();
                    }
                }
                self.note_reports();
                continue;
            }
            match self.heard.pop_front()? {
                Heard::Event(event) => self.hear(now, event),
                Heard::Octets { conn, channel, octets } => self.take(now, conn, channel, &octets),
            }
        }
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        let application = self.application.deadline().filter(|_| !self.is_in_call());
        self.host.deadline().into_iter().chain(application).min()
    }
}
