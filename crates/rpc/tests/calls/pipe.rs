//! Both ends, joined by memory: frames arrive when they were sent, in order, unless a test does something to them.

use std::collections::VecDeque;

use airtime_core::{Duration, Instant};
use airtime_rpc::client::{Client, ClientConfig, Encryption, Mode, State};
use airtime_rpc::crypto::{ClientSecrets, ServerSecrets};
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::service::{RamFlash, TestService};
use airtime_rpc::{CallId, Kind};

use super::caller::Book;

pub const BUFFER: usize = 16384;

/// An ATT value at an MTU of 247.
pub const FRAME: u16 = 244;

/// Longer than any that a test sets.
const FRAME_MAX: usize = 1024;

pub const PATIENCE: Duration = Duration::from_secs(2);

pub struct Pipe {
    pub now: Instant,
    /// Octets of the longest frame.
    pub frame: u16,
    pub client: Box<Client<BUFFER>>,
    pub server: Box<Server<BUFFER>>,
    pub service: TestService<RamFlash<65536>>,
    pub book: Book,
    /// On the way to the server, and to the client.
    pub up: VecDeque<Vec<u8>>,
    pub down: VecDeque<Vec<u8>>,
    /// All that was ever sent, each with whether it went to the server.
    pub log: Vec<(bool, Vec<u8>)>,
}

pub const CLIENT_SECRETS: ClientSecrets = ClientSecrets { ephemeral: [3; 32], nonce: [4; 12] };
pub const SERVER_SECRETS: ServerSecrets = ServerSecrets { identity: [5; 32], ephemeral: [6; 32], nonce: [7; 12] };

pub fn client_config() -> ClientConfig {
    ClientConfig { mode: Mode::Compatible, encryption: Encryption::Off, patience: PATIENCE, window: 16384 }
}

pub fn server_config() -> ServerConfig {
    ServerConfig {
        extended: true,
        encrypted: false,
        timeout: Duration::from_millis(100),
        max_request: 12288,
        max_response: 65535,
        window: 16384,
    }
}

impl Pipe {
    /// Both ends, connected, with nothing exchanged.
    pub fn connected(client: ClientConfig, server: ServerConfig) -> Self {
        let mut pipe = Self {
            now: Instant::ZERO,
            frame: FRAME,
            client: Box::new(Client::new(client)),
            server: Box::new(Server::new(server)),
            service: TestService::new(RamFlash::new()),
            book: Book::default(),
            up: VecDeque::new(),
            down: VecDeque::new(),
            log: Vec::new(),
        };
        pipe.connect();
        pipe
    }

    /// Both ends, ready for calls.
    pub fn ready(client: ClientConfig, server: ServerConfig) -> Self {
        let mut pipe = Self::connected(client, server);
        pipe.run();
        assert!(matches!(pipe.client.state(), State::Ready(_)), "{:?}", pipe.client.state());
        pipe.log.clear();
        pipe
    }

    /// Both ends in compatible mode without seals.
    pub fn plain() -> Self {
        Self::ready(client_config(), server_config())
    }

    pub fn connect(&mut self) {
        self.client.connected(self.now, self.frame, CLIENT_SECRETS);
        self.server.connected(self.now, self.frame, SERVER_SECRETS);
    }

    pub fn disconnect(&mut self) {
        self.up.clear();
        self.down.clear();
        self.client.disconnected(self.now, &mut self.book);
        self.server.disconnected(self.now, &mut self.service);
    }

    /// Begins a call with these request messages.
    pub fn start(&mut self, name: &str, kind: Kind, requests: &[Vec<u8>]) -> CallId {
        let call = self.client.start(self.now, name, kind).expect("there is room for a call");
        self.book.begin(call, requests);
        call
    }

    /// A call from begin to end; its responses.
    pub fn call(&mut self, name: &str, kind: Kind, requests: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let call = self.start(name, kind, requests);
        self.run();
        self.book.result(call).expect("the call went well")
    }

    /// What the client has to send.
    pub fn pull_client(&mut self) {
        let mut frame = [0; FRAME_MAX];
        while let Some(len) = self.client.transmit(self.now, &mut frame, &mut self.book) {
            self.log.push((true, frame[..len].to_vec()));
            self.up.push_back(frame[..len].to_vec());
        }
    }

    /// What the server has to send.
    pub fn pull_server(&mut self) {
        let mut frame = [0; FRAME_MAX];
        while let Some(len) = self.server.transmit(self.now, &mut frame, &mut self.service) {
            self.log.push((false, frame[..len].to_vec()));
            self.down.push_back(frame[..len].to_vec());
        }
    }

    pub fn give_server(&mut self, frame: &[u8]) {
        self.server.receive(self.now, frame, &mut self.service);
    }

    pub fn give_client(&mut self, frame: &[u8]) {
        self.client.receive(self.now, frame, &mut self.book);
    }

    /// Carries frames until none is on the way.
    pub fn run(&mut self) {
        loop {
            self.pull_client();
            while let Some(frame) = self.up.pop_front() {
                self.give_server(&frame);
            }
            self.pull_server();
            if self.down.is_empty() {
                return;
            }
            while let Some(frame) = self.down.pop_front() {
                self.give_client(&frame);
            }
        }
    }

    /// The clock goes to the client's deadline.
    pub fn wait(&mut self) {
        self.now = self.client.deadline().expect("the client waits");
        self.client.wake(self.now, &mut self.book);
    }

    /// What went to the server, in hexadecimal digits.
    pub fn sent(&self) -> Vec<String> {
        self.log.iter().filter(|(up, _)| *up).map(|(_, frame)| hex(frame)).collect()
    }

    /// What went to the client.
    pub fn answered(&self) -> Vec<String> {
        self.log.iter().filter(|(up, _)| !*up).map(|(_, frame)| hex(frame)).collect()
    }
}

pub fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

pub fn octets(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits")).collect()
}
