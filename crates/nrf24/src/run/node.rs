//! A node of either kind.

use alloc::boxed::Box;

use airtime_core::{Instant, Pool};

use crate::host::{Host, HostOutput};
use crate::legacy::Legacy;
use crate::rf24::RawNode;
use crate::rf24::gateway::GatewayNode;
use crate::station::Station;
use crate::wires::SharedChip;

use super::config;

/// Host above the wires of a run's chips.
#[derive(Debug)]
pub enum Node {
    /// The published tunnel.
    Legacy(Box<Legacy>),
    /// Our own station: driver and tunnel as tasks.
    Station(Box<Station>),
    /// Raw frames of the published driver.
    Raw(Box<RawNode>),
    /// The published gateway.
    Gateway(Box<GatewayNode>),
}

impl Node {
    /// A node that starts now on these chips, as many as its configuration has radios.
    ///
    /// # Panics
    /// When they are fewer.
    pub fn new(chips: &[SharedChip], config: config::Node, pool: &Pool, now: Instant) -> Self {
        match config {
            config::Node::Legacy(config) => {
                let chips = [chips[0].clone(), chips[1].clone()];
                Self::Legacy(Box::new(Legacy::new(chips, config, pool, now)))
            }
            config::Node::Raw(config) => Self::Raw(Box::new(RawNode::new(chips[0].clone(), config, pool, now))),
            config::Node::Gateway(config) => {
                Self::Gateway(Box::new(GatewayNode::new(chips[0].clone(), config, pool, now)))
            }
            config::Node::Station(config) => Self::Station(Box::new(Station::new(chips, config, pool, now))),
        }
    }

    fn host(&self) -> &dyn Host {
        match self {
            Self::Legacy(host) => &**host,
            Self::Station(host) => &**host,
            Self::Raw(host) => &**host,
            Self::Gateway(host) => &**host,
        }
    }

    fn host_mut(&mut self) -> &mut dyn Host {
        match self {
            Self::Legacy(host) => &mut **host,
            Self::Station(host) => &mut **host,
            Self::Raw(host) => &mut **host,
            Self::Gateway(host) => &mut **host,
        }
    }
}

impl Host for Node {
    fn wake(&mut self, now: Instant) {
        self.host_mut().wake(now);
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        self.host_mut().irq(now, radio, asserted);
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        self.host_mut().packet(now, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<HostOutput> {
        self.host_mut().poll(now)
    }

    fn is_quiet(&self) -> bool {
        self.host().is_quiet()
    }

    fn watched(&mut self, watched: bool) {
        self.host_mut().watched(watched);
    }

    fn deadline(&self) -> Option<Instant> {
        self.host().deadline()
    }
}
