//! lwIP above the host, Linux at the far end, and the whole pipeline between them.
#![allow(dead_code, reason = "tests and benchmarks each use a part of it")]

use std::net::Ipv4Addr;

use airtime_core::units::Bitrate;
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};
use airtime_net::lwip::{self, OnError, TcpSender, TcpSink, UdpSender, Waits};
use airtime_net::pace::Pace;
use airtime_net::tally::Order;
use airtime_net::udp::Datagrams;
use airtime_net::{Event, Watch, linux, tcp};
use airtime_wifi::cell::{Cell, CellConfig};
use airtime_wifi::network::{InterfaceUser, Network, Observer, Outcome, PathConfig};
use airtime_wifi::personality::Personality;
use airtime_wifi::trace::Feed;

pub const HOST: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub const FAR: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
pub const FLOW: u16 = 5_001;

/// What has arrived.
#[derive(Debug, Default)]
pub struct Meter {
    pub octets: u64,
    pub packets: u64,
    pub again: u64,
    pub foreign: u64,
}

impl Watch for Meter {
    fn event(&mut self, _: Instant, event: Event) {
        match event {
            Event::Arrived { octets, order, .. } if order != Order::Again => {
                self.octets += octets as u64;
                self.packets += 1;
            }
            Event::Arrived { .. } => self.again += 1,
            Event::Read { octets, .. } => self.octets += octets as u64,
            Event::Foreign { .. } | Event::Damaged { .. } => self.foreign += 1,
            _ => {}
        }
    }
}

/// lwIP on the host.
#[derive(Debug)]
pub struct Stack(pub lwip::Host<Meter>);

impl InterfaceUser for Stack {
    fn wake(&mut self, now: Instant) {
        self.0.wake(now);
    }
    fn packet(&mut self, now: Instant, packet: &[u8]) -> bool {
        self.0.packet(now, packet);
        true
    }
    fn poll(&mut self, now: Instant) -> Option<Packet> {
        self.0.poll(now)
    }
    fn outcome(&mut self, now: Instant, outcome: Outcome) {
        let outcome = match outcome {
            Outcome::Taken => lwip::Outcome::Taken,
            Outcome::Blocked => lwip::Outcome::Blocked,
            Outcome::Refused => lwip::Outcome::Refused,
        };
        self.0.outcome(now, outcome);
    }
    fn room(&mut self, now: Instant) {
        self.0.room(now);
    }
    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }
    fn feed(&self) -> Feed {
        match self.0.waits() {
            Waits::Nothing => Feed::Ready,
            Waits::App => Feed::App,
            Waits::Cpu => Feed::Cpu,
            Waits::Cwnd => Feed::Cwnd,
            Waits::Window => Feed::Window,
            Waits::Rto => Feed::Rto,
            Waits::Delayed => Feed::Delayed,
            Waits::Refused => Feed::Refused,
        }
    }
    fn cwnd(&self) -> Option<u32> {
        self.0.cwnd()
    }
    fn holds_core(&self) -> Option<Instant> {
        Some(self.0.busy_until())
    }
    fn core_taken(&mut self, now: Instant, until: Instant) {
        self.0.core_taken(now, until);
    }
}

/// Linux at the far end.
#[derive(Debug)]
pub struct Far(pub linux::Host<Meter>);

impl InterfaceUser for Far {
    fn wake(&mut self, now: Instant) {
        self.0.wake(now);
    }
    fn packet(&mut self, now: Instant, packet: &[u8]) -> bool {
        self.0.packet(now, packet)
    }
    fn poll(&mut self, now: Instant) -> Option<Packet> {
        self.0.poll(now)
    }
    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }
    fn cwnd(&self) -> Option<u32> {
        self.0.cwnd()
    }
}

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Datagrams of so many octets, as fast as calls return or at a rate.
    UdpUp { payload: usize, rate: Option<Bitrate> },
    /// Datagrams at a rate.
    UdpDown { payload: usize, rate: Bitrate },
    /// A stream, in calls of so many octets.
    TcpUp { write: usize, nodelay: bool },
    /// A stream.
    TcpDown,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub test: Test,
    pub on_error: OnError,
    pub cell: CellConfig,
    pub path: PathConfig,
    pub lwip: lwip::Config,
    /// None: the stack sits right on the station.
    pub chain: Option<Personality>,
    pub span: Duration,
    pub seed: u64,
}

