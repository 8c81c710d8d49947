//! Segments, packets and waits into a host that writes one stream and reads another, with an interface that refuses and blocks.

use std::net::Ipv4Addr;

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant, Pool};
use airtime_net::lwip::{Config, Costs, Host, OnError, Outcome, TcpSender, TcpSink, UdpSender};
use airtime_net::segment::{self, Head, MAX_RANGES, Range, TCP_OCTETS, flags};
use airtime_net::wire::{IPV4_OCTETS, Route};

use super::{OCTETS_MAX, Script};

const HOST: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const FAR: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

/// Port that the host's own stream goes to, that it reads a stream at, and that it takes and sends datagrams at.
const WRITTEN: u16 = 5_001;
const READ: u16 = 5_002;
const DATAGRAMS: u16 = 5_003;

/// Port of the program that writes to the host.
const FOREIGN: u16 = 40_000;

/// Octets of a packet at most.
const MTU: usize = 1_500;

/// Protocol number of TCP (IANA).
const TCP: u8 = 6;

/// Runs one script.
pub fn lwip(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut bench = Bench::new(script.octet());
    while !script.is_over() {
        bench.step(&mut script);
        bench.drain();
    }
}

struct Bench {
    pool: Pool,
    host: Host<()>,
    now: Instant,
    /// The last segment of the host on each of its streams, and the number behind it: written first, then read.
    last: [(Head, u32); 2],
    /// What the interface says to what it is offered.
    interface: Outcome,
}

impl Bench {
    /// How the host is built, by the bits of an octet.
    fn new(kind: u8) -> Self {
        let us = Duration::from_micros;
        let costs = Costs { call: us(120), kilooctet: us(10), segment: us(50), input: us(20), switch: us(5) };
        let config = Config {
            costs: if kind & 1 == 0 { Costs::NONE } else { costs },
            snd_buf: if kind & 2 == 0 { 5_760 } else { 65_534 },
            wnd: if kind & 4 == 0 { 5_760 } else { 65_535 },
            ooseq_max_pbufs: if kind & 8 == 0 { 4 } else { 0 },
            sack_out: kind & 16 != 0,
            core_locking: kind & 32 != 0,
            shared_core: kind & 64 != 0,
            ..Config::default()
        };
        let (start, duration) = (Instant::ZERO, Duration::from_secs(3_600));
        let pool = Pool::new();
        let mut host = Host::new(pool.clone(), HOST, config, ());
        let nodelay = kind & 128 != 0;
        host.write_stream(
            FAR,
            TcpSender { flow: WRITTEN, write: 3_000, nodelay, octets: Some(200_000), start, duration },
        );
        host.read_stream(TcpSink { flow: READ, read: 1_000 });
        host.take_datagrams(DATAGRAMS);
        let rate = Some(Bitrate(10_000));
        host.send_datagrams(
            FAR,
            UdpSender { flow: DATAGRAMS, payload: 500, rate, on_error: OnError::Yield, start, duration },
        );
        let unopened = |from_port, to_port| (Head { from_port, to_port, ..Head::default() }, 0);
        let last = [unopened(0, WRITTEN), unopened(READ, FOREIGN)];
        let mut bench = Self { pool, host, now: Instant::ZERO, last, interface: Outcome::Taken };
        bench.host.wake(bench.now);
        bench.drain();
        bench
    }

    fn step(&mut self, script: &mut Script<'_>) {
        match script.octet() % 9 {
            0 | 1 => self.answer(0, script),
            2 | 3 => self.answer(1, script),
            4 => self.host.packet(self.now, script.octets(MTU)),
            5 => {
                let octets = script.octets(MTU - IPV4_OCTETS);
                let packet = summed(octets);
                if let Some((route, head, payload)) = segment::read(&packet) {
                    assert_eq!(route, Route { from: FAR, to: HOST });
                    assert!(head.ranges().len() <= MAX_RANGES && payload.len() + TCP_OCTETS <= octets.len());
                }
                self.host.packet(self.now, &packet);
            }
            6 => self.wait(Duration::from_millis(u64::from(script.octet()) * 50)),
            7 => self.wait(Duration::from_micros(script.word().into())),
            _ => {
                self.interface = match script.octet() % 4 {
                    0 => Outcome::Refused,
                    1 => Outcome::Blocked,
                    _ => Outcome::Taken,
                };
                self.host.room(self.now);
            }
        }
    }

