//! The TCP/IP stack of the host: smoltcp on the Ethernet frames of the station.

use alloc::vec;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_esp_hosted::host::{Host, Refused};
use airtime_net::tcp::{Tap, WINDOW, clock};
use smoltcp::iface::{Config, Context, Interface, PollResult, SocketHandle, SocketSet};
use smoltcp::phy::Medium;
use smoltcp::socket::{dhcpv4, tcp, udp};
use smoltcp::wire::{EthernetAddress, IpCidr};

use super::plan::Address;

/// Octets of an Ethernet frame: its header and an IP packet of 1500.
const FRAME_MAX: usize = 14 + 1_500;
/// Datagrams in front of the interface, and octets of them.
const DATAGRAMS: usize = 16;
/// Until a frame is offered again that the co-processor throttled. *Assumed*: a few frames go by air meanwhile.
const RETRY: Duration = Duration::from_millis(1);
/// Octets of what a stream is told: its peer says nothing.
const TOLD: usize = 536;

/// The stack, and the frame that its interface has no room for.
pub struct Stack {
    interface: Interface,
    sockets: SocketSet<'static>,
    tap: Tap,
    dhcp: Option<SocketHandle>,
    held: Option<Packet>,
    /// Instant at which the held frame is offered again; none while it waits for room.
    retry: Option<Instant>,
    throttled: u64,
}

impl Stack {
    /// Stack of the station with this MAC address, which asks DHCP for an address where it is given none.
    pub fn new(now: Instant, mac: [u8; 6], address: Option<Address>, pool: Pool) -> Self {
        let mut tap = Tap::of(Medium::Ethernet, pool, FRAME_MAX);
        let mut config = Config::new(EthernetAddress(mac).into());
        // It chooses ports and sequence numbers, which differ from boot to boot as the time until here does.
        config.random_seed = now.as_nanos() ^ mac.iter().fold(0, |seed, octet| seed << 8 | u64::from(*octet));
        let interface = Interface::new(config, &mut tap, clock::floor(now));
        let mut stack = Self {
            interface,
            sockets: SocketSet::new(Vec::new()),
            tap,
            dhcp: None,
            held: None,
            retry: None,
            throttled: 0,
        };
        match address {
            Some(address) => stack.be(address),
            None => stack.dhcp = Some(stack.sockets.add(dhcpv4::Socket::new())),
        }
        stack
    }

    /// Takes an address.
    fn be(&mut self, address: Address) {
        self.interface.update_ip_addrs(|addresses| {
            addresses.clear();
            addresses.push(IpCidr::new(address.own.into(), address.bits)).expect("room for one address");
        });
        let routes = self.interface.routes_mut();
        routes.remove_default_ipv4_route();
        if let Some(gateway) = address.gateway {
            routes.add_default_ipv4_route(gateway).expect("room for one route");
        }
    }

    /// Address of the station, once it has one.
    pub fn address(&self) -> Option<Ipv4Addr> {
        self.interface.ipv4_addr()
    }

    /// An Ethernet frame has come. It is lost while what has to leave does not: its answer would have no room.
    pub fn received(&mut self, frame: &[u8]) {
        if !self.tap.is_full() {
            self.tap.put(frame);
        }
    }

    /// The driver's queue has room again.
    pub fn room(&mut self, now: Instant) {
        if self.held.is_some() {
            self.retry = Some(now);
        }
    }

    /// Lets everything happen that can at `now`; tells if anything has.
    pub fn run(&mut self, now: Instant, host: &mut Host) -> bool {
        let mut any = false;
        loop {
            let polled = self.interface.poll(clock::floor(now), &mut self.tap, &mut self.sockets);
            self.configure();
            let moved = self.leave(now, host) | (polled == PollResult::SocketStateChanged);
            if !moved {
                return any;
            }
            any = true;
        }
    }

    /// DHCP has given an address, or has taken it back.
    fn configure(&mut self) {
        let Some(handle) = self.dhcp else { return };
        let Some(event) = self.sockets.get_mut::<dhcpv4::Socket<'_>>(handle).poll() else { return };
        let given = match event {
            dhcpv4::Event::Deconfigured => None,
            dhcpv4::Event::Configured(config) => {
                let (own, bits) = (config.address.address(), config.address.prefix_len());
                Some(Address { own, bits, gateway: config.router })
            }
        };
        match given {
            Some(address) => self.be(address),
            None => self.interface.update_ip_addrs(|addresses| addresses.clear()),
        }
    }

    /// Hands frames to the driver until it takes no more; tells if it took any.
    fn leave(&mut self, now: Instant, host: &mut Host) -> bool {
        if self.held.is_some() && self.retry.is_none_or(|at| at > now) {
            return false;
        }
        let mut any = false;
        while let Some(frame) = self.held.take().or_else(|| self.tap.take()) {
            match host.transmit(now, frame) {
                Ok(()) => any = true,
                Err(Refused::Full(frame)) => {
                    (self.held, self.retry) = (Some(frame), None);
                    return any;
                }
                Err(Refused::Throttled(frame)) => {
                    self.throttled += 1;
                    (self.held, self.retry) = (Some(frame), Some(now + RETRY));
                    return any;
                }
                // The transport is down: whoever waits for an answer sends again.
                Err(_) => any = true,
            }
        }
        any
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&mut self, now: Instant) -> Option<Instant> {
        if self.held.is_some() {
            return self.retry;
        }
        self.interface.poll_at(clock::floor(now), &self.sockets).map(|at| clock::deadline(at, now))
    }

    /// Frames that the co-processor did not want at once.
    pub fn throttled(&self) -> u64 {
        self.throttled
    }

    /// True when every frame has left.
    pub fn is_idle(&self) -> bool {
        self.held.is_none() && self.tap.is_empty()
    }

    /// A socket for datagrams of `payload` octets, which leave from `port`.
    pub fn datagrams(&mut self, port: u16, payload: usize) -> SocketHandle {
        let buffer = |count, octets| udp::PacketBuffer::new(vec![udp::PacketMetadata::EMPTY; count], vec![0; octets]);
        let mut socket = udp::Socket::new(buffer(1, TOLD), buffer(DATAGRAMS, DATAGRAMS * payload));
        socket.bind(port).expect("a fresh socket, and a port that is not zero");
        self.sockets.add(socket)
    }

    /// A socket for a stream, which is given up when its peer says nothing for `patience`.
    pub fn stream(&mut self, patience: Duration) -> SocketHandle {
        let buffer = |octets| tcp::SocketBuffer::new(vec![0; octets]);
        let mut socket = tcp::Socket::new(buffer(TOLD), buffer(WINDOW));
        socket.set_congestion_control(tcp::CongestionControl::Reno);
        socket.set_timeout(Some(smoltcp::time::Duration::from_micros(patience.as_micros())));
        self.sockets.add(socket)
    }

    /// The socket of datagrams.
    pub fn udp(&mut self, handle: SocketHandle) -> &mut udp::Socket<'static> {
        self.sockets.get_mut(handle)
    }

    /// The socket of a stream, and what it connects by.
    pub fn tcp(&mut self, handle: SocketHandle) -> (&mut tcp::Socket<'static>, &mut Context) {
        (self.sockets.get_mut(handle), self.interface.context())
    }

    /// Takes a socket away, with its buffers.
    pub fn remove(&mut self, handle: SocketHandle) {
        self.sockets.remove(handle);
    }
}
