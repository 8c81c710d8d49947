//! Applications that write and read streams, with blocking calls (src/api/{api_msg,sockets}.c).

use core::net::Ipv4Addr;

use airtime_core::{Duration, Instant};

use super::host::Host;
use super::pcb::{Out, Pcb, State};
use super::{Config, Counters, TcpSender, TcpSink, Waits};
use crate::segment::{Head, order};
use crate::watch::{Event, Watch};

/// The first of the ports connections come from (src/core/tcp.c, `TCP_LOCAL_PORT_RANGE_START`).
const FIRST_PORT: u16 = 0xc000;
/// The first sequence number of the first connection (src/core/tcp.c, `INITIAL_MSL` counter starts at 6510).
const FIRST_NUMBER: u32 = 6_510;

#[derive(Debug)]
pub(super) enum Role {
    Writer(Writer),
    Reader(Reader),
}

#[derive(Debug)]
pub(super) struct Writer {
    config: TcpSender,
    /// Octets of the call under way that had no room yet; none: no call.
    left: Option<usize>,
    written: u64,
    finished: bool,
}

#[derive(Debug)]
pub(super) struct Reader {
    config: TcpSink,
    /// Octets of the stretch taken out of the mailbox last that were not read yet.
    held: u32,
    finished: bool,
}

/// A stream and the program at its end.
#[derive(Debug)]
pub(super) struct Stream {
    pub role: Role,
    remote: (Ipv4Addr, u16),
    port: u16,
    pcb: Option<Pcb>,
    free: Instant,
    /// A segment whose round trip is taken, to tell silence from waiting.
    timed: Option<(u32, Instant)>,
    /// The longest round trip so far.
    longest: Duration,
    /// Instant at which something was sent or acknowledged last.
    progress: Instant,
}

impl Stream {
    pub fn writer(remote: (Ipv4Addr, u16), nth: u16, config: TcpSender) -> Self {
        assert!(config.write > 0, "a write has octets");
        let role = Role::Writer(Writer { config, left: None, written: 0, finished: false });
        Self::new(role, remote, FIRST_PORT + nth % 0x3fff, config.start)
    }

    pub fn reader(config: TcpSink) -> Self {
        assert!(config.read > 0, "a read has octets");
        let role = Role::Reader(Reader { config, held: 0, finished: false });
        Self::new(role, (Ipv4Addr::UNSPECIFIED, 0), config.flow, Instant::ZERO)
    }

    fn new(role: Role, remote: (Ipv4Addr, u16), port: u16, free: Instant) -> Self {
        let (longest, progress) = (Duration::ZERO, Instant::ZERO);
        Self { role, remote, port, pcb: None, free, timed: None, longest, progress }
    }

    pub fn pcb(&self) -> Option<&Pcb> {
        self.pcb.as_ref()
    }

    pub fn pcb_mut(&mut self) -> Option<&mut Pcb> {
        self.pcb.as_mut()
    }

    pub fn has_output(&self) -> bool {
        self.pcb.as_ref().is_some_and(Pcb::has_output)
    }

    pub fn is_of(&self, port: u16, remote: (Ipv4Addr, u16)) -> bool {
        self.port == port && self.remote == remote && self.pcb.is_some()
    }

    pub fn listens_on(&self, port: u16) -> bool {
        self.port == port && self.pcb.is_none() && matches!(self.role, Role::Reader(_))
    }

    pub fn accept(&mut self, config: Config, local: (Ipv4Addr, u16), remote: (Ipv4Addr, u16), syn: &Head) {
        self.remote = remote;
        self.pcb = Some(Pcb::accept(config, local, remote, syn, FIRST_NUMBER));
    }

