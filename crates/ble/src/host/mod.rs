//! The host: GAP, ATT/GATT and L2CAP over H4 bytes, and the CPU they run on.
//!
//! [`Host`] is one node. Below it speaks H4 bytes and nothing else; above it takes [`Request`]s
//! from an application and gives [`HostEvent`]s back.

mod acl;
mod api;
mod att;
mod commands;
mod cpu;
mod events;
mod gap;
mod intervals;
mod l2cap;
mod link;
mod procedures;
mod reassembly;
mod requests;
mod security;
mod startup;
mod starved;
mod transmit;

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use airtime_core::random::Stream;
use airtime_core::{Instant, Pool};

pub use api::*;

use acl::Buffers;
use att::RPC_SERVICE_UUID;
use commands::Out;
use cpu::{Cpu, Work};
use gap::Scan;
use link::{Link, Local};

/// ACL packets that may wait for the CPU of a host without flow control. A real one loses data when
/// its buffers overflow; events are never lost.
const INBOUND_MAX: usize = 4096;

/// A host with its CPU, one node.
///
/// [`request`](Host::request) is a mutation like [`handle`](Host::handle): drain
/// [`poll`](Host::poll) after it. A new host has its first command to give: drain it once before the
/// first event, or wake it at its deadline, the start of the run.
#[derive(Debug)]
pub struct Host {
    config: HostConfig,
    out: Out,
    cpu: Cpu,
    buffers: Buffers,
    local: Local,
    links: Vec<Link>,
    /// Index of the link whose turn it is to send.
    turn: usize,
    address: Address,
    advertising: bool,
    /// A scan that nobody asked to find anything.
    observing: bool,
    scan: Option<Scan>,
    /// The device found last, with its address type.
    found: Option<(Address, u8)>,
    connecting: Option<Instant>,
    malformed: u64,
    overflowed: u64,
    polled: bool,
}

impl Host {
    /// A host that will reset and configure its controller, then tell [`HostEvent::Ready`].
    pub fn new(config: HostConfig, pool: Pool) -> Self {
        let mut host = Self {
            out: Out::new(pool),
            cpu: Cpu::new(&config.personality),
            buffers: Buffers::new(config.personality.l2cap_tx_buffers, config.personality.conn_tx_max),
            local: Local::new(config.values),
            links: Vec::new(),
            turn: 0,
            address: [0; 6],
            advertising: false,
            observing: false,
            scan: None,
            found: None,
            connecting: None,
            malformed: 0,
            overflowed: 0,
            polled: false,
            config,
        };
        host.start_up();
        host
    }

    /// Draws what its latency varies by from `chance` from now on.
    pub fn draw_from(&mut self, chance: Stream) {
        self.cpu.draw_from(chance);
    }

    /// Takes a request of the application.
    ///
    /// # Errors
    /// [`Refused`] says why a request was not taken; nothing of it was done then.
    pub fn request(&mut self, now: Instant, request: Request<'_>) -> Result<(), Refused> {
        self.local.now = now;
        let taken = self.on_request(now, &request);
        self.pump();
        self.run(now);
        taken
    }

    /// Takes what the CPU has finished by `now`, and starts what it can start.
    fn run(&mut self, now: Instant) {
        self.local.now = now;
        while let Some(work) = self.cpu.next(now) {
            match work {
                Work::Inbound(packet) => self.on_packet(&packet),
                Work::Made(made) => self.on_made(made),
            }
            self.pump();
        }
    }

    fn arrive(&mut self, now: Instant, bytes: &[u8]) {
        if self.cpu.is_instant() {
            self.on_packet(bytes);
            return self.pump();
        }
        let is_acl = bytes.first() == Some(&crate::hci::ACL_DATA);
        if is_acl && self.cpu.inbound_waiting() >= INBOUND_MAX {
            self.overflowed += 1;
            return;
        }
        self.cpu.arrive(now, self.out.pool.copy(bytes));
    }
}

impl Host {
    /// One mutation at `now`, which never runs backwards.
    pub fn handle(&mut self, now: Instant, input: HostInput<'_>) {
        self.polled = true;
        // What has ended by now comes before what arrives now.
        self.run(now);
        match input {
            HostInput::Wake => {
                self.check_scan(now);
                self.check_connecting(now);
                let overdue = self.links.iter_mut().filter_map(|link| link.att.check_answer(now));
                overdue.for_each(|event| self.out.event(event));
            }
            HostInput::Hci(bytes) => {
                self.arrive(now, bytes);
                self.run(now);
            }
        }
    }

    /// The next output of the last mutation; drained to none.
    pub fn poll(&mut self, _now: Instant) -> Option<HostOutput> {
        self.polled = true;
        self.out.take()
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        if !self.polled {
            return Some(Instant::ZERO);
        }
        let scan = self.scan.as_ref().map(|scan| scan.until);
        let connecting = self.connecting.filter(|until| *until != Instant::FAR_FUTURE);
        let answers = self.links.iter().filter_map(|link| link.att.deadline());
        self.cpu.deadline().into_iter().chain(scan).chain(connecting).chain(answers).min()
    }
}

/// Gauges.
impl Host {
    /// The address its controller has told; zero before [`HostEvent::Ready`].
    pub fn address(&self) -> Address {
        self.address
    }

    /// Controller buffers that are free as far as this host knows.
    pub fn free_acl_buffers(&self) -> usize {
        self.buffers.acl_free
    }

    /// L2CAP transmit buffers that are free.
    pub fn free_l2cap_buffers(&self) -> usize {
        self.buffers.l2cap_free
    }

    /// True while the stream task makes an SDU or a value.
    pub fn is_making(&self) -> bool {
        self.cpu.is_making(|_| true)
    }

    /// HCI packets that the Bluetooth task has not taken in.
    pub fn waiting_packets(&self) -> usize {
        self.cpu.inbound_waiting()
    }

    /// Random numbers that its latency has taken.
    pub fn random_draws(&self) -> u64 {
        self.cpu.drawn()
    }

    /// K-frames this host may send on a channel, and K-frames its peer may: credits of both ends.
    pub fn credits(&self, conn: ConnHandle, channel: ChannelId) -> Option<(u16, u16)> {
        let channel = self.channel(conn, channel)?;
        Some((channel.sender.credits, channel.receiver.credits.outstanding()))
    }

    /// SDUs of a channel, or values with [`ATT_CHANNEL`], that are not wholly with the controller.
    pub fn queued(&self, conn: ConnHandle, channel: ChannelId) -> usize {
        if channel == ATT_CHANNEL {
            return self.links.iter().find(|link| link.handle == conn).map_or(0, |link| link.att.queued);
        }
        self.channel(conn, channel).map_or(0, |channel| channel.sender.queued)
    }

    /// The device at the other end of a connection.
    pub fn peer(&self, conn: ConnHandle) -> Option<Address> {
        self.links.iter().find(|link| link.handle == conn).map(|link| link.peer)
    }

    /// Packets from the controller that made no sense, and ACL packets dropped for want of room.
    pub fn dropped_packets(&self) -> (u64, u64) {
        (self.malformed, self.overflowed)
    }

    fn channel(&self, conn: ConnHandle, channel: ChannelId) -> Option<&l2cap::channel::Channel> {
        let link = self.links.iter().find(|link| link.handle == conn)?;
        link.channels.iter().find(|c| c.id == channel && c.is_open())
    }
}
