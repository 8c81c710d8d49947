//! Two nodes on virtual radios, and above each a source and a sink of UDP datagrams.

use std::collections::BTreeMap;

use airtime_core::loss::Loss;
use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};
use airtime_nrf24::air::{Framing, Rate};
use airtime_nrf24::chip::{Chip, Options};
use airtime_nrf24::host::{Host, TunUser};
use airtime_nrf24::ledger::{BookedLink, Books};
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::stall::Stalling;
use airtime_nrf24::trace::{DropPoint, Note, OnAir, Purpose, Reception, Trace};
use airtime_nrf24::wires::SharedChip;

/// Octets of IPv4 and UDP headers.
pub const HEADERS: usize = 28;

/// Sends datagrams at a steady rate, and looks at every octet of those that come.
#[derive(Debug)]
pub struct Traffic {
    pool: Pool,
    own: u8,
    other: u8,
    stream: Option<Stream>,
    pub sent: u32,
    pub sink: Sink,
}

#[derive(Clone, Copy, Debug)]
struct Stream {
    payload: usize,
    every: Duration,
    next: Instant,
    until: Instant,
}

/// What has come.
#[derive(Debug, Default)]
pub struct Sink {
    pub packets: u32,
    /// Octets of UDP payload.
    pub octets: u64,
    pub damaged: u32,
    pub disordered: u32,
    pub delays: Vec<Duration>,
    /// When each came.
    pub arrivals: Vec<Instant>,
    next: u32,
}

impl Sink {
    /// Goodput of UDP payload in kbit/s from `from` to `to`.
    pub fn kbps(&self, payload: usize, from: Instant, to: Instant) -> u64 {
        let packets = self.arrivals.iter().filter(|at| (from..to).contains(at)).count() as u64;
        packets * payload as u64 * 8 * 1_000_000 / (to - from).as_nanos()
    }

    /// The delay that `percent` of the packets do not exceed.
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut delays = self.delays.clone();
        delays.sort_unstable();
        delays[(delays.len() * percent).div_ceil(100).saturating_sub(1)]
    }
}

impl Traffic {
    /// Neither sends nor is silent about what comes; `own` is the last octet of its address.
    pub fn quiet(pool: &Pool, own: u8) -> Self {
        Self { pool: pool.clone(), own, other: own ^ 3, stream: None, sent: 0, sink: Sink::default() }
    }

    /// Sends datagrams of `payload` octets, `kbps` of payload, from `from` until `until`.
    pub fn send(&mut self, payload: usize, kbps: u64, from: Instant, until: Instant) {
        let every = Duration::from_nanos(payload as u64 * 8 * 1_000_000 / kbps);
        self.stream = Some(Stream { payload, every, next: from, until });
    }
}

/// The octet at `index` of the payload of datagram `number`, behind number and time.
fn pattern(number: u32, index: usize) -> u8 {
    (number.wrapping_mul(0x9E37_79B1) >> 13) as u8 ^ (index as u8).wrapping_mul(29)
}

fn checksum(header: &[u8]) -> u16 {
    let sum: u32 = header.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    !((sum & 0xFFFF) + (sum >> 16)) as u16
}

fn datagram(pool: &Pool, own: u8, other: u8, payload: usize, number: u32, now: Instant) -> Packet {
    let mut packet = pool.packet();
    packet.resize(HEADERS + payload);
    let total = (HEADERS + payload) as u16;
    packet[..2].copy_from_slice(&[0x45, 0]);
    packet[2..4].copy_from_slice(&total.to_be_bytes());
    packet[4..6].copy_from_slice(&(number as u16).to_be_bytes());
    packet[6..10].copy_from_slice(&[0x40, 0, 64, 17]);
    packet[12..20].copy_from_slice(&[10, 0, 0, own, 10, 0, 0, other]);
    let check = checksum(&packet[..20]);
    packet[10..12].copy_from_slice(&check.to_be_bytes());
    packet[20..24].copy_from_slice(&[0x13, 0x89, 0x14, 0x51]);
    packet[24..26].copy_from_slice(&(total - 20).to_be_bytes());
    packet[HEADERS..HEADERS + 4].copy_from_slice(&number.to_be_bytes());
    packet[HEADERS + 4..HEADERS + 12].copy_from_slice(&now.as_nanos().to_be_bytes());
    for index in 12..payload {
        packet[HEADERS + index] = pattern(number, index);
    }
    packet
}

impl TunUser for Traffic {
    fn wake(&mut self, _: Instant) {}

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        let number = u32::from_be_bytes(packet[HEADERS..HEADERS + 4].try_into().expect("4 octets"));
        let sent = u64::from_be_bytes(packet[HEADERS + 4..HEADERS + 12].try_into().expect("8 octets"));
        let payload = packet.len() - HEADERS;
        let expected = datagram(&self.pool, self.other, self.own, payload, number, Instant::from_nanos(sent));
        let sink = &mut self.sink;
        if *expected != *packet {
            sink.damaged += 1;
            return;
        }
        sink.disordered += u32::from(number < sink.next);
        sink.next = number + 1;
        sink.packets += 1;
        sink.octets += payload as u64;
        sink.delays.push(now - Instant::from_nanos(sent));
        sink.arrivals.push(now);
    }

    fn poll(&mut self, now: Instant) -> Option<Packet> {
        let stream = self.stream.as_mut().filter(|stream| stream.next <= now && stream.next < stream.until)?;
        stream.next += stream.every;
        self.sent += 1;
        Some(datagram(&self.pool, self.own, self.other, stream.payload, self.sent - 1, now))
    }

    fn deadline(&self) -> Option<Instant> {
        self.stream.as_ref().filter(|stream| stream.next < stream.until).map(|stream| stream.next)
    }
}

