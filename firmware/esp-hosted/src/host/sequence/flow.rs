//! Datagrams and a stream to the far end, and what of them was accepted, by the second.

use alloc::vec;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};
use airtime_net::pace::{Pace, Pacer};
use airtime_net::payload::Stamp;
use airtime_net::tcp::{self, WINDOW, Writer};
use airtime_net::watch::{Event, Watch};
use log::{info, warn};
use smoltcp::iface::SocketHandle;
use smoltcp::socket::tcp::State;

use super::stack::Stack;

/// Octets of a datagram, and of one call of a stream, as in the published report.
const PAYLOAD: usize = 1_400;
const WRITE: usize = 16 * 1_024;
/// Time for what was accepted to leave.
const DRAIN: Duration = Duration::from_secs(2);
/// Time for which a peer of a stream says nothing before it is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// Interval of the log's figures.
const SECOND: Duration = Duration::from_secs(1);

/// The longest that datagrams and a stream of `span` take.
pub fn limit(span: Duration) -> Duration {
    span * 2 + DRAIN + PATIENCE * 2
}

/// Octets that were accepted, by the second and in all.
struct Meter {
    name: &'static str,
    begun: Instant,
    second: u32,
    since: Instant,
    octets: u64,
    total: u64,
}

impl Meter {
    fn new(now: Instant, name: &'static str) -> Self {
        Self { name, begun: now, second: 0, since: now, octets: 0, total: 0 }
    }

    fn take(&mut self, octets: usize) {
        self.octets += octets as u64;
        self.total += octets as u64;
    }

    /// Tells of the second that is over, if one is.
    fn roll(&mut self, now: Instant) -> bool {
        if now < self.since + SECOND {
            return false;
        }
        self.second += 1;
        let rate = Kbps::of(self.octets, now - self.since);
        info!("flow {} second {}: {rate} kbps accepted", self.name, self.second);
        (self.since, self.octets) = (now, 0);
        true
    }

    /// Instant at which the second under way is over.
    fn deadline(&self) -> Instant {
        self.since + SECOND
    }

    fn result(&self, span: Duration) -> Kbps {
        Kbps::of(self.total, span)
    }
}

impl Watch for Meter {
    fn event(&mut self, _: Instant, event: Event) {
        if let Event::Written { octets, .. } = event {
            self.take(octets);
        }
    }
}

/// Rate in tenths of 1000 bit/s.
struct Kbps(u64);

impl Kbps {
    fn of(octets: u64, span: Duration) -> Self {
        Self(octets.saturating_mul(80) / (span.as_micros() / 1_000).max(1))
    }
}

impl core::fmt::Display for Kbps {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

fn begins(meter: &Meter, octets: usize, (to, port): (Ipv4Addr, u16), span: Duration) {
    let seconds = span.as_micros() / 1_000_000;
    info!("flow {} begins: {octets} octets at a time to {to}:{port}, for {seconds} s", meter.name);
}

/// Datagrams, numbered and stamped as those of the laboratory are.
pub struct Datagrams {
    socket: SocketHandle,
    to: (Ipv4Addr, u16),
    pacer: Option<Pacer>,
    end: Instant,
    span: Duration,
    sent: u64,
    meter: Meter,
    payload: Vec<u8>,
}

impl Datagrams {
    pub fn new(now: Instant, stack: &mut Stack, to: (Ipv4Addr, u16), rate: Option<Bitrate>, span: Duration) -> Self {
        let meter = Meter::new(now, "udp");
        begins(&meter, PAYLOAD, to, span);
        Self {
            socket: stack.datagrams(to.1, PAYLOAD),
            to,
            pacer: rate.map(|rate| Pacer::new(Pace::Constant, rate, PAYLOAD, now, span)),
            end: now + span,
            span,
            sent: 0,
            meter,
            payload: vec![0; PAYLOAD],
        }
    }