    /// What the other end of a stream may say next, or something near it.
    fn answer(&mut self, stream: usize, script: &mut Script<'_>) {
        let (last, next) = self.last[stream];
        let (what, bits) = (script.octet(), script.octet());
        let mut skewed = |number: u32, skews: bool| {
            let skew = if skews { script.word() as i16 } else { 0 };
            number.wrapping_add_signed(skew.into())
        };
        let seq = skewed(last.ack, what & 1 != 0);
        let ack = skewed(next, what & 2 != 0);
        let window = if what & 4 == 0 { 0xffff } else { script.word() };
        let usual = match (stream, last.flags) {
            (0, flags::SYN) => flags::SYN | flags::ACK,
            (1, 0) => flags::SYN,
            _ => flags::ACK,
        };
        let mut head = Head {
            from_port: last.to_port,
            to_port: last.from_port,
            seq,
            ack,
            flags: if what & 8 == 0 { usual } else { bits },
            window,
            mss: (what & 16 != 0).then(|| script.word()),
            sack_permitted: what & 32 != 0,
            sacked: [Range::default(); MAX_RANGES],
        };
        if what & 64 != 0 {
            head.sacked[0] =
                Range { start: ack.wrapping_add(script.word().into()), end: ack.wrapping_add(script.word().into()) };
        }
        let room = MTU - IPV4_OCTETS - 2 * TCP_OCTETS;
        let len = if what & 128 == 0 { 0 } else { usize::from(script.word()) % room };
        let offset = script.octet();
        let packet = segment::emit(&self.pool, Route { from: FAR, to: HOST }, 1, &head, offset.into(), len);
        self.host.packet(self.now, &packet);
    }

    /// Time goes on, from deadline to deadline.
    fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(due) = self.host.deadline().filter(|due| *due <= end) {
            self.now = due.max(self.now);
            self.host.wake(self.now);
            self.drain();
            assert!(self.host.deadline().is_none_or(|next| next > self.now), "it stands still");
        }
        self.now = end;
    }

    /// The interface takes, or does not take, what the host has.
    fn drain(&mut self) {
        while let Some(packet) = self.host.poll(self.now) {
            if let Some((_, head, payload)) = segment::read(&packet) {
                let stream = usize::from(head.from_port == READ);
                let begins_or_ends = head.flags & (flags::SYN | flags::FIN);
                let span = payload.len() as u32 + begins_or_ends.count_ones();
                self.last[stream] = (head, head.seq.wrapping_add(span));
            }
            self.host.outcome(self.now, self.interface);
        }
        if let Some(cwnd) = self.host.cwnd() {
            assert!(cwnd <= 0xffff, "windows are not scaled: {cwnd}");
        }
    }
}

/// A packet of TCP with `octets`, whose checksums a fuzzer need not find.
fn summed(octets: &[u8]) -> Vec<u8> {
    let total = (IPV4_OCTETS + octets.len()) as u16;
    let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, TCP, 0, 0];
    packet.extend(FAR.octets());
    packet.extend(HOST.octets());
    packet.extend(octets);
    packet[2..4].copy_from_slice(&total.to_be_bytes());
    let sum = checksum(&packet[..IPV4_OCTETS]);
    packet[10..12].copy_from_slice(&sum.to_be_bytes());
    if let Some(tcp) = packet.get_mut(IPV4_OCTETS..).filter(|tcp| tcp.len() >= TCP_OCTETS) {
        tcp[16..18].fill(0);
        let pseudo = [&FAR.octets()[..], &HOST.octets(), &[0, TCP], &(tcp.len() as u16).to_be_bytes(), tcp].concat();
        tcp[16..18].copy_from_slice(&checksum(&pseudo).to_be_bytes());
    }
    packet
}

/// The checksum of RFC 1071.
fn checksum(octets: &[u8]) -> u16 {
    let words = octets.chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(word.get(1).copied().unwrap_or(0)));
    let sum = words.sum::<u32>();
    let folded = (sum & 0xffff) + (sum >> 16);
    !((folded & 0xffff) + (folded >> 16)) as u16
}
