//! Large objects over links that go away: they go on where they stopped, and the check is right.

use std::collections::VecDeque;

use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Instant};
use airtime_rpc::client::{Client, ClientConfig, Encryption, Mode};
use airtime_rpc::crypto::{ClientSecrets, Pin, ServerSecrets};
use airtime_rpc::extended::{Direction, Object, Transfer, TransferConfig, TransferError};
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::service::{Flash, TestService, pattern};
use airtime_rpc::suite::{Report, Script};
use airtime_rpc::{CallError, Status};

const BUFFER: usize = 1024;
const FRAME: usize = 244;
const FLASH: u32 = 400_000;

/// Flash that counts what is written.
struct Memory {
    octets: Vec<u8>,
    written: u64,
}

impl Flash for Memory {
    fn len(&self) -> u32 {
        self.octets.len() as u32
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        into.copy_from_slice(&self.octets[address as usize..][..into.len()]);
    }

    fn write(&mut self, address: u32, octets: &[u8]) {
        self.octets[address as usize..][..octets.len()].copy_from_slice(octets);
        self.written += octets.len() as u64;
    }
}

/// The client's end of an object.
#[derive(Debug, Default)]
struct Copy {
    octets: Vec<u8>,
    /// Octets that were asked for, or that came: more than the object has if some were carried again.
    moved: u64,
}

impl Object for Copy {
    fn read(&mut self, offset: u32, into: &mut [u8]) {
        into.copy_from_slice(&self.octets[offset as usize..][..into.len()]);
        self.moved += into.len() as u64;
    }

    fn write(&mut self, offset: u32, octets: &[u8]) {
        assert_eq!(offset as usize, self.octets.len(), "in order, each once");
        self.octets.extend_from_slice(octets);
        self.moved += octets.len() as u64;
    }
}

/// Both ends, and a link that is there or not.
struct World {
    now: Instant,
    client: Box<Client<BUFFER>>,
    server: Box<Server<BUFFER>>,
    service: TestService<Memory>,
    transfer: Transfer<Copy>,
    up: VecDeque<Vec<u8>>,
    down: VecDeque<Vec<u8>>,
    links: u32,
    reports: Vec<Report>,
}

impl World {
    fn new(config: TransferConfig, object: Copy, sealed: bool) -> Self {
        let encryption = if sealed { Encryption::Required(Pin::FirstUse) } else { Encryption::Off };
        let client = ClientConfig { mode: Mode::Extended, encryption, patience: Duration::from_secs(60), window: 8192 };
        let server = ServerConfig {
            extended: true,
            encrypted: sealed,
            timeout: Duration::from_millis(100),
            max_request: 1024,
            max_response: 1024,
            window: 8192,
        };
        let octets = (0..FLASH).map(pattern).collect();
        let mut world = Self {
            now: Instant::ZERO,
            client: Box::new(Client::new(client)),
            server: Box::new(Server::new(server)),
            service: TestService::new(Memory { octets, written: 0 }),
            transfer: Transfer::new(config, object),
            up: VecDeque::new(),
            down: VecDeque::new(),
            links: 0,
            reports: Vec::new(),
        };
        world.connect();
        world
    }

    fn connect(&mut self) {
        self.links += 1;
        let fresh = self.links as u8;
        let client = ClientSecrets { ephemeral: [fresh; 32], nonce: [fresh; 12] };
        let server = ServerSecrets { identity: [5; 32], ephemeral: [!fresh; 32], nonce: [!fresh; 12] };
        self.client.connected(self.now, FRAME as u16, client);
        self.server.connected(self.now, FRAME as u16, server);
        self.advance();
    }

    fn disconnect(&mut self) {
        self.up.clear();
        self.down.clear();
        self.client.disconnected(self.now, &mut self.transfer);
        self.server.disconnected(self.now, &mut self.service);
        self.advance();
    }

    fn advance(&mut self) {
        self.transfer.advance(self.now, &mut self.client);
        while let Some(report) = Script::<BUFFER>::poll(&mut self.transfer) {
            self.reports.push(report);
        }
    }

    /// Some milliseconds of a link that carries a few frames each way.
    fn step(&mut self) {
        self.now += Duration::from_millis(5);
        let mut into = [0; FRAME];
        for _ in 0..6 {
            if let Some(length) = self.client.transmit(self.now, &mut into, &mut self.transfer) {
                self.up.push_back(into[..length].to_vec());
            }
            if let Some(length) = self.server.transmit(self.now, &mut into, &mut self.service) {
                self.down.push_back(into[..length].to_vec());
            }
        }
        for _ in 0..6 {
            if let Some(frame) = self.up.pop_front() {
                self.server.receive(self.now, &frame, &mut self.service);
            }
            if let Some(frame) = self.down.pop_front() {
                self.client.receive(self.now, &frame, &mut self.transfer);
                self.advance();
            }
        }
        if self.client.deadline().is_some_and(|deadline| deadline <= self.now) {
            self.client.wake(self.now, &mut self.transfer);
        }
        if self.server.deadline().is_some_and(|deadline| deadline <= self.now) {
            self.server.wake(self.now, &mut self.service);
        }
        self.advance();
    }

    fn is_over(&self) -> bool {
        Script::<BUFFER>::is_over(&self.transfer)
    }

    fn run(&mut self) {
        for _ in 0..20_000 {
            if self.is_over() {
                return;
            }
            self.step();
        }
        panic!("no end: {} octets after {} calls", self.transfer.offset(), self.transfer.calls());
    }

