//! One connection: opening, closing, and the two directions.

mod patience;
mod receiver;
mod round_trip;
mod sender;

use core::net::Ipv4Addr;

use airtime_core::{Duration, Instant};

use super::{Config, Counters};
use crate::segment::{Head, TCP_OCTETS, flags};
use crate::tcp;
use crate::waits::Waits;
use crate::watch::{Event, Watch};
use crate::wire::{IPV4_OCTETS, Route};
use receiver::Receiver;
use sender::Sender;

/// RFC 6298, 2.1: before there is a round trip.
const FIRST_RTO: Duration = Duration::from_secs(1);
/// `net.ipv4.tcp_syn_retries`.
const SYN_RETRIES: u32 = 6;
/// `net.ipv4.tcp_synack_retries`.
const SYN_ACK_RETRIES: u32 = 5;
/// Linux draws it; connections of one host only need to be apart.
const FIRST_NUMBER: u32 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    SynSent,
    SynReceived,
    Established,
    Closed,
}

/// A connection and the program at its end.
#[derive(Debug)]
pub(super) struct Connection {
    config: Config,
    state: State,
    local: (Ipv4Addr, u16),
    remote: (Ipv4Addr, u16),
    iss: u32,
    /// A SYN, or its answer, is to be sent; and sent again then.
    syn_due: bool,
    syn_again: Instant,
    syn_tries: u32,
    /// The program that writes, if one does.
    writes: Option<tcp::Stream>,
    /// Set once the program that reads has seen the end.
    finished: bool,
    receiver: Receiver,
    sender: Sender,
}

impl Connection {
    fn new(config: Config, state: State, local: (Ipv4Addr, u16), remote: (Ipv4Addr, u16)) -> Self {
        Self {
            config,
            state,
            local,
            remote,
            iss: FIRST_NUMBER,
            syn_due: true,
            syn_again: Instant::FAR_FUTURE,
            syn_tries: 0,
            writes: None,
            finished: false,
            receiver: Receiver::new(&config),
            sender: Sender::new(&config, FIRST_NUMBER.wrapping_add(1)),
        }
    }

    /// Opens a connection whose stream is `writes`.
    pub fn connect(config: Config, local: (Ipv4Addr, u16), remote: (Ipv4Addr, u16), writes: tcp::Stream) -> Self {
        Self { writes: Some(writes), ..Self::new(config, State::SynSent, local, remote) }
    }

    /// Connection that answers the segment `syn`.
    pub fn accept(config: Config, local: (Ipv4Addr, u16), remote: (Ipv4Addr, u16), syn: &Head) -> Self {
        let mut connection = Self::new(config, State::SynReceived, local, remote);
        connection.take_syn(syn);
        connection
    }

    fn mss(&self) -> u16 {
        self.config.mtu.saturating_sub(IPV4_OCTETS + TCP_OCTETS).clamp(1, 0xffff) as u16
    }

    fn take_syn(&mut self, syn: &Head) {
        let sack = self.config.sack && syn.sack_permitted;
        self.receiver.open(syn.seq.wrapping_add(1), sack);
        // RFC 9293, 3.7.1: 536 octets where a SYN says nothing.
        let mss = syn.mss.unwrap_or(536).min(self.mss()).max(1);
        self.sender.open(mss, u32::from(syn.window), sack);
    }

    pub fn is_of(&self, port: u16, remote: (Ipv4Addr, u16)) -> bool {
        self.local.1 == port && self.remote == remote
    }

    pub fn route(&self) -> Route {
        Route { from: self.local.0, to: self.remote.0 }
    }

    pub fn cwnd(&self) -> Option<u32> {
        (self.state == State::Established && self.writes.is_some()).then(|| self.sender.cwnd_octets())
    }

    /// Reason that its program's stream stands still.
    pub fn waits(&self) -> Waits {
        match self.state == State::Established && self.writes.is_some() {
            true => self.sender.waits(),
            false => Waits::App,
        }
    }

    pub fn input(
        &mut self,
        now: Instant,
        head: &Head,
        payload: &[u8],
        counters: &mut Counters,
        watch: &mut impl Watch,
    ) {
        if self.state == State::Closed {
            return;
        }
        if head.has(flags::RST) {
            counters.aborted += 1;
            self.state = State::Closed;
            return;
        }
        if head.has(flags::SYN) && !self.syn(now, head) {
            return;
        }
        if self.state == State::SynReceived && head.has(flags::ACK) && head.ack == self.iss.wrapping_add(1) {
            self.establish();
        }
        if self.state != State::Established {
            return;
        }
        if head.has(flags::ACK) {
            self.sender.acknowledged(now, head, payload.is_empty(), counters);
        }
        let octets = self.receiver.take(now, head, payload, counters);
        if octets > 0 {
            watch.event(now, Event::Read { flow: self.local.1, octets });
        }
        if self.receiver.is_finished() && !self.finished {
            self.finished = true;
            watch.event(now, Event::Finished { flow: self.local.1 });
            if self.writes.is_none() {
                self.sender.close();
            }
        }
        self.write(now, watch);
    }

