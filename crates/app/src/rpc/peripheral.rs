//! The called end: advertises, takes one connection at a time, and serves on whatever its client's first frame comes on.

use airtime_core::{Duration, Instant};
use airtime_rpc::server::{Faults, Server, ServerConfig};
use airtime_rpc::{CallId, Service};

use super::carrier::Carrier;
use super::{BUFFER, FrameConfig, Secrets};
use crate::config::{Direction, IntervalConfig, StreamConfig, Transport};
use crate::{ATT_CHANNEL, Command, Event, Link, Reasons, Wait};

/// A peripheral that is called.
#[derive(Clone, Copy, Debug)]
pub struct PeripheralConfig {
    /// Set-up: the way in which it is found and connected. Its stream does not count.
    pub set_up: crate::PeripheralConfig,
    /// Configuration of the RPC server.
    pub server: ServerConfig,
    /// Transport of the frames.
    pub frames: FrameConfig,
}

impl PeripheralConfig {
    /// Interval that the published peripheral asks its central for: 15 to 30 ms, 12..24 in units of 1.25 ms, without
    /// latency, and a supervision timeout of 1 s. As its stack does, it asks only where the interval lies outside.
    pub const PUBLISHED: IntervalConfig = IntervalConfig {
        request: Some(Duration::from_millis(30)),
        request_from: Some(Duration::from_millis(15)),
        request_after: Duration::ZERO,
        change_at: None,
        latency: 0,
        supervision_timeout: Duration::from_secs(1),
    };
}

/// The peripheral of remote calls; `V` is what it serves.
#[derive(Debug)]
pub struct Peripheral<V, R, const OCTETS: usize = BUFFER> {
    below: crate::Peripheral,
    server: Server<OCTETS>,
    service: V,
    secrets: R,
    carrier: Carrier,
    subscribed: bool,
}

impl<V: Service, R: Secrets, const OCTETS: usize> Peripheral<V, R, OCTETS> {
    /// A peripheral that begins with [`Event::Ready`].
    pub fn new(config: PeripheralConfig, service: V, secrets: R) -> Self {
        let stream = StreamConfig { direction: Direction::C2p, ..config.set_up.stream };
        Self {
            below: crate::Peripheral::new(crate::PeripheralConfig { stream, ..config.set_up }),
            server: Server::new(config.server),
            service,
            secrets,
            carrier: Carrier::new(config.frames),
            subscribed: false,
        }
    }

    /// Takes one event; the machine is then to be polled until it has no more to say.
    pub fn handle(&mut self, now: Instant, event: Event) {
        self.below.handle(now, event);
        self.carrier.note(&event);
        match event {
            Event::Connected { conn, peer, .. } if self.index(conn).is_some() => {
                self.subscribed = false;
                self.carrier.begin(conn, peer);
            }
            Event::Subscribed { conn } if self.index(conn).is_some() => self.subscribed = true,
            Event::Disconnected { conn, .. } if self.carrier.link().is_some_and(|(own, _)| own == conn) => {
                self.gone(now);
                self.carrier.end();
            }
            Event::ChannelClosed { conn, channel } if self.carrier.carries(conn, channel) => {
                self.gone(now);
                self.carrier.close();
            }
            Event::Wake if self.server.deadline().is_some_and(|due| due <= now) => {
                self.server.wake(now, &mut self.service);
            }
            _ => {}
        }
    }

    /// Takes a whole SDU or value that has arrived.
    pub fn receive(&mut self, now: Instant, conn: u16, channel: u16, octets: &[u8]) {
        if self.carrier.channel().is_none() && self.index(conn).is_some() {
            self.connect(now, channel);
        }
        if self.carrier.carries(conn, channel) {
            self.server.receive(now, octets, &mut self.service);
        }
    }

    /// The next command, until there is none. Before it is asked, everything that happened at this instant should have been
    /// told: answers that are ready together share frames.
    pub fn poll(&mut self, now: Instant) -> Option<Command> {
        if let Some(command) = self.below.poll(now) {
            return Some(command);
        }
        if self.carrier.channel() == Some(ATT_CHANNEL) && !self.subscribed {
            return None;
        }
        let (server, service) = (&mut self.server, &mut self.service);
        self.carrier.send(|into| server.transmit(now, into, service))
    }

    /// Instant at which it wants [`Event::Wake`].
    pub fn deadline(&self) -> Option<Instant> {
        let server = self.carrier.channel().and_then(|_| self.server.deadline());
        self.below.deadline().into_iter().chain(server).min()
    }

    /// Reason that it gives its host no more frames.
    pub fn wait(&self) -> Wait {
        if self.carrier.is_full() { Wait::InFlight } else { Wait::Idle }
    }

    /// Writes the frame that the last [`Command::Send`] asked for.
    pub fn fill(&self, frame: &mut [u8]) {
        self.carrier.fill(frame);
    }

    /// The number of the frame that the last [`Command::Send`] asked for, from zero on each connection.
    pub fn sequence(&self) -> u64 {
        self.carrier.sequence()
    }

    /// The service said [`Next::Later`](airtime_rpc::Next::Later) of this call and has something now; poll the machine afterwards.
    pub fn resume(&mut self, call: CallId) {
        self.server.resume(call);
    }

    /// The service.
    pub fn service(&self) -> &V {
        &self.service
    }

    /// The service, to tell it something.
    pub fn service_mut(&mut self) -> &mut V {
        &mut self.service
    }

    /// Counts of all that the server has dropped or refused.
    pub fn faults(&self) -> Faults {
        self.server.faults()
    }

    /// The channel that frames travel on, once that is settled.
    pub fn channel(&self) -> Option<u16> {
        self.carrier.channel()
    }

    /// The connection, or the last one there was.
    pub fn link(&self) -> Option<&Link> {
        self.below.link()
    }

    /// Zero for the live connection.
    pub fn index(&self, conn: u16) -> Option<usize> {
        self.link().filter(|link| link.is_connected() && link.conn() == conn).map(|_| 0)
    }

    /// Reasons with which connections ended.
    pub fn reasons(&self) -> Reasons {
        self.below.reasons()
    }

    /// The first frame of a connection says what frames travel on.
    fn connect(&mut self, now: Instant, channel: u16) {
        let Some((_, peer)) = self.carrier.link() else { return };
        let transport = if channel == ATT_CHANNEL { Transport::Gatt } else { Transport::Coc };
        if let Some(frame) = self.carrier.settle(transport) {
            self.server.connected(now, frame, self.secrets.server(peer));
        }
    }

    /// Notes that the carrier of the frames is gone.
    fn gone(&mut self, now: Instant) {
        if self.carrier.channel().is_some() {
            self.server.disconnected(now, &mut self.service);
        }
    }
}