    /// Takes the interface's answer to the segment it was offered.
    pub fn outcome(&mut self, now: Instant, out: Out, taken: bool, counters: &mut Counters) {
        let Some(pcb) = &mut self.pcb else { return };
        if taken {
            pcb.taken(out, counters);
            if out == Out::Segment {
                self.progress = now;
                self.timed.get_or_insert((pcb.snd_nxt, now));
            }
        } else {
            pcb.refused(out);
        }
    }

    pub fn is_writer(&self) -> bool {
        matches!(self.role, Role::Writer(_))
    }

    pub fn busy_until(&self) -> Instant {
        if self.is_writer() { self.free } else { Instant::ZERO }
    }

    pub fn not_before(&mut self, free: Instant) {
        self.free = self.free.max(free);
    }

    /// Instant at which its program has something to do.
    pub fn deadline(&self) -> Option<Instant> {
        let ready = match (&self.role, &self.pcb) {
            (Role::Writer(writer), None) => !writer.finished,
            (Role::Writer(writer), Some(pcb)) => {
                !writer.finished && writer.left.is_none() && pcb.state == State::Established
            }
            (Role::Reader(_), None) => false,
            (Role::Reader(reader), Some(pcb)) => {
                !reader.finished && (reader.held > 0 || !pcb.recvmbox.is_empty() || pcb.fin_received)
            }
        };
        ready.then_some(self.free)
    }

    /// Instant from which silence is longer than any round trip so far.
    pub fn quiet_at(&self) -> Option<Instant> {
        let waits = self.pcb.as_ref().is_some_and(|pcb| !pcb.unacked.is_empty());
        (waits && !self.longest.is_zero()).then(|| self.progress + self.longest)
    }

    pub fn waits(&self, now: Instant) -> Waits {
        let (Role::Writer(writer), Some(pcb)) = (&self.role, &self.pcb) else { return Waits::App };
        if pcb.is_over() {
            return Waits::App;
        }
        if self.quiet_at().is_some_and(|at| at <= now) {
            return Waits::Rto;
        }
        if pcb.was_refused() {
            return Waits::Refused;
        }
        if pcb.nagle_holds() {
            return Waits::Delayed;
        }
        if pcb.unsent.is_empty() && writer.left.is_none() {
            let calls = !writer.finished && self.free > now && now >= writer.config.start;
            return if calls { Waits::Cpu } else { Waits::App };
        }
        if pcb.cwnd < pcb.snd_wnd && (pcb.cwnd < pcb.config.snd_buf || !pcb.unsent.is_empty()) {
            Waits::Cwnd
        } else {
            Waits::Window
        }
    }

    /// Takes the time of a round trip that `ack` ends.
    fn hear(&mut self, now: Instant, before: u32) {
        let Some(pcb) = &self.pcb else { return };
        if pcb.lastack == before {
            return;
        }
        self.progress = now;
        if let Some((_, sent_at)) = self.timed.filter(|(seq, _)| order::up_to(*seq, pcb.lastack)) {
            self.timed = None;
            // What a timeout has sent again is no measure (Karn).
            if !pcb.in_rto {
                self.longest = self.longest.max(now - sent_at);
            }
        }
    }
}

impl<W: Watch> Host<W> {
    /// A segment for the stream `at` has come in.
    pub(super) fn stream_input(&mut self, now: Instant, at: usize, head: &Head, payload: &[u8], ticks: u32) {
        let stream = &mut self.streams[at];
        let Some(pcb) = &mut stream.pcb else { return };
        let before = pcb.lastack;
        let heard = pcb.input(head, payload, ticks, &mut self.counters);
        stream.hear(now, before);
        if heard.connected {
            // `connect` or `accept` returns.
            stream.free = stream.free.max(now) + self.config.costs.switch;
        }
        if heard.sent {
            self.write_more(now, at);
        }
    }