    /// A SYN, expected or repeated; says whether the rest of the segment counts.
    fn syn(&mut self, now: Instant, head: &Head) -> bool {
        match self.state {
            State::SynSent if head.has(flags::ACK) && head.ack == self.iss.wrapping_add(1) => {
                self.take_syn(head);
                self.receiver.ack_now();
                self.establish();
                true
            }
            // Our answer was lost.
            State::SynReceived => {
                self.syn_due = true;
                self.syn_again = now;
                false
            }
            _ => {
                self.receiver.ack_now();
                false
            }
        }
    }

    fn establish(&mut self) {
        self.state = State::Established;
        self.syn_due = false;
        self.syn_again = Instant::FAR_FUTURE;
    }

    /// The program writes as much as the send buffer has room for, and closes when its time is over.
    fn write(&mut self, now: Instant, watch: &mut impl Watch) {
        let Some(config) = self.writes.filter(|_| self.state == State::Established) else { return };
        if self.sender.is_closed() {
            return;
        }
        let write = config.write as u64;
        let written = self.sender.written();
        let over = now >= config.start + config.duration;
        // A call that has begun is not broken off.
        let end = if over { written.next_multiple_of(write) } else { u64::MAX };
        let end = end.min(config.octets.unwrap_or(u64::MAX));
        let octets = self.sender.write(end - written, config.window as u64);
        if octets > 0 {
            watch.event(now, Event::Written { flow: self.remote.1, octets: octets as usize });
        }
        if written + octets == end {
            self.sender.close();
        }
    }

    pub fn wake(&mut self, now: Instant, counters: &mut Counters, watch: &mut impl Watch) {
        if self.syn_again <= now {
            self.syn_due = true;
            let retries = if self.state == State::SynSent { SYN_RETRIES } else { SYN_ACK_RETRIES };
            if self.syn_tries > retries {
                counters.aborted += 1;
                self.state = State::Closed;
            }
        }
        self.receiver.wake(now, counters);
        if self.sender.wake(now, counters) {
            counters.aborted += 1;
            self.state = State::Closed;
        }
        self.write(now, watch);
    }

    /// The next segment: its header, where its payload lies in the stream, how long it is.
    pub fn poll(&mut self, now: Instant, counters: &mut Counters) -> Option<(Head, u64, usize)> {
        match self.state {
            State::Closed => None,
            State::SynSent | State::SynReceived => self.poll_syn(now),
            State::Established => {
                if let Some((seq, offset, len, fin)) = self.sender.poll(now, counters) {
                    let bits = if fin { flags::FIN } else { 0 } | if len > 0 { flags::PSH } else { 0 };
                    let head = self.head(seq, flags::ACK | bits);
                    self.receiver.acknowledged();
                    return Some((head, offset, len));
                }
                self.sender.watch_window(now);
                let probe = self.sender.take_probe();
                if probe.is_none() && !self.receiver.wants_ack() {
                    return None;
                }
                counters.acks += 1;
                let seq = probe.unwrap_or(self.sender.next());
                let mut head = self.head(seq, flags::ACK);
                self.receiver.fill(&mut head);
                self.receiver.acknowledged();
                Some((head, 0, 0))
            }
        }
    }

    fn poll_syn(&mut self, now: Instant) -> Option<(Head, u64, usize)> {
        if !core::mem::take(&mut self.syn_due) {
            return None;
        }
        self.syn_again = now + FIRST_RTO * (1 << self.syn_tries.min(SYN_RETRIES));
        self.syn_tries += 1;
        let (bits, ack) = match self.state {
            State::SynSent => (flags::SYN, 0),
            _ => (flags::SYN | flags::ACK, self.receiver.next()),
        };
        let sack_permitted = if self.state == State::SynSent { self.config.sack } else { self.receiver.sacks() };
        let head = Head { ack, mss: Some(self.mss()), sack_permitted, ..self.head(self.iss, bits) };
        Some((head, 0, 0))
    }

    fn head(&self, seq: u32, bits: u8) -> Head {
        Head {
            from_port: self.local.1,
            to_port: self.remote.1,
            seq,
            ack: self.receiver.next(),
            flags: bits,
            window: self.config.window,
            ..Head::default()
        }
    }

    pub fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Closed => None,
            State::Established => self.receiver.deadline().into_iter().chain(self.sender.deadline()).min(),
            _ => Some(self.syn_again).filter(|at| *at != Instant::FAR_FUTURE),
        }
    }
}
