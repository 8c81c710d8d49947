//! Users of both interfaces in a run: the applications of the host above lwIP or Linux, and those of the far end.

use alloc::boxed::Box;
use core::net::Ipv4Addr;

use crate::network::{InterfaceUser, Outcome};
use crate::plan::Scenario;
use crate::trace::Feed;
use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_net::lwip::{self, TcpSender, TcpSink, UdpSender, Waits};
use airtime_net::pace::Pace as Paced;
use airtime_net::ping::Ping;
use airtime_net::tcp::Stream;
use airtime_net::traffic::{Pace, Transport};
use airtime_net::udp::Datagrams;
use airtime_net::{Watch, linux};

use super::config;

/// Addresses of the ESP host and of the far end.
pub const ADDRESSES: [Ipv4Addr; 2] = [Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2)];

/// The port of the first flow: iperf's.
const PORT: u16 = 5_001;

/// Octets behind the ICMP header of ping(8) by default.
const PING_OCTETS: usize = 56;

/// Octets a receiving application takes in one call. *Assumed*: what the sending ones of the published test hand over.
const READ: usize = 16_384;

/// A transfer of a given size lasts until it is through.
const UNTIL_THROUGH: Duration = Duration::from_secs(86_400);

/// The applications of the host.
#[derive(Debug)]
pub enum HostEnd<W> {
    /// Above lwIP.
    Lwip(Box<lwip::Host<W>>),
    /// Above Linux.
    Linux(Box<LinuxHost<W>>),
}

/// The applications of a Linux host, and its queue in front of an interface that may be stopped.
#[derive(Debug)]
pub struct LinuxHost<W> {
    host: linux::Host<W>,
    /// The driver has stopped its queue: whoever sends waits in front of it, and so do the timers of streams, a few milliseconds at most.
    stopped: bool,
}

impl<W> LinuxHost<W> {
    /// Counters of its stack.
    pub fn counters(&self) -> linux::Counters
    where
        W: Watch,
    {
        self.host.counters()
    }
}

/// The applications of the far end, above Linux.
pub struct FarEnd<W>(pub linux::Host<W>);

impl<W: Watch> HostEnd<W> {
    /// The host's end of `scenario`, which sends from `start` on.
    pub fn new(scenario: &Scenario, start: Instant, pool: &Pool, watch: W) -> Self {
        if scenario.is_linux() {
            let host = linux_end(scenario, 0, start, pool, watch);
            Self::Linux(Box::new(LinuxHost { host, stopped: false }))
        } else {
            Self::Lwip(Box::new(lwip_end(scenario, start, pool, watch)))
        }
    }
}

/// The host's end above lwIP.
fn lwip_end<W: Watch>(scenario: &Scenario, start: Instant, pool: &Pool, watch: W) -> lwip::Host<W> {
    let mut host = lwip::Host::new(pool.clone(), ADDRESSES[0], config::stack(scenario), watch);
    let traffic = &scenario.traffic;
    let flows = u64::from(traffic.flows);
    for flow in (PORT..).take(usize::from(traffic.flows)) {
        match traffic.transport() {
            Transport::Udp { payload, offered, .. } => {
                if traffic.direction.sends(0) {
                    let rate = offered.map(|rate| Bitrate((rate.0 / flows).max(1)));
                    let on_error = config::on_error(scenario);
                    let (payload, duration) = (payload.into(), scenario.run.duration);
                    host.send_datagrams(ADDRESSES[1], UdpSender { flow, payload, rate, on_error, start, duration });
                }
                if traffic.direction.receives(0) {
                    host.take_datagrams(flow);
                }
            }
            Transport::Tcp { write, size, .. } => {
                if traffic.direction.sends(0) {
                    let octets = size.map(|size| size / flows);
                    let duration = if octets.is_some() { UNTIL_THROUGH } else { scenario.run.duration };
                    let nodelay = scenario.lwip.nodelay;
                    let write = write as usize;
                    host.write_stream(ADDRESSES[1], TcpSender { flow, write, nodelay, octets, start, duration });
                }
                if traffic.direction.receives(0) {
                    host.read_stream(TcpSink { flow, read: READ });
                }
            }
        }
    }
    host
}

/// The applications at `end` of `scenario`, 0 the host's and 1 the far one, above Linux.
fn linux_end<W: Watch>(scenario: &Scenario, end: usize, start: Instant, pool: &Pool, watch: W) -> linux::Host<W> {
    let mut host = linux::Host::new(pool.clone(), ADDRESSES[end], config::linux(), watch);
    let traffic = &scenario.traffic;
    for flow in (PORT..).take(usize::from(traffic.flows)) {
        if traffic.direction.sends(end) {
            send(&mut host, scenario, ADDRESSES[1 - end], flow, start);
        }
        if traffic.direction.receives(end) {
            match traffic.transport() {
                Transport::Udp { .. } => host.take_datagrams(flow),
                Transport::Tcp { .. } => host.read_stream(flow),
            }
        }
    }
    host
}

