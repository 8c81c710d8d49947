//! TrouBLE as a station: an unmodified host on a virtual controller, with the test application on it or the end that is called.

mod called;
mod config;
mod event;
mod frames;
mod reporter;
mod seat;

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use airtime_app::{Central, CentralConfig, Machine, Peripheral, PeripheralConfig};
use airtime_ble::host::{ConnHandle, Role, Starved};
use airtime_ble::network::{Station, StationOutput};
use airtime_core::{Instant, Pool};
use airtime_trouble::{Desk, Terms, run_central, run_peripheral};
use bt_hci::controller::ExternalController;
use trouble_host::HostResources;

use crate::bus::{Bus, HostEnd};
use crate::guest::Guest;
use crate::node::Node;
use crate::pool::{NodePool, PACKET_OCTETS};
use crate::report::Report;
use reporter::Reporter;
use seat::Seat;

pub use airtime_trouble::rpc::{Config as CalledConfig, Wanted};
pub use called::CalledTroubleStation;
pub use config::{PACKETS_DEFAULT, TroubleConfig};

/// Connections the host has room for. Each costs it room for its channels and their packets, whether it is there or not.
pub const LINKS: usize = 4;
/// Channels of each of them: what the application can use.
const CHANNELS: usize = airtime_app::CHANNELS_MAX;
const CHANNELS_IN_ALL: usize = LINKS * CHANNELS;

/// HCI commands under way. One is allowed at a time until the controller allows more (Core 6.0, Vol 4,
/// Part E, 4.4); *assumed* to be as many as TrouBLE's own examples have.
const COMMAND_SLOTS: usize = 10;

/// One host with one application.
pub struct TroubleStation {
    seat: Seat,
    machine: Rc<RefCell<dyn Machine>>,
    reporter: Rc<Reporter>,
}

type Controller = ExternalController<HostEnd, COMMAND_SLOTS>;
type Resources = HostResources<NodePool, LINKS, CHANNELS_IN_ALL>;

/// Inside of a station: all that its future owns.
struct Inside {
    host_end: HostEnd,
    machine: Rc<RefCell<dyn Machine>>,
    reporter: Rc<Reporter>,
    terms: Terms,
}

impl TroubleStation {
    /// A peripheral. Its channels are taken on [`Terms::psm`], whatever the application's own is.
    pub fn peripheral(application: PeripheralConfig, host: TroubleConfig, pool: Pool) -> Self {
        let application = PeripheralConfig { psm: host.terms.psm, ..application };
        let (name, machine) = (application.name, Rc::new(RefCell::new(Peripheral::new(application))));
        Self::new(machine, Role::Peripheral, host, pool, move |inside| async move {
            let mut resources = Resources::new();
            let stack = inside.stack(&mut resources);
            // It ends when its controller sends what is no packet; nothing is left to be done then.
            let _ = run_peripheral(&inside.desk(), &stack, &inside.terms, &name).await;
        })
    }

    /// A central. It opens channels on the PSM that it discovers, unless the application has one.
    pub fn central(application: CentralConfig, host: TroubleConfig, pool: Pool) -> Self {
        Self::of_central(Rc::new(RefCell::new(Central::new(application))), host, pool)
    }

    /// A central with a machine of the caller's.
    pub fn of_central(machine: Rc<RefCell<dyn Machine>>, host: TroubleConfig, pool: Pool) -> Self {
        Self::new(machine, Role::Central, host, pool, |inside| async move {
            let mut resources = Resources::new();
            let stack = inside.stack(&mut resources);
            let _ = run_central(&inside.desk(), &stack, &inside.terms).await;
        })
    }

    fn new<F: Future<Output = ()> + 'static>(
        machine: Rc<RefCell<dyn Machine>>,
        role: Role,
        host: TroubleConfig,
        pool: Pool,
        live: impl FnOnce(Inside) -> F,
    ) -> Self {
        let observed = Rc::default();
        let bus = Bus::new(pool, Rc::clone(&observed));
        let reporter = Rc::new(Reporter::new(Rc::clone(&machine), role, observed));
        let inside = Inside {
            host_end: HostEnd(Rc::clone(&bus)),
            machine: Rc::clone(&machine),
            reporter: Rc::clone(&reporter),
            terms: host.terms,
        };
        let guest = Guest::new(Node::new(host.packets), live(inside));
        Self { seat: Seat { guest, bus }, machine, reporter }
    }

    /// The guest: its node, and how often it had to be made to rest.
    pub fn guest(&self) -> &Guest {
        &self.seat.guest
    }

    /// The application, with its counters.
    pub fn application(&self) -> Ref<'_, dyn Machine + 'static> {
        self.machine.borrow()
    }

    /// Commands of the application that the host could not carry out.
    pub fn refused(&self) -> u64 {
        self.reporter.refused()
    }

    /// Everything this end keeps for later: packets and timers of its node, packets on its bus, what
    /// it has observed, reports that wait. What grows without end here is a leak.
    pub fn held(&self) -> usize {
        self.seat.held() + self.reporter.held()
    }

    /// Packets from the controller that the host was too slow for.
    pub fn dropped(&self) -> u64 {
        self.seat.bus.dropped()
    }
}

impl Inside {
    fn stack<'r>(&self, resources: &'r mut Resources) -> trouble_host::Stack<'r, Controller, NodePool> {
        let controller = Controller::new(HostEnd(Rc::clone(&self.host_end.0)));
        trouble_host::new(controller, resources).register_l2cap_spsm(self.terms.psm).build()
    }

    fn desk(&self) -> Desk<'_, LINKS, CHANNELS, PACKET_OCTETS> {
        Desk::new(&*self.machine, &*self.reporter)
    }
}

impl Station for TroubleStation {
    type Event = Report;

    fn wake(&mut self, now: Instant) {
        self.seat.guest.wake(now);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.seat.hci(now, packet);
    }

    fn poll(&mut self, _now: Instant) -> Option<StationOutput<Report>> {
        self.seat.poll(|| self.reporter.take())
    }

    fn deadline(&self) -> Option<Instant> {
        self.seat.guest.deadline()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        self.reporter.starved(handle)
    }
}
