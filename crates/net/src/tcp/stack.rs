//! The kernel of one end: its streams above smoltcp, smoltcp above the TUN device.

use alloc::vec::Vec;
use core::net::Ipv4Addr;

use airtime_core::{Instant, Packet, Pool};
use smoltcp::iface::{Config, Interface, PollResult, SocketHandle, SocketSet};
use smoltcp::socket::tcp::{CongestionControl, Socket, SocketBuffer};
use smoltcp::wire::{HardwareAddress, IpCidr};

use super::tap::Tap;
use super::{ACK_DELAY, Reader, Stream, Writer, clock};
use crate::watch::Watch;

/// Stack of an end that speaks TCP.
pub struct Stack {
    interface: Interface,
    sockets: SocketSet<'static>,
    tap: Tap,
    writers: Vec<(SocketHandle, Writer)>,
    readers: Vec<(SocketHandle, Reader)>,
    /// Instant at which smoltcp or an application wants to be woken.
    due: Option<Instant>,
}

impl Stack {
    /// A kernel with the address `local`; `seed` chooses its initial sequence numbers.
    pub fn new(pool: Pool, local: Ipv4Addr, mtu: usize, seed: u64) -> Self {
        let mut tap = Tap::new(pool, mtu);
        let mut config = Config::new(HardwareAddress::Ip);
        config.random_seed = seed;
        let mut interface = Interface::new(config, &mut tap, clock::floor(Instant::ZERO));
        interface.update_ip_addrs(|addresses| {
            // A prefix of no bits: every other address is at the far end of the TUN device.
            addresses.push(IpCidr::new(local.into(), 0)).expect("room for one address");
        });
        Self {
            interface,
            sockets: SocketSet::new(Vec::new()),
            tap,
            writers: Vec::new(),
            readers: Vec::new(),
            due: None,
        }
    }

    /// Adds an application that writes a stream to `to`.
    pub fn write(&mut self, to: Ipv4Addr, config: Stream) {
        // The writing end receives acknowledgements only.
        let handle = self.socket(1, config.window);
        self.writers.push((handle, Writer::new(to, config)));
        self.due = Some(self.due.map_or(config.start, |due| due.min(config.start)));
    }

    /// Adds an application that waits for a stream at port `flow`, with a receive buffer of `window` octets.
    pub fn read(&mut self, flow: u16, window: usize) {
        let handle = self.socket(window, 1);
        self.sockets.get_mut::<Socket<'_>>(handle).listen(flow).expect("a fresh socket and a port that is not zero");
        self.readers.push((handle, Reader::new(flow)));
    }

    fn socket(&mut self, receive: usize, send: usize) -> SocketHandle {
        let buffer = |octets: usize| SocketBuffer::new(alloc::vec![0; octets]);
        let mut socket = Socket::new(buffer(receive), buffer(send));
        socket.set_congestion_control(CongestionControl::Reno);
        socket.set_ack_delay(Some(smoltcp::time::Duration::from_micros(ACK_DELAY.as_micros())));
        self.sockets.add(socket)
    }

    /// A segment came out of the tunnel.
    pub fn packet(&mut self, now: Instant, packet: &[u8], watch: &mut impl Watch) {
        self.tap.put(packet);
        self.run(now, watch);
    }

    /// Lets everybody do what there is to do at `now`.
    pub fn run(&mut self, now: Instant, watch: &mut impl Watch) {
        let at = clock::floor(now);
        loop {
            let before = self.moved();
            for (handle, writer) in &mut self.writers {
                writer.run(now, self.sockets.get_mut(*handle), self.interface.context(), watch);
            }
            let changed = self.interface.poll(at, &mut self.tap, &mut self.sockets);
            for (handle, reader) in &mut self.readers {
                reader.run(now, self.sockets.get_mut(*handle), watch);
            }
            if changed == PollResult::None && self.moved() == before {
                break;
            }
        }
        self.due = self.next(now);
    }

    /// The next packet for the tunnel.
    pub fn poll(&mut self, now: Instant, watch: &mut impl Watch) -> Option<Packet> {
        let full = self.tap.is_full();
        let packet = self.tap.take();
        if full {
            self.run(now, watch);
        }
        packet
    }

    /// Instant at which it wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        self.due
    }

    /// The applications that write.
    pub fn writers(&self) -> impl Iterator<Item = &Writer> {
        self.writers.iter().map(|(_, writer)| writer)
    }

    /// The applications that read.
    pub fn readers(&self) -> impl Iterator<Item = &Reader> {
        self.readers.iter().map(|(_, reader)| reader)
    }

    /// Octets that crossed between applications and smoltcp: whether a round of [`run`](Self::run) did anything.
    fn moved(&self) -> u64 {
        self.writers().map(Writer::written).chain(self.readers().map(Reader::read)).sum()
    }

    fn next(&mut self, now: Instant) -> Option<Instant> {
        let at = self.interface.poll_at(clock::floor(now), &self.sockets).map(|at| clock::deadline(at, now));
        let own = self.writers.iter().filter_map(|(_, writer)| writer.deadline());
        own.chain(at).min()
    }
}