impl<W: Watch> FarEnd<W> {
    /// The far end of `scenario`, which sends from `start` on.
    pub fn new(scenario: &Scenario, start: Instant, pool: &Pool, watch: W) -> Self {
        let mut host = linux_end(scenario, 1, start, pool, watch);
        if let Some(interval) = scenario.traffic.ping {
            let duration = scenario.run.duration;
            host.ping(ADDRESSES[0], Ping { payload: PING_OCTETS, interval, start, duration });
        }
        Self(host)
    }
}

/// One flow from a Linux host.
fn send<W: Watch>(host: &mut linux::Host<W>, scenario: &Scenario, to: Ipv4Addr, flow: u16, start: Instant) {
    let flows = u64::from(scenario.traffic.flows);
    let duration = scenario.run.duration;
    match scenario.traffic.transport() {
        Transport::Udp { payload, offered, pace } => {
            // A Linux host feels nothing of the air: what saturates is half as much again as the PHY's rate.
            let phy = Bitrate(u64::from(scenario.phy().rate_kbps()) * 1_000);
            let mut rate = offered.unwrap_or_else(|| Datagrams::saturating(phy));
            rate.0 = (rate.0 / flows).max(1);
            let pace = match pace {
                Pace::Constant => Paced::Constant,
                Pace::Iperf3 => Paced::Iperf3,
            };
            host.send_datagrams(to, Datagrams { flow, payload: payload.into(), rate, pace, start, duration });
        }
        Transport::Tcp { write, window, size } => {
            let octets = size.map(|size| size / flows);
            let duration = if octets.is_some() { UNTIL_THROUGH } else { duration };
            let (write, window) = (write as usize, window as usize);
            host.write_stream(to, Stream { flow, write, window, octets, start, duration });
        }
    }
}

impl<W: Watch> InterfaceUser for HostEnd<W> {
    fn wake(&mut self, now: Instant) {
        match self {
            Self::Lwip(host) => host.wake(now),
            Self::Linux(linux) => linux.host.wake(now),
        }
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) -> bool {
        match self {
            Self::Lwip(host) => {
                host.packet(now, packet);
                true
            }
            Self::Linux(linux) => linux.host.packet(now, packet),
        }
    }

    fn poll(&mut self, now: Instant) -> Option<Packet> {
        match self {
            Self::Lwip(host) => host.poll(now),
            Self::Linux(linux) => linux.host.poll(now),
        }
    }

    fn outcome(&mut self, now: Instant, outcome: Outcome) {
        match self {
            Self::Lwip(host) => host.outcome(
                now,
                match outcome {
                    Outcome::Taken => lwip::Outcome::Taken,
                    Outcome::Blocked => lwip::Outcome::Blocked,
                    Outcome::Refused => lwip::Outcome::Refused,
                },
            ),
            Self::Linux(linux) => linux.stopped = outcome == Outcome::Blocked,
        }
    }

    fn room(&mut self, now: Instant) {
        match self {
            Self::Lwip(host) => host.room(now),
            Self::Linux(linux) => linux.stopped = false,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match self {
            Self::Lwip(host) => host.deadline(),
            Self::Linux(linux) if linux.stopped => None,
            Self::Linux(linux) => linux.host.deadline(),
        }
    }

    fn feed(&self) -> Feed {
        match self {
            Self::Lwip(host) => feed(host.waits()),
            Self::Linux(linux) => feed(linux.host.waits()),
        }
    }

    fn cwnd(&self) -> Option<u32> {
        match self {
            Self::Lwip(host) => host.cwnd(),
            Self::Linux(linux) => linux.host.cwnd(),
        }
    }

    fn holds_core(&self) -> Option<Instant> {
        match self {
            Self::Lwip(host) => Some(host.busy_until()),
            // A Raspberry Pi has four cores.
            Self::Linux(_) => None,
        }
    }

    fn core_taken(&mut self, now: Instant, until: Instant) {
        if let Self::Lwip(host) = self {
            host.core_taken(now, until);
        }
    }
}

/// The pipeline's word for what a host waits for.
fn feed(waits: Waits) -> Feed {
    match waits {
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

impl<W: Watch> InterfaceUser for FarEnd<W> {
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

    fn feed(&self) -> Feed {
        feed(self.0.waits())
    }

    fn cwnd(&self) -> Option<u32> {
        self.0.cwnd()
    }
}
