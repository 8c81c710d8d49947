//! A link in real time, without devices and without a clock: time and packets come in, packets go out.

use airtime_core::{Instant, Packet, Plant, Touched};

use super::tun_queue::TunQueue;
use crate::pace::Pacer;

/// A plant that joins two TUN devices. Ends are numbered as their namespaces.
pub trait Joined: Plant {
    /// The device above `end`.
    fn queue(&self, end: usize) -> &TunQueue;

    /// The same, to be changed.
    fn queue_mut(&mut self, end: usize) -> &mut TunQueue;

    /// Carries what the device above `end` has to say, after something outside the plant has moved it. For
    /// [`EventLoop::act`](airtime_core::EventLoop::act).
    fn carry_from(&mut self, end: usize, now: Instant, touched: &mut Touched);
}

/// A plant between two TUN devices, paced.
pub struct PacedLink<P> {
    plant: P,
    pacer: Pacer,
}

impl<P: Joined> PacedLink<P> {
    /// `plant`, which has said what there was to say before anything happened.
    pub fn new(plant: P) -> Self {
        let pacer = Pacer::new(&plant);
        Self { plant, pacer }
    }

    /// Tells if a packet for `end` may be given to [`receive`](Self::receive).
    pub fn has_room(&self, end: usize) -> bool {
        self.plant.queue(end).has_room()
    }

    /// A packet from the device of `end` has arrived at `wall`, which is when the plant gets it; where events after `wall` are
    /// processed already, it gets it next.
    pub fn receive(&mut self, end: usize, wall: Instant, packet: &[u8]) {
        self.act(|plant, now, touched| {
            plant.queue_mut(end).receive(wall.max(now), packet);
            plant.carry_from(end, now, touched);
        });
    }

    /// The next packet for the device of `end`.
    pub fn outgoing(&mut self, end: usize) -> Option<Packet> {
        self.plant.queue_mut(end).outgoing()
    }

    /// Packets for the device of `end` that found no room.
    pub fn overflow(&self, end: usize) -> u64 {
        self.plant.queue(end).overflow()
    }

    /// Processes what is due by `wall()`, at most 1 ms of it; says whether that was all.
    pub fn catch_up(&mut self, wall: impl FnMut() -> Instant) -> bool {
        self.pacer.catch_up(&mut self.plant, wall)
    }

    /// Lets something outside act on the plant, at the time up to which everything was processed.
    pub fn act<R>(&mut self, act: impl FnOnce(&mut P, Instant, &mut Touched) -> R) -> R {
        let now = self.pacer.now();
        self.pacer.act(&mut self.plant, |plant, touched| act(plant, now, touched))
    }

    /// The event loop against the clock.
    pub fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// The plant that is paced.
    pub fn plant(&self) -> &P {
        &self.plant
    }
}
