//! Client and server with a pipe between them: every frame takes the same time, and few are under way.

use std::collections::VecDeque;

use airtime_core::{Duration, Instant};
use airtime_rpc::Service;
use airtime_rpc::client::{Client, ClientConfig, Encryption, Mode};
use airtime_rpc::crypto::{ClientSecrets, Pin, ServerSecrets};
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::suite::{Report, Script};

pub const BUFFER: usize = 16_384;

/// How long a frame is under way.
pub const DELAY: Duration = Duration::from_millis(10);

/// Frames that are under way at most, each way.
pub const FRAMES: usize = 6;

/// More than any of these scripts takes.
const LONGEST: Duration = Duration::from_secs(3_600);

pub struct Setting {
    pub mode: Mode,
    pub sealed: bool,
    /// Longest frame in octets.
    pub frame: u16,
    /// The connection is lost at this time, once, and there again at once.
    pub lost_at: Option<Instant>,
}

impl Setting {
    pub fn compatible() -> Self {
        Self { mode: Mode::Compatible, sealed: false, frame: 244, lost_at: None }
    }

    pub fn extended() -> Self {
        Self { mode: Mode::Extended, ..Self::compatible() }
    }
}

/// One direction: when each frame arrives.
#[derive(Default)]
struct Lane(VecDeque<(Instant, Vec<u8>)>);

impl Lane {
    fn fill(&mut self, now: Instant, mut transmit: impl FnMut(&mut [u8]) -> Option<usize>) {
        let mut frame = [0; 1_024];
        while self.0.len() < FRAMES {
            let Some(len) = transmit(&mut frame) else { break };
            self.0.push_back((now + DELAY, frame[..len].to_vec()));
        }
    }

    fn due(&self) -> Option<Instant> {
        self.0.front().map(|(at, _)| *at)
    }

    fn take(&mut self, now: Instant) -> Option<Vec<u8>> {
        if self.due()? > now {
            return None;
        }
        self.0.pop_front().map(|(_, frame)| frame)
    }
}

/// Runs `script` to its end, or until nothing more happens; gives what it reported, each with its time.
pub fn run(setting: &Setting, script: &mut impl Script<BUFFER>, service: &mut impl Service) -> Vec<(Instant, Report)> {
    let mut ends = Ends::new(setting);
    let mut reports = Vec::new();
    let mut lost_at = setting.lost_at;
    ends.connect(Instant::ZERO);
    let mut now = Instant::ZERO;
    loop {
        script.advance(now, &mut ends.client);
        reports.extend(std::iter::from_fn(|| script.poll()).map(|report| (now, report)));
        ends.up.fill(now, |frame| ends.client.transmit(now, frame, script));
        ends.down.fill(now, |frame| ends.server.transmit(now, frame, service));
        let Some(next) = [ends.deadline(), lost_at].into_iter().flatten().min() else { return reports };
        if script.is_over() {
            return reports;
        }
        now = now.max(next);
        assert!(now < Instant::ZERO + LONGEST, "it does not end: {:?}", ends.client.state());
        if lost_at.is_some_and(|at| at <= now) {
            lost_at = None;
            ends.client.disconnected(now, script);
            ends.server.disconnected(now, service);
            ends.connect(now);
        } else {
            ends.step(now, script, service);
        }
    }
}

struct Ends {
    frame: u16,
    client: Box<Client<BUFFER>>,
    server: Box<Server<BUFFER>>,
    up: Lane,
    down: Lane,
    /// Secrets are used once.
    connections: u8,
}

impl Ends {
    fn new(setting: &Setting) -> Self {
        let encryption = if setting.sealed { Encryption::Required(Pin::FirstUse) } else { Encryption::Off };
        let client = ClientConfig { mode: setting.mode, encryption, patience: Duration::from_secs(2), window: 16_384 };
        let server = ServerConfig {
            extended: true,
            encrypted: setting.sealed,
            timeout: Duration::from_millis(100),
            max_request: 12_288,
            max_response: u16::MAX,
            window: 16_384,
        };
        Self {
            frame: setting.frame,
            client: Box::new(Client::new(client)),
            server: Box::new(Server::new(server)),
            up: Lane::default(),
            down: Lane::default(),
            connections: 0,
        }
    }

    fn connect(&mut self, now: Instant) {
        self.connections += 1;
        let (up, down) = (self.connections, 100 + self.connections);
        self.client.connected(now, self.frame, ClientSecrets { ephemeral: [up; 32], nonce: [up; 12] });
        let secrets = ServerSecrets { identity: [7; 32], ephemeral: [down; 32], nonce: [down; 12] };
        self.server.connected(now, self.frame, secrets);
        self.up.0.clear();
        self.down.0.clear();
    }

    fn deadline(&self) -> Option<Instant> {
        [self.up.due(), self.down.due(), self.client.deadline(), self.server.deadline()].into_iter().flatten().min()
    }

    /// Does one thing that is due.
    fn step(&mut self, now: Instant, script: &mut impl Script<BUFFER>, service: &mut impl Service) {
        if let Some(frame) = self.up.take(now) {
            self.server.receive(now, &frame, service);
        } else if let Some(frame) = self.down.take(now) {
            self.client.receive(now, &frame, script);
        } else if self.client.deadline().is_some_and(|at| at <= now) {
            self.client.wake(now, script);
        } else {
            self.server.wake(now, service);
        }
    }
}