impl Scenario {
    /// Espressif's set-up of `docs/performance_optimization.md`: P4 and C6, 64 dynamic buffers, windows of 65,534.
    pub fn espressif(test: Test) -> Self {
        let personality = Personality::espressif();
        let mut cell = CellConfig::pair();
        cell.stations[0].tx_buffers = usize::from(personality.wifi_tx);
        let lwip = lwip::Config {
            snd_buf: 65_534,
            wnd: 65_534,
            sack_out: true,
            tcp_recvmbox: 64,
            udp_recvmbox: 64,
            tcpip_mbox: 64,
            core_locking: true,
            costs: P4,
            ..lwip::Config::default()
        };
        Self {
            test,
            on_error: OnError::Sleep(Duration::from_millis(1)),
            cell,
            path: personality.path,
            lwip,
            chain: Some(personality),
            span: Duration::from_secs(3),
            seed: 1,
        }
    }

    /// Nothing but the air is a limit.
    pub fn air(test: Test) -> Self {
        let mut scenario = Self::espressif(test);
        scenario.chain = None;
        scenario.lwip.costs = lwip::Costs::NONE;
        scenario
    }

    pub fn network<O: Observer>(&self, observer: O) -> Network<Stack, Far, O> {
        let pool = Pool::new();
        let (mut stack, mut far) = (
            lwip::Host::new(pool.clone(), HOST, self.lwip, Meter::default()),
            linux::Host::new(pool.clone(), FAR, linux::Config::default(), Meter::default()),
        );
        let (start, duration) = (Instant::from_nanos(1_000_000), self.span);
        match self.test {
            Test::UdpUp { payload, rate } => {
                let on_error = self.on_error;
                stack.send_datagrams(FAR, UdpSender { flow: FLOW, payload, rate, on_error, start, duration });
                far.take_datagrams(FLOW);
            }
            Test::UdpDown { payload, rate } => {
                let config = Datagrams { flow: FLOW, payload, rate, pace: Pace::default(), start, duration };
                far.send_datagrams(HOST, config);
                stack.take_datagrams(FLOW);
            }
            Test::TcpUp { write, nodelay } => {
                far.read_stream(FLOW);
                stack.write_stream(FAR, TcpSender { flow: FLOW, write, nodelay, octets: None, start, duration });
            }
            Test::TcpDown => {
                stack.read_stream(TcpSink { flow: FLOW, read: 16_384 });
                let stream =
                    tcp::Stream { flow: FLOW, write: 131_072, window: 4_194_304, octets: None, start, duration };
                far.write_stream(HOST, stream);
            }
        }
        let chain = self.chain.as_ref().map(|personality| personality.booted(&pool));
        let cell = Cell::new(self.cell.clone(), pool.clone(), self.seed);
        Network::new(&pool, self.path, cell, chain, Stack(stack), Far(far), observer)
    }

    pub fn run<O: Observer>(&self, observer: O) -> Network<Stack, Far, O> {
        let mut network = self.network(observer);
        network.start(Instant::ZERO);
        let mut event_loop = EventLoop::new(Instant::ZERO, &network);
        event_loop.run_until(&mut network, Instant::from_nanos(1_000_000) + self.span);
        network
    }

    /// Mbit/s of `octets` in the time of the test.
    pub fn mbps(&self, octets: u64) -> f64 {
        Bitrate::of(octets, self.span).0 as f64 / 1e6
    }
}

/// *Assumed* for an ESP32-P4 at 360 MHz: a few thousand cycles for a call and for a packet, 200 MB/s of copying.
const P4: lwip::Costs = lwip::Costs {
    call: Duration::from_micros(10),
    kilooctet: Duration::from_micros(5),
    segment: Duration::from_micros(15),
    input: Duration::from_micros(15),
    switch: Duration::from_micros(5),
};
