//! Frames into both ends, in any state: as they come, made of parts, or what the other end has sent, changed.

use std::collections::VecDeque;

use airtime_core::{Duration, Instant};
use airtime_rpc::client::{Client, ClientConfig, Encryption, Mode};
use airtime_rpc::crypto::{ClientSecrets, Pin, ServerSecrets};
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::service::{PatternFlash, TestService};
use airtime_rpc::suite::{Bench, BenchConfig, Method, Script as _};
use airtime_rpc::wire::{Container, Content};

use super::{LANE, OCTETS_MAX, Script, disturb};

const BUFFER: usize = 2_048;

/// Runs one script.
pub fn frame(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut ends = Ends::new(script.octet());
    while !script.is_over() {
        ends.step(&mut script);
        ends.pump();
    }
}

struct Ends {
    now: Instant,
    frame: u16,
    client: Box<Client<BUFFER>>,
    server: Box<Server<BUFFER>>,
    service: Box<TestService<PatternFlash>>,
    bench: Box<Bench>,
    up: VecDeque<Vec<u8>>,
    down: VecDeque<Vec<u8>>,
}

impl Ends {
    /// What both ends are, by the bits of an octet.
    fn new(kind: u8) -> Self {
        let mode = if kind & 1 == 0 { Mode::Compatible } else { Mode::Extended };
        let sealed = kind & 2 != 0;
        let encryption = if sealed { Encryption::Required(Pin::FirstUse) } else { Encryption::Off };
        let methods = [
            Method::Echo,
            Method::FlashRead,
            Method::DataWrite,
            Method::CounterStream,
            Method::CounterUpload,
            Method::BulkRead,
            Method::BulkWrite,
        ];
        let call = methods[usize::from(kind >> 3 & 7) % methods.len()];
        let outstanding = if kind & 4 == 0 { 1 } else { 8 };
        let server = ServerConfig {
            extended: true,
            encrypted: sealed,
            timeout: Duration::from_millis(100),
            max_request: BUFFER as u16,
            max_response: BUFFER as u16,
            window: 1_024,
        };
        let patience = Duration::from_secs(2);
        let mut ends = Self {
            now: Instant::ZERO,
            frame: 160,
            client: Box::new(Client::new(ClientConfig { mode, encryption, patience, window: 1_024 })),
            server: Box::new(Server::new(server)),
            service: Box::new(TestService::new(PatternFlash::new(65_536))),
            bench: Box::new(Bench::new(BenchConfig { call, payload: 200, calls: None, warmup: 0, outstanding })),
            up: VecDeque::new(),
            down: VecDeque::new(),
        };
        ends.connect();
        // Undisturbed until calls are under way.
        for _ in 0..20 {
            ends.pump();
            ends.deliver();
        }
        ends.pump();
        ends
    }

    fn connect(&mut self) {
        self.up.clear();
        self.down.clear();
        self.client.connected(self.now, self.frame, ClientSecrets { ephemeral: [1; 32], nonce: [2; 12] });
        let secrets = ServerSecrets { identity: [3; 32], ephemeral: [4; 32], nonce: [5; 12] };
        self.server.connected(self.now, self.frame, secrets);
    }

    fn step(&mut self, script: &mut Script<'_>) {
        match script.octet() % 9 {
            0 => self.deliver(),
            1 => {
                let frame = script.octets(300).to_vec();
                self.server.receive(self.now, &frame, &mut *self.service);
            }
            2 => {
                let frame = script.octets(300).to_vec();
                self.client.receive(self.now, &frame, &mut *self.bench);
            }
            3 => {
                let frame = made(script);
                self.server.receive(self.now, &frame, &mut *self.service);
            }
            4 => {
                let frame = made(script);
                self.client.receive(self.now, &frame, &mut *self.bench);
            }
            5 => disturb(&mut self.up, script),
            6 => disturb(&mut self.down, script),
            7 => self.wait(script.word()),
            _ => {
                if script.octet().is_multiple_of(8) {
                    self.client.disconnected(self.now, &mut *self.bench);
                    self.server.disconnected(self.now, &mut *self.service);
                    self.connect();
                }
            }
        }
    }

    /// All that is under way arrives.
    fn deliver(&mut self) {
        for frame in std::mem::take(&mut self.up) {
            self.server.receive(self.now, &frame, &mut *self.service);
        }
        for frame in std::mem::take(&mut self.down) {
            self.client.receive(self.now, &frame, &mut *self.bench);
        }
    }

    fn wait(&mut self, milliseconds: u16) {
        self.now += Duration::from_millis(milliseconds.into());
        if self.client.deadline().is_some_and(|deadline| deadline <= self.now) {
            self.client.wake(self.now, &mut *self.bench);
            assert!(self.client.deadline().is_none_or(|deadline| deadline > self.now), "it stands still");
        }
        if self.server.deadline().is_some_and(|deadline| deadline <= self.now) {
            self.server.wake(self.now, &mut *self.service);
            assert!(self.server.deadline().is_none_or(|deadline| deadline > self.now), "it stands still");
        }
    }

    /// The script goes on, and lanes take what there is room for.
    fn pump(&mut self) {
        self.bench.advance(self.now, &mut self.client);
        while airtime_rpc::suite::Script::<BUFFER>::poll(&mut *self.bench).is_some() {}
        let mut frame = [0; 512];
        while self.up.len() < LANE
            && let Some(len) = self.client.transmit(self.now, &mut frame, &mut *self.bench)
        {
            assert!(len <= usize::from(self.frame), "a frame of {len} octets");
            self.up.push_back(frame[..len].to_vec());
        }
        while self.down.len() < LANE
            && let Some(len) = self.server.transmit(self.now, &mut frame, &mut *self.service)
        {
            assert!(len <= usize::from(self.frame), "a frame of {len} octets");
            self.down.push_back(frame[..len].to_vec());
        }
    }
}

/// A container whose lengths are right: a fuzzer need not find them.
fn made(script: &mut Script<'_>) -> Vec<u8> {
    let (transaction, sequence, kind, total) = (script.octet(), script.octet(), script.octet(), script.word());
    let payload = script.octets(255);
    let content = match kind % 4 {
        0 => Content::First { total, payload },
        1 => Content::First { total: payload.len() as u16, payload },
        2 => Content::Subsequent { payload },
        _ => Content::Control { code: kind >> 2 & 0xF, payload },
    };
    let mut frame = [0; 300];
    let len = Container { transaction, sequence, content }.emit(&mut frame);
    frame[..len].to_vec()
}