/// What hosts and chips said that tests ask for.
#[derive(Debug, Default)]
pub struct Log {
    pub drops: BTreeMap<(usize, DropPoint), u32>,
    pub resyncs: BTreeMap<usize, u32>,
    /// Traces of chips, if they are kept.
    pub traces: Option<Vec<(Instant, usize, Trace)>>,
    pub lints: BTreeMap<(usize, String), u32>,
    /// Frames on the air by chip.
    pub frames: BTreeMap<usize, u32>,
    /// IP packets of which at least one chunk was written to a chip of the host.
    pub carried: [u32; 3],
    /// Payloads written to a chip by purpose: new, again, control.
    pub uploads: [[u32; 3]; 3],
}

impl Log {
    pub fn dropped(&self, host: usize, at: DropPoint) -> u32 {
        self.drops.get(&(host, at)).copied().unwrap_or(0)
    }
}

impl Observer for Log {
    fn transmission(&mut self, from: usize, _: &OnAir, _: Option<(usize, Reception)>) {
        *self.frames.entry(from).or_default() += 1;
    }

    fn chip(&mut self, now: Instant, chip: usize, trace: &Trace) {
        if let Some(traces) = &mut self.traces {
            traces.push((now, chip, *trace));
        }
        if let Trace::Lint(lint) = trace {
            *self.lints.entry((chip, format!("{lint:?}"))).or_default() += 1;
        }
    }

    fn note(&mut self, _: Instant, host: usize, note: &Note) {
        match note {
            Note::Dropped { at, .. } => *self.drops.entry((host, *at)).or_default() += 1,
            Note::Upload { upload, .. } => {
                self.uploads[host][upload.purpose as usize] += 1;
                if upload.purpose == Purpose::New {
                    self.carried[host] = upload.packet + 1;
                }
            }
            Note::Resync { .. } => *self.resyncs.entry(host).or_default() += 1,
            _ => {}
        }
    }
}

/// Two nodes.
#[derive(Debug)]
pub struct Rig<H> {
    pub network: Network<H, Traffic, (Log, Books)>,
    pub time: EventLoop,
    pub pool: Pool,
}

impl<H: Host> Rig<H> {
    /// Two hosts with `radios` chips each, made by `host` from their chips and number; `loss` at every receiver; `above` sets
    /// the traffic up.
    pub fn new(
        radios: usize,
        loss: Loss,
        host: impl FnMut(&[SharedChip], usize, &Pool) -> H,
        above: impl FnOnce(&mut Traffic, &mut Traffic),
    ) -> Self {
        Self::with_hosts(2, radios, loss, host, |traffic| {
            let [a, b] = traffic else { unreachable!("two hosts") };
            above(a, b);
        })
    }

    /// As [`new`](Self::new) with more hosts, of which the first two have traffic.
    pub fn with_hosts(
        hosts: usize,
        radios: usize,
        loss: Loss,
        mut host: impl FnMut(&[SharedChip], usize, &Pool) -> H,
        above: impl FnOnce(&mut [Traffic]),
    ) -> Self {
        let pool = Pool::new();
        let chip = || SharedChip::new(Chip::new(Options::default()).into());
        let chips: Vec<SharedChip> = (0..hosts * radios).map(|_| chip()).collect();
        let nodes = (0..hosts).map(|index| host(&chips[index * radios..][..radios], index, &pool)).collect();
        let mut traffic: Vec<Traffic> = (0..hosts).map(|index| Traffic::quiet(&pool, 1 + index as u8)).collect();
        above(&mut traffic);
        let medium = Medium::new(chips.len(), loss, 1);
        let framing = Framing::enhanced(Rate::M2, 3);
        let link = BookedLink { sender: 0, receiver: 2 * radios - 1, radios, framing };
        let books = Books::new(link, Instant::ZERO);
        let mut network = Network::new(medium, chips, nodes, traffic, (Log::default(), books));
        network.start(Instant::ZERO);
        let time = EventLoop::new(Instant::ZERO, &network);
        Self { network, time, pool }
    }

    /// Runs until `at`.
    pub fn run_until(&mut self, at: Instant) {
        self.time.run_until(&mut self.network, at);
    }

    /// What came at host `index`.
    pub fn sink(&self, index: usize) -> &Sink {
        &self.network.above[index].sink
    }

    /// Datagrams sent above host `index`.
    pub fn sent(&self, index: usize) -> u32 {
        self.network.above[index].sent
    }
}

impl<H: Host> Rig<Stalling<H>> {
    /// Runs until `until`; every 25 to 75 ms host `index` stands still for `length`. (At even intervals stalls would beat with
    /// the cycle of a transmitter that is as even.)
    pub fn run_with_stalls(&mut self, index: usize, length: Duration, until: Instant) {
        let mut random = stream(1, "test/stalls");
        loop {
            let next = self.time.now() + Duration::from_micros(25_000 + random.below(50_000));
            self.run_until(next.min(until));
            if next >= until {
                return;
            }
            self.time.act(&mut self.network, next, |network, touched| {
                network.hosts[index].stall(next, next + length);
                network.attend(index, next, touched);
            });
        }
    }
}

/// The instant `ms` milliseconds after the start.
pub fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}
