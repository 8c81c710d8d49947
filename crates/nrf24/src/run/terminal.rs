//! Terminal above a TUN device in a run: the applications of one end.

use alloc::boxed::Box;
use core::net::Ipv4Addr;

use crate::host::TunUser;
use crate::rf24::is_whole;
use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_net::pace::Pace as Paced;
use airtime_net::ping::Ping;
use airtime_net::tcp::Stream;
use airtime_net::udp::Datagrams;
use airtime_net::{Event, IpHost, Watch};

use crate::plan::Scenario;
use airtime_net::traffic::{Pace, Transport};

/// Addresses of `a` and `b`.
pub const ADDRESSES: [Ipv4Addr; 2] = [Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2)];

/// The port of the first flow: iperf3's.
const PORT: u16 = 5_201;

/// Octets behind the ICMP header of ping(8) by default.
const PING_OCTETS: usize = 56;

/// The applications of one end with the TUN device below them, or the one that takes raw frames.
pub enum Terminal<W> {
    /// Host of IP, above a TUN device.
    Ip(Box<IpHost<W>>),
    /// Raw frames, and who is told of them.
    Raw(W),
}

impl<W: Watch> Terminal<W> {
    /// End `end` of `scenario`, which sends from `start` on, for as long as the run lasts.
    pub fn new(scenario: &Scenario, end: usize, seed: u64, start: Instant, pool: &Pool, watch: W) -> Self {
        if scenario.is_raw() {
            return Self::Raw(watch);
        }
        let mut terminal = IpHost::new(pool.clone(), ADDRESSES[end], usize::from(scenario.tunnel.mtu), seed, watch);
        let traffic = &scenario.traffic;
        for flow in (PORT..).take(usize::from(traffic.flows)) {
            if traffic.direction.sends(end) {
                send(&mut terminal, scenario, ADDRESSES[1 - end], flow, start);
            }
            if traffic.direction.receives(end) {
                match traffic.transport() {
                    Transport::Udp { .. } => terminal.take_datagrams(flow),
                    Transport::Tcp { window, .. } => terminal.read_stream(flow, window as usize),
                }
            }
        }
        if let (0, Some(interval)) = (end, traffic.ping) {
            let duration = scenario.run.duration;
            terminal.ping(ADDRESSES[1], Ping { payload: PING_OCTETS, interval, start, duration });
        }
        Self::Ip(Box::new(terminal))
    }
}

/// One flow of what the plan sends.
fn send<W: Watch>(terminal: &mut IpHost<W>, scenario: &Scenario, to: Ipv4Addr, flow: u16, start: Instant) {
    let flows = u64::from(scenario.traffic.flows);
    let duration = scenario.run.duration;
    match scenario.traffic.transport() {
        Transport::Udp { payload, pace, .. } => {
            let mut rate = scenario.offered().unwrap_or_default();
            rate.0 = (rate.0 / flows).max(1);
            let pace = match pace {
                Pace::Constant => Paced::Constant,
                Pace::Iperf3 => Paced::Iperf3,
            };
            terminal.send_datagrams(to, Datagrams { flow, payload: payload.into(), rate, pace, start, duration });
        }
        Transport::Tcp { write, window, size } => {
            let octets = size.map(|size| size / flows);
            // A transfer lasts until it is through.
            let duration = if octets.is_some() { Duration::from_secs(86_400) } else { duration };
            terminal.write_stream(
                to,
                Stream { flow, write: write as usize, window: window as usize, octets, start, duration },
            );
        }
    }
}

impl<W: Watch> TunUser for Terminal<W> {
    fn wake(&mut self, now: Instant) {
        if let Self::Ip(end) = self {
            end.wake(now);
        }
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        match self {
            Self::Ip(end) => end.packet(now, packet),
            Self::Raw(watch) if is_whole(packet) => watch.event(now, Event::Read { flow: 0, octets: packet.len() }),
            Self::Raw(watch) => watch.event(now, Event::Damaged { flow: 0, octets: packet.len() }),
        }
    }

    fn poll(&mut self, now: Instant) -> Option<Packet> {
        match self {
            Self::Ip(end) => end.poll(now),
            Self::Raw(_) => None,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match self {
            Self::Ip(end) => end.deadline(),
            Self::Raw(_) => None,
        }
    }
}
