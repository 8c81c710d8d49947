//! How fast the machines of remote calls are: frames made and read, and calls between a client and a server back to back.

use std::hint::black_box;

use airtime_core::{Duration, Instant};
use airtime_rpc::CallId;
use airtime_rpc::client::{Client, ClientConfig, Encryption, Mode};
use airtime_rpc::crypto::{ClientExchange, ClientSecrets, Pin, ServerExchange, ServerSecrets, Session};
use airtime_rpc::extended::{Records, Writer};
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::service::{PatternFlash, TestService};
use airtime_rpc::suite::{Bench, BenchConfig, Method, Script};
use airtime_rpc::wire::{Container, Content};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const BUFFER: usize = 16_384;

/// A value of a characteristic at an ATT MTU of 247.
const FRAME: u16 = 244;

/// Octets of the head of an open frame, and of number and tag of a sealed one. docs/rpc-protocol.md.
const OPEN_HEAD: usize = 2;
const SEALED_HEAD: usize = 4;
const TAG: usize = 16;

/// Calls of one iteration.
const CALLS: u32 = 1_000;

const CLIENT: ClientSecrets = ClientSecrets { ephemeral: [1; 32], nonce: [2; 12] };
const SERVER: ServerSecrets = ServerSecrets { identity: [3; 32], ephemeral: [4; 32], nonce: [5; 12] };

/// One frame as full as can be, made and read.
fn frames(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame of 244 octets, made and read");
    group.throughput(Throughput::Elements(1));
    let payload = [0x5a; FRAME as usize];
    group.bench_function("compatible", |bench| {
        let mut frame = [0; 300];
        bench.iter(|| {
            // Four octets of a container are its head.
            let content = Content::Subsequent { payload: &black_box(&payload)[4..] };
            let len = Container { transaction: 1, sequence: 2, content }.emit(&mut frame);
            black_box(Container::parse(&frame[..len]).expect("a container"));
        });
    });
    group.bench_function("extended", |bench| {
        let mut frame = [0; FRAME as usize];
        bench.iter(|| black_box(records(&mut frame[OPEN_HEAD..], black_box(&payload))));
    });
    group.bench_function("extended, sealed", |bench| {
        let (mut client, mut server) = sessions();
        let mut frame = [0; FRAME as usize];
        bench.iter(|| {
            let records_end = FRAME as usize - TAG;
            let length = write(&mut frame[SEALED_HEAD..records_end], black_box(&payload));
            let sealed = client.seal_frame(&mut frame[..SEALED_HEAD + length + TAG], length);
            sealed.expect("numbers are left");
            let opened = server.open_frame(&mut frame[..SEALED_HEAD + length + TAG]).expect("genuine");
            black_box(Records::new_checked(opened.octets).expect("records").count());
        });
    });
    group.finish();
}

/// A record that fills `into`, made and read.
fn records(into: &mut [u8], payload: &[u8]) -> usize {
    let length = write(into, payload);
    Records::new_checked(&into[..length]).expect("records").count()
}

/// A record that fills `into` with `payload`.
fn write(into: &mut [u8], payload: &[u8]) -> usize {
    // A record that reaches to the end of its frame has a head of three octets.
    let octets = &payload[..into.len() - 3];
    let mut writer = Writer::new(into);
    assert!(writer.data(CallId(1), false, false, octets));
    writer.finish()
}

fn sessions() -> (Session, Session) {
    let (mut client, first) = ClientExchange::start(CLIENT, Pin::FirstUse);
    let mut server = ServerExchange::new(SERVER);
    let second = server.receive(first.octets()).expect("step 1").send.expect("step 2");
    let third = client.receive(second.octets()).expect("step 2").send.expect("step 3");
    let fourth = server.receive(third.octets()).expect("step 3");
    let at_client = client.receive(fourth.send.expect("step 4").octets()).expect("step 4");
    (at_client.session.expect("a session"), fourth.session.expect("a session"))
}

/// Client and server that are set up.
struct Ends {
    client: Box<Client<BUFFER>>,
    server: Box<Server<BUFFER>>,
    service: TestService<PatternFlash>,
    bench: Bench,
}

impl Ends {
    fn new(mode: Mode, sealed: bool, call: Method, payload: u32, outstanding: u8) -> Self {
        let encryption = if sealed { Encryption::Required(Pin::FirstUse) } else { Encryption::Off };
        let client = ClientConfig { mode, encryption, patience: Duration::from_secs(2), window: 16_384 };
        let server = ServerConfig {
            extended: true,
            encrypted: sealed,
            timeout: Duration::from_millis(100),
            max_request: 12_288,
            max_response: u16::MAX,
            window: 16_384,
        };
        let bench = BenchConfig { call, payload, calls: Some(CALLS), warmup: 0, outstanding };
        let mut ends = Self {
            client: Box::new(Client::new(client)),
            server: Box::new(Server::new(server)),
            service: TestService::new(PatternFlash::new(65_536)),
            bench: Bench::new(bench),
        };
        ends.client.connected(Instant::ZERO, FRAME, CLIENT);
        ends.server.connected(Instant::ZERO, FRAME, SERVER);
        // Negotiation and key exchange are over when nothing more is said; no call has begun.
        while ends.exchange() {}
        ends
    }

    /// Carries what both ends have to say; whether that was anything.
    fn exchange(&mut self) -> bool {
        let mut frame = [0; FRAME as usize];
        let mut said = false;
        while let Some(len) = self.client.transmit(Instant::ZERO, &mut frame, &mut self.bench) {
            self.server.receive(Instant::ZERO, &frame[..len], &mut self.service);
            said = true;
        }
        while let Some(len) = self.server.transmit(Instant::ZERO, &mut frame, &mut self.service) {
            self.client.receive(Instant::ZERO, &frame[..len], &mut self.bench);
            said = true;
        }
        said
    }

    /// Every call, one after another, or as many at a time as are allowed.
    fn run(&mut self) {
        while !Script::<BUFFER>::is_over(&self.bench) {
            self.bench.advance(Instant::ZERO, &mut self.client);
            while let Some(report) = Script::<BUFFER>::poll(&mut self.bench) {
                if let airtime_rpc::suite::Report::Call { result, .. } = report {
                    assert_eq!(result, Ok(()));
                }
            }
            let said = self.exchange();
            assert!(said || Script::<BUFFER>::is_over(&self.bench), "it stands still");
        }
    }
}

/// Calls in no time: what the machines take, without any link.
fn calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("1000 calls");
    group.throughput(Throughput::Elements(CALLS.into()));
    group.sample_size(20);
    for (method, payload) in [(Method::Echo, 5), (Method::FlashRead, 8_192)] {
        for (mode, outstanding) in [(Mode::Compatible, 1), (Mode::Extended, 1), (Mode::Extended, 8)] {
            for sealed in [false, true] {
                let seals = if sealed { ", sealed" } else { "" };
                let name = format!("{} of {payload}, {mode:?}, {outstanding} at a time{seals}", method.name());
                let ends = || Ends::new(mode, sealed, method, payload, outstanding);
                group.bench_function(name, |bench| bench.iter_batched_ref(ends, Ends::run, BatchSize::LargeInput));
            }
        }
    }
    group.finish();
}

criterion_group!(benches, frames, calls);
criterion_main!(benches);
