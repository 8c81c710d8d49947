//! Desk that the threads of a node share.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::Mutex;
use std::task::Poll;

use airtime_core::Instant;
use airtime_nrf24::station::{Bell as Place, Desk, Ring};
use airtime_nrf24::trace::{Activity, Note};
use airtime_nrf24::tunnel::Tunnel;

use super::bell::Bell;
use super::crew::locked;
use super::device::Device;
use super::node::Traffic;
use super::reactor::Reactor;

/// The tunnel, the ring, the bells and the TUN device of a node.
pub(super) struct Node<T> {
    pub(super) tunnel: Mutex<Tunnel>,
    pub(super) ring: Mutex<Ring>,
    pub(super) traffic: Mutex<Traffic>,
    bells: [Bell; Place::COUNT],
    device: T,
}

/// The node as one of its threads sees it.
pub(super) struct Seat<'r, 'a, T> {
    pub(super) node: &'a Node<T>,
    pub(super) reactor: &'r Reactor<'a>,
}

impl<T: Device> Node<T> {
    pub(super) fn new(tunnel: Tunnel, device: T) -> io::Result<Self> {
        Ok(Self {
            tunnel: Mutex::new(tunnel),
            ring: Mutex::default(),
            traffic: Mutex::default(),
            bells: [Bell::new()?, Bell::new()?],
            device,
        })
    }

    /// Lets every task look at the tunnel anew.
    pub(super) fn ring_all(&self) {
        self.bells.iter().for_each(Bell::ring);
    }
}

impl<T: Device> Desk for Seat<'_, '_, T> {
    fn now(&self) -> Instant {
        self.reactor.now()
    }

    fn with_tunnel<R>(&self, act: impl FnOnce(&mut Tunnel, Instant) -> R) -> R {
        let mut tunnel = locked(&self.node.tunnel);
        // Under the lock, so that the tunnel's time never runs backwards.
        let now = self.now();
        act(&mut tunnel, now)
    }

    fn with_ring<R>(&self, act: impl FnOnce(&mut Ring) -> R) -> R {
        act(&mut locked(&self.node.ring))
    }

    fn ring(&self, bell: Place) {
        self.node.bells[bell as usize].ring();
    }

    async fn wait(&self, bell: Place, until: Option<Instant>, _: Activity) {
        let bell = &self.node.bells[bell as usize];
        let mut rings =
            pin!(self.reactor.when_readable(std::os::fd::AsFd::as_fd(bell), || bell.has_rung().then_some(())));
        let mut passes = pin!(self.reactor.until(until.unwrap_or(Instant::FAR_FUTURE)));
        poll_fn(|context| match rings.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(()),
            Poll::Pending => passes.as_mut().poll(context),
        })
        .await;
    }

    async fn read_packet(&self, packet: &mut [u8]) -> Option<usize> {
        let device = &self.node.device;
        let read = self.reactor.when_readable(device.as_fd(), || device.read(packet).transpose()).await;
        let octets = read.ok()?;
        locked(&self.node.traffic).crossed.packet(true, octets);
        Some(octets)
    }

    async fn write_packet(&self, packet: &[u8]) {
        // What the device does not take is lost: waiting for it would hold up what follows.
        if self.node.device.write(packet).unwrap_or(false) {
            locked(&self.node.traffic).crossed.packet(false, packet.len());
        }
    }

    fn note(&self, note: Note) {
        locked(&self.node.traffic).note(&note);
    }

    fn stops(&self) -> bool {
        self.reactor.stops()
    }
}
