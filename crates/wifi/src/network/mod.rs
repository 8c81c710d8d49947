//! Host, bus, co-processor, cell, access point and far end, joined into one plant for the event loop.
//!
//! The way up: what is above the host → its interface → its queue → the bus → the co-processor → the air → the access
//! point → the wired hop → the far end. The way down is the same backwards. Without a [`Chain`] the stack sits right on
//! the station: a chip that has its radio on board, or a source that no bus limits.

mod access_point;
mod bring_up;
mod chain;
mod control;
mod counts;
mod cpu;
mod gauges;
mod netif;
mod observer;
mod path;
mod settle;
mod sniffer;
mod stages;
mod user;

use airtime_core::{Instant, Packet, Plant, Pool, Touched};

pub use crate::hosted::costs::{BLOCK, BusTiming, Costs, EXCHANGE, HalfDuplexTiming, SpiTiming};
pub use crate::hosted::host::BringUp;
pub use crate::hosted::raw::{Hearer, Sniffer, Step};
pub use chain::Chain;
pub use control::{Control, RawTest};
pub use counts::{Counts, Traffic};
pub use netif::{AP_MAC, FAR_MAC, HOST_MAC};
pub use observer::{End, Observer};
pub use path::PathConfig;
pub use user::{InterfaceUser, Outcome};

use crate::cell::{Cell, StationId};
use crate::trace::DropPoint;
use access_point::AccessPoint;
use gauges::Gauges;
use netif::Netif;
use settle::Dirty;

/// The co-processor's station in the cell.
pub const STATION: StationId = StationId(0);
/// The access point's.
pub const AP: StationId = StationId(1);

/// Nodes of the plant.
mod node {
    pub(super) const ABOVE: usize = 0;
    pub(super) const CHAIN: usize = 1;
    pub(super) const CELL: usize = 2;
    pub(super) const ACCESS_POINT: usize = 3;
    pub(super) const FAR: usize = 4;
    pub(super) const CONTROL: usize = 5;
    pub(super) const COUNT: usize = 6;
}

/// The whole pipeline.
#[derive(Debug)]
pub struct Network<A, F, O, C = ()> {
    /// User of the interface of the host.
    pub above: A,
    /// The far end.
    pub far: F,
    /// The sink.
    pub observer: O,
    /// Application that reaches for the chips besides the stack.
    pub control: C,
    /// The air.
    pub cell: Cell,
    /// The two chips and the bus, if there are two.
    pub chain: Option<Chain>,
    ap: AccessPoint,
    pool: Pool,
    netifs: [Netif; 2],
    /// Packet with which a task of the host stands still.
    blocked: Option<Packet>,
    counts: Counts,
    gauges: Gauges,
    looks: bool,
}

impl<A: InterfaceUser, F: InterfaceUser, O: Observer> Network<A, F, O> {
    /// A network with nothing but packets; [`start`](Self::start) sets it going. Station 0 of `cell` is the host's, station 1 the access point.
    pub fn new(pool: &Pool, path: PathConfig, cell: Cell, chain: Option<Chain>, above: A, far: F, observer: O) -> Self {
        Self::controlled(pool, path, cell, chain, above, far, observer, ())
    }
}

impl<A: InterfaceUser, F: InterfaceUser, O: Observer, C: Control> Network<A, F, O, C> {
    /// A network in which something reaches for the chips besides.
    #[expect(clippy::too_many_arguments, reason = "a plant is made of its parts, once")]
    pub fn controlled(
        pool: &Pool,
        path: PathConfig,
        mut cell: Cell,
        chain: Option<Chain>,
        above: A,
        far: F,
        observer: O,
        control: C,
    ) -> Self {
        let looks = observer.looks();
        cell.watched(looks);
        cell.told(looks);
        Self {
            above,
            far,
            observer,
            control,
            cell,
            chain,
            ap: AccessPoint::new(&path),
            pool: pool.clone(),
            netifs: [Netif::new(HOST_MAC, FAR_MAC), Netif::new(FAR_MAC, HOST_MAC)],
            blocked: None,
            counts: Counts::new(),
            gauges: Gauges::new(),
            looks,
        }
    }

    /// Carries what there is to say before anything has happened. To be called before the event loop is made.
    pub fn start(&mut self, now: Instant) {
        self.settle(now, Dirty::ALL, &mut Touched::default());
    }

    /// Counts so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Carries what is above `end` has to say, after something outside the plant has moved it. For
    /// [`EventLoop::act`](airtime_core::EventLoop::act).
    pub fn attend(&mut self, end: End, now: Instant, touched: &mut Touched) {
        let node = if end == End::Host { node::ABOVE } else { node::FAR };
        self.settle_node(node, now, false, touched);
    }

    /// Carries what chips, control and cell have to say, after something outside the plant has moved one of them. For
    /// [`EventLoop::act`](airtime_core::EventLoop::act).
    pub fn attend_chips(&mut self, now: Instant, touched: &mut Touched) {
        if let Some(chain) = &mut self.chain {
            chain.moved();
        }
        self.settle(now, Dirty::ALL, touched);
    }

    /// An IP packet comes in through the interface of `end` from outside the plant. For
    /// [`EventLoop::act`](airtime_core::EventLoop::act). A packet that finds the host's queue full waits in front of it
    /// as a task would; another one is [`Outcome::Refused`] until it has gone, and counted.
    pub fn inject(&mut self, end: End, now: Instant, packet: &[u8], touched: &mut Touched) -> Outcome {
        let mut dirty = Dirty::default();
        let outcome = match end {
            End::Host if self.blocked.is_some() => {
                self.drop(now, DropPoint::HostQueue, packet.len());
                Outcome::Refused
            }
            End::Host => self.send(now, self.pool.copy(packet), &mut dirty),
            End::Far => self.send_far(now, self.pool.copy(packet), &mut dirty),
        };
        self.settle(now, dirty, touched);
        outcome
    }
}

impl<A: InterfaceUser, F: InterfaceUser, O: Observer, C: Control> Plant for Network<A, F, O, C> {
    fn nodes(&self) -> usize {
        node::COUNT
    }

    fn deadline(&self, node: usize) -> Option<Instant> {
        match node {
            node::ABOVE => self.above.deadline(),
            node::CHAIN => self.chain.as_ref().map(Chain::due).filter(|due| *due != Instant::FAR_FUTURE),
            node::CELL => self.cell.deadline(),
            node::ACCESS_POINT => self.ap.deadline(),
            node::FAR => self.far.deadline(),
            _ => self.control.deadline(),
        }
    }

    #[inline]
    fn deadlines(&self, touched: &mut Touched, mut due: impl FnMut(usize, Option<Instant>)) {
        for node in 0..node::COUNT {
            if touched.take_out(node) {
                due(node, self.deadline(node));
            }
        }
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        self.settle_node(node, now, true, touched);
    }
}