    /// Sends what can be sent; tells if it has done anything.
    pub fn run(&mut self, now: Instant, stack: &mut Stack) -> bool {
        let mut any = self.meter.roll(now);
        let socket = stack.udp(self.socket);
        while now < self.end && socket.can_send() {
            if self.pacer.as_mut().is_some_and(|pacer| !pacer.take(now)) {
                break;
            }
            Stamp { sequence: self.sent, sent_at: now }.fill(&mut self.payload);
            if let Err(error) = socket.send_slice(&self.payload, self.to) {
                warn!("flow udp: a datagram is refused: {error}");
                break;
            }
            self.sent += 1;
            self.meter.take(PAYLOAD);
            any = true;
        }
        any
    }

    /// True when it is over: the time is, and what was sent has left or does not.
    pub fn is_over(&self, now: Instant, stack: &mut Stack) -> bool {
        let left = stack.udp(self.socket).send_queue() == 0 && stack.is_idle();
        now >= self.end && (left || now >= self.end + DRAIN)
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        if now >= self.end {
            return Some(self.end + DRAIN);
        }
        let due = self.pacer.as_ref().and_then(Pacer::deadline).filter(|due| *due > now);
        Some(due.into_iter().fold(self.meter.deadline().min(self.end), Instant::min))
    }

    /// Tells what it came to.
    pub fn finish(self, stack: &mut Stack) {
        let Meter { total, .. } = self.meter;
        let (rate, sent, throttled) = (self.meter.result(self.span), self.sent, stack.throttled());
        info!("flow udp RESULT accepted_kbps {rate} accepted_bytes {total} datagrams {sent} throttled {throttled}");
        stack.remove(self.socket);
    }
}

/// A stream, written as the laboratory's application writes one.
pub struct Stream {
    socket: SocketHandle,
    writer: Writer,
    end: Instant,
    span: Duration,
    meter: Meter,
    /// Set once it was connected, and why it ended before its time.
    open: bool,
    broken: bool,
}

impl Stream {
    pub fn new(now: Instant, stack: &mut Stack, to: (Ipv4Addr, u16), span: Duration) -> Self {
        let meter = Meter::new(now, "tcp");
        begins(&meter, WRITE, to, span);
        let stream = tcp::Stream { flow: to.1, write: WRITE, window: WINDOW, octets: None, start: now, duration: span };
        let socket = stack.stream(PATIENCE);
        let writer = Writer::new(to.0, stream);
        Self { socket, writer, end: now + span, span, meter, open: false, broken: false }
    }

    /// Writes what can be written; tells if it has done anything.
    pub fn run(&mut self, now: Instant, stack: &mut Stack) -> bool {
        let rolled = now < self.end + SECOND && self.meter.roll(now);
        let before = (self.writer.written(), self.writer.is_over());
        let (socket, context) = stack.tcp(self.socket);
        let state = socket.state();
        self.open |= state == State::Established;
        // A fresh socket is closed as well, until the writer connects it.
        self.broken |= state == State::Closed && !self.writer.is_over() && now > self.meter.begun;
        if !self.broken {
            self.writer.run(now, socket, context, &mut self.meter);
        }
        rolled || before != (self.writer.written(), self.writer.is_over())
    }

    /// True when it is over: everything is acknowledged, or the stream is broken.
    pub fn is_over(&self, now: Instant, stack: &mut Stack) -> bool {
        let (socket, _) = stack.tcp(self.socket);
        let told = matches!(socket.state(), State::Closed | State::FinWait2 | State::TimeWait);
        self.broken || self.writer.is_over() && told || now >= self.end + PATIENCE
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        let ends = if now < self.end { self.end } else { self.end + PATIENCE };
        let writer = self.writer.deadline().filter(|due| *due > now);
        let second = Some(self.meter.deadline()).filter(|_| now < self.end);
        [writer, second, Some(ends)].into_iter().flatten().min()
    }

    /// Tells what it came to.
    pub fn finish(self, stack: &mut Stack) {
        let Meter { total, .. } = self.meter;
        let left = stack.tcp(self.socket).0.send_queue();
        if !self.open {
            warn!("flow tcp: nobody takes a stream there");
        } else {
            if self.broken {
                warn!("flow tcp: the stream was broken off");
            }
            let rate = self.meter.result(self.span);
            info!("flow tcp RESULT accepted_kbps {rate} accepted_bytes {total} unacknowledged {left}");
        }
        stack.remove(self.socket);
    }
}
