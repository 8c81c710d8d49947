//! TrouBLE as the host of an end that is called: what an image runs between host and server, on a virtual controller.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_app::rpc::{BUFFER, Secrets};
use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::network::{Station, StationOutput};
use airtime_core::{Instant, Pool};
use airtime_rpc::server::Faults;
use airtime_rpc::{COMPATIBLE_FRAME_MAX, Service};
use airtime_trouble::rpc::{Config, run_called};
use bt_hci::controller::ExternalController;
use trouble_host::HostResources;

use super::COMMAND_SLOTS;
use super::frames::Frames;
use super::seat::Seat;
use crate::bus::{Bus, HostEnd};
use crate::guest::Guest;
use crate::node::Node;
use crate::pool::NodePool;
use crate::report::Report;

/// Packets of the image's pool, and octets of each: `firmware/rpc/Cargo.toml`.
const PACKETS: usize = 32;
const PACKET_OCTETS: usize = 255;

/// One host that is called.
pub struct CalledTroubleStation {
    seat: Seat,
    frames: Rc<Frames>,
}

impl CalledTroubleStation {
    /// A peripheral that serves `service`, one connection at a time.
    pub fn new(
        config: Config,
        mut service: impl Service + 'static,
        mut secrets: impl Secrets + 'static,
        pool: Pool,
    ) -> Self {
        let observed: Rc<RefCell<_>> = Rc::default();
        let bus = Bus::new(pool, Rc::clone(&observed));
        let frames = Rc::new(Frames::new(observed));
        let (host_end, witness) = (HostEnd(Rc::clone(&bus)), Rc::clone(&frames));
        let guest = Guest::new(Node::new(PACKETS), async move {
            let mut resources = HostResources::<NodePool<PACKET_OCTETS>, 1, 0>::new();
            let controller = ExternalController::<_, COMMAND_SLOTS>::new(host_end);
            let stack = trouble_host::new(controller, &mut resources).build();
            let mut store = [0; COMPATIBLE_FRAME_MAX];
            let secrets = async |peer| Ok(secrets.server(peer));
            // It ends when its controller sends what is no packet; nothing is left to be done then.
            let _ = run_called::<BUFFER, _, _, _>(&stack, &config, &mut service, secrets, &mut store, &*witness).await;
        });
        Self { seat: Seat { guest, bus }, frames }
    }

    /// The guest: its node, and how often it had to be made to rest.
    pub fn guest(&self) -> &Guest {
        &self.seat.guest
    }

    /// Counts of all that the server of the last connection that ended has dropped or refused.
    pub fn faults(&self) -> Faults {
        self.frames.faults()
    }

    /// Octets of the frames that have come on the last connection.
    pub fn received(&self) -> u64 {
        self.frames.octets()
    }

    /// Frames of the last connection that the host had no packet for.
    pub fn not_sent(&self) -> u64 {
        self.frames.not_sent()
    }

    /// Everything this end keeps for later, as [`TroubleStation::held`](super::TroubleStation::held) counts it.
    pub fn held(&self) -> usize {
        self.seat.held() + self.frames.held()
    }
}

impl Station for CalledTroubleStation {
    type Event = Report;

    fn wake(&mut self, now: Instant) {
        self.seat.guest.wake(now);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.seat.hci(now, packet);
    }

    fn poll(&mut self, _now: Instant) -> Option<StationOutput<Report>> {
        self.seat.poll(|| self.frames.take())
    }

    fn deadline(&self) -> Option<Instant> {
        self.seat.guest.deadline()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        self.frames.starved(handle)
    }
}