    /// A program whose turn it is does its next call; says whether one did.
    pub(super) fn stream_call(&mut self, now: Instant) -> bool {
        let due = |stream: &Stream| stream.deadline().is_some_and(|due| due <= now);
        let Some(at) = self.streams.iter().position(due) else { return false };
        if !self.streams[at].is_writer() {
            self.read(now, at);
        } else if self.streams[at].pcb.is_none() {
            self.connect(now, at);
        } else {
            self.write(now, at);
        }
        true
    }

    fn connect(&mut self, now: Instant, at: usize) {
        self.start_timers(now);
        let free = self.after_call(now, Duration::ZERO);
        let config = self.config;
        let stream = &mut self.streams[at];
        let Role::Writer(writer) = &stream.role else { return };
        // lwIP counts on by ticks; streams of one host only need to be apart.
        let number = FIRST_NUMBER.wrapping_add(0x0100_0000 * at as u32);
        let local = (self.local, stream.port);
        stream.pcb = Some(Pcb::connect(config, local, stream.remote, writer.config.nodelay, number));
        stream.free = free;
    }

    /// `send`: the next call of a writer, or `close` when it has written all or its time is over.
    fn write(&mut self, now: Instant, at: usize) {
        let stream = &mut self.streams[at];
        let Role::Writer(writer) = &mut stream.role else { return };
        let Some(pcb) = &mut stream.pcb else { return };
        let config = writer.config;
        let open = config.octets.map_or(u64::MAX, |octets| octets - writer.written);
        if open == 0 || now >= config.start + config.duration {
            writer.finished = true;
            pcb.close();
            return;
        }
        writer.left = Some((config.write as u64).min(open) as usize);
        self.counters.calls += 1;
        self.streams[at].free = self.after_call(now, Duration::ZERO);
        self.write_more(now, at);
    }

    /// `lwip_netconn_do_writemore`: what has room of the call under way goes into the send buffer; also when octets were
    /// acknowledged, and when `poll_tcp` comes round.
    pub(super) fn write_more(&mut self, now: Instant, at: usize) {
        let stream = &mut self.streams[at];
        let Role::Writer(writer) = &mut stream.role else { return };
        let (Some(pcb), Some(left)) = (&mut stream.pcb, writer.left) else { return };
        let more = pcb.snd_buf < left as u32;
        let octets = pcb.write(left, more);
        pcb.output();
        if octets == 0 {
            return;
        }
        writer.written += octets as u64;
        writer.left = Some(left - octets).filter(|left| *left > 0);
        let (flow, done) = (writer.config.flow, writer.left.is_none());
        self.accepted += octets as u64;
        self.watch.event(now, Event::Written { flow, octets });
        self.charge(now, self.config.costs.copy(octets));
        if done {
            // A task that waited is woken.
            let waited = self.streams[at].free <= now;
            let switch = if waited { self.config.costs.switch } else { Duration::ZERO };
            let free = self.streams[at].free.max(self.stack_free) + switch;
            self.streams[at].free = free;
        }
    }

    /// `recv`, again and again.
    fn read(&mut self, now: Instant, at: usize) {
        let stream = &mut self.streams[at];
        let Role::Reader(reader) = &mut stream.role else { return };
        let Some(pcb) = &mut stream.pcb else { return };
        let mut octets = 0;
        while octets < reader.config.read as u32 {
            if reader.held == 0 {
                reader.held = pcb.recvmbox.pop_front().unwrap_or(0);
            }
            let take = reader.held.min(reader.config.read as u32 - octets);
            if take == 0 {
                break;
            }
            reader.held -= take;
            octets += take;
        }
        let flow = reader.config.flow;
        if octets == 0 {
            if pcb.process_refused() && pcb.recvmbox.is_empty() {
                reader.finished = true;
                pcb.close();
                self.watch.event(now, Event::Finished { flow });
            }
            return;
        }
        pcb.recved(octets);
        self.watch.event(now, Event::Read { flow, octets: octets as usize });
        let costs = self.config.costs;
        self.streams[at].free = self.after_call(now, costs.copy(octets as usize) + costs.switch);
    }
}