    /// The link goes away after 20 to 80 steps, again and again.
    fn run_on_links_that_go(&mut self, chance: &mut Stream) {
        while !self.is_over() {
            for _ in 0..20 + chance.below(60) {
                self.step();
            }
            if !self.is_over() {
                self.disconnect();
                self.now += Duration::from_secs(2);
                self.connect();
            }
            assert!(self.links < 100);
        }
    }
}

fn config(direction: Direction) -> TransferConfig {
    TransferConfig { direction, address: 1000, length: 300_000, patience: Duration::from_secs(2), attempts: 3 }
}

/// Octets that the flash does not have already.
fn fresh() -> Copy {
    Copy { octets: (0..300_000_u32).map(|at| !pattern(at)).collect(), moved: 0 }
}

#[test]
fn a_download_nothing_disturbs_is_one_call() {
    let mut world = World::new(config(Direction::Download), Copy::default(), false);
    world.run();
    assert_eq!(world.transfer.result(), Some(Ok(())));
    assert_eq!(world.transfer.calls(), 1);
    assert!(world.transfer.object().octets.iter().copied().eq((1000..301_000).map(pattern)));
    let [Report::Call { name: "bulk_read", octets: 300_000, result: Ok(()), took, .. }] = world.reports[..] else {
        panic!("{:?}", world.reports)
    };
    assert!(took > Duration::ZERO && took < world.now - Instant::ZERO);
}

#[test]
fn an_upload_nothing_disturbs_is_two_calls() {
    let mut world = World::new(config(Direction::Upload), fresh(), false);
    world.run();
    assert_eq!(world.transfer.result(), Some(Ok(())));
    assert_eq!(world.transfer.calls(), 2);
    assert!(world.service.flash().octets[1000..301_000] == world.transfer.object().octets);
}

#[test]
fn a_download_goes_on_where_it_stopped() {
    for seed in 0..4 {
        let mut world = World::new(config(Direction::Download), Copy::default(), seed % 2 == 1);
        world.run_on_links_that_go(&mut stream(seed, "transfer"));
        assert_eq!(world.transfer.result(), Some(Ok(())));
        assert!(world.links > 2, "{}", world.links);
        assert_eq!(world.transfer.object().moved, 300_000, "not an octet came twice");
        assert!(world.transfer.object().octets.iter().copied().eq((1000..301_000).map(pattern)));
    }
}

#[test]
fn an_upload_goes_on_where_it_stopped() {
    for seed in 0..4 {
        let mut world = World::new(config(Direction::Upload), fresh(), seed % 2 == 1);
        world.run_on_links_that_go(&mut stream(seed, "transfer"));
        assert_eq!(world.transfer.result(), Some(Ok(())));
        assert!(world.links > 2, "{}", world.links);
        assert_eq!(world.service.flash().written, 300_000, "not an octet was written twice");
        assert!(world.service.flash().octets[1000..301_000] == world.transfer.object().octets);
    }
}

#[test]
fn a_lost_frame_costs_a_call_and_no_octet() {
    let mut world = World::new(config(Direction::Download), Copy::default(), false);
    while world.transfer.offset() < 100_000 {
        world.step();
    }
    let mut into = [0; FRAME];
    // A frame that nobody ever gets.
    while world.server.transmit(world.now, &mut into, &mut world.service).is_none() {
        world.step();
    }
    world.run();
    assert_eq!(world.transfer.result(), Some(Ok(())));
    assert_eq!(world.transfer.calls(), 2);
    assert_eq!(world.links, 1);
    assert_eq!(world.transfer.object().moved, 300_000);
}

#[test]
fn another_object_at_the_server_is_written_from_the_beginning() {
    let mut world = World::new(config(Direction::Upload), fresh(), false);
    while world.service.flash().written < 100_000 {
        world.step();
    }
    world.disconnect();
    // The client comes back with other octets for the same place.
    let other = Copy { octets: vec![7; 300_000], moved: 0 };
    world.transfer = Transfer::new(config(Direction::Upload), other);
    world.connect();
    world.run();
    assert_eq!(world.transfer.result(), Some(Ok(())));
    assert!(world.service.flash().octets[1000..301_000].iter().all(|octet| *octet == 7));
    assert!(world.service.flash().written >= 400_000);
}

#[test]
fn what_cannot_be_is_refused_at_once() {
    for direction in [Direction::Download, Direction::Upload] {
        let beyond = TransferConfig { address: FLASH, ..config(direction) };
        let mut world = World::new(beyond, fresh(), false);
        world.transfer = Transfer::new(beyond, if direction == Direction::Upload { fresh() } else { Copy::default() });
        world.advance();
        world.run();
        let refused = TransferError::Call(CallError::Refused(Status::BadArgument));
        assert_eq!(world.transfer.result(), Some(Err(refused)));
        assert_eq!(world.service.flash().written, 0);
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let mut world = World::new(config(Direction::Download), Copy::default(), false);
    while world.transfer.calls() == 0 {
        world.step();
    }
    let mut into = [0; FRAME];
    while !world.is_over() {
        // Nothing of the server's arrives any more.
        world.now += Duration::from_millis(100);
        while world.client.transmit(world.now, &mut into, &mut world.transfer).is_some() {}
        world.advance();
        assert!(world.now < Instant::ZERO + Duration::from_secs(60));
    }
    let cancelled = TransferError::Call(CallError::Refused(Status::Cancelled));
    assert_eq!(world.transfer.result(), Some(Err(cancelled)));
    assert_eq!(world.transfer.calls(), 4, "the first, and three attempts");
}

#[test]
fn an_empty_object() {
    for direction in [Direction::Download, Direction::Upload] {
        let mut world = World::new(TransferConfig { length: 0, ..config(direction) }, Copy::default(), false);
        world.run();
        assert_eq!(world.transfer.result(), Some(Ok(())), "{direction:?}");
    }
}
