//! Queue of a controller's outputs until they are polled.
//!
//! What bounds it: whoever drives a controller drains it to none after each input, and one input adds
//! little. A command is answered by one event and sets off a few; a packet from the air brings one
//! report or one ACL packet; a connection holds at most `rx_buffers` packets for a host that has no
//! room, sixteen control PDUs, and as many ACL packets as the host was granted. The most comes from a
//! late wake-up, which passes over the events that were missed: `OUTPUTS_MAX` lies far above that.

use alloc::collections::VecDeque;

use airtime_core::{Packet, Pool};

use crate::hci::event::LE_META;
use crate::medium::{Listen, Transmission};
use crate::trace::Trace;

/// Output of a controller: H4 packets, transmissions, windows, traces. One that nobody carries out is lost, so whoever matches
/// matches all.
#[derive(Debug)]
pub enum Output {
    /// One H4 packet for the host.
    Hci(Packet),
    /// A packet for the air.
    Transmit(Transmission),
    /// The receiver's window, or none to stop.
    Listen(Option<Listen>),
    /// A trace entry.
    Trace(Trace),
}

/// Default event mask. Core 6.0, Vol 4, Part E, 7.3.1.
const EVENT_MASK: u64 = 0x0000_1fff_ffff_ffff;
/// Default LE event mask. Core 6.0, Vol 4, Part E, 7.8.1.
const LE_EVENT_MASK: u64 = 0x1f;
/// Bit of the LE Meta event in the event mask.
const LE_META_BIT: u32 = 61;

/// Outputs that may wait. Sixteen connections at the shortest interval, woken 32 s late (the longest supervision
/// timeout), trace 70,000 events they have missed.
const OUTPUTS_MAX: usize = 1 << 17;

/// Queue of outputs, with the host's event masks in front.
#[derive(Debug)]
pub struct Outbox {
    queue: VecDeque<Output>,
    pool: Pool,
    /// Events the host wants.
    pub event_mask: u64,
    /// Events of the second page the host wants.
    pub event_mask_page_2: u64,
    /// LE events the host wants.
    pub le_event_mask: u64,
    /// Set once the host has said that it supports connection subrating.
    pub host_subrates: bool,
}

impl Outbox {
    /// An empty outbox.
    pub fn new(pool: Pool) -> Self {
        let queue = VecDeque::with_capacity(16);
        let (event_mask, le_event_mask) = (EVENT_MASK, LE_EVENT_MASK);
        Self { queue, pool, event_mask, event_mask_page_2: 0, le_event_mask, host_subrates: false }
    }

    /// Forgets the host's masks.
    pub fn reset_masks(&mut self) {
        self.event_mask = EVENT_MASK;
        self.event_mask_page_2 = 0;
        self.le_event_mask = LE_EVENT_MASK;
        self.host_subrates = false;
    }

    /// The pool that packets come from.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The next output.
    pub fn pop(&mut self) -> Option<Output> {
        self.queue.pop_front()
    }

    /// Asserts that whoever drives the controller takes what it says: asked before each input.
    pub fn assert_drained(&self) {
        assert!(self.queue.len() < OUTPUTS_MAX, "a controller is drained after each input");
    }

    /// Queues an H4 packet that no mask applies to.
    pub fn hci(&mut self, packet: Packet) {
        self.queue.push_back(Output::Hci(packet));
    }

    /// Number of outputs that wait.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// True while nothing waits.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Queues an H4 packet behind the first `index` outputs.
    pub fn hci_at(&mut self, index: usize, packet: Packet) {
        self.queue.insert(index, Output::Hci(packet));
    }

    /// Queues an event if the host's mask lets it pass.
    pub fn event(&mut self, packet: Packet) -> bool {
        let wanted = self.event_mask >> (packet[1].wrapping_sub(1) & 63) & 1 == 1;
        if wanted {
            self.hci(packet);
        }
        wanted
    }

    /// Tells if both masks let this LE Meta event pass.
    pub fn wants_le(&self, subevent: u8) -> bool {
        self.event_mask >> LE_META_BIT & 1 == 1 && self.le_event_mask >> (subevent.wrapping_sub(1) & 63) & 1 == 1
    }

    /// Queues an LE Meta event if both masks let it pass; says whether they did.
    pub fn le_event(&mut self, packet: Packet) -> bool {
        debug_assert_eq!(packet[1], LE_META);
        let wanted = self.wants_le(packet[3]);
        if wanted {
            self.hci(packet);
        }
        wanted
    }

    /// Queues a packet for the air.
    pub fn transmit(&mut self, transmission: Transmission) {
        self.queue.push_back(Output::Transmit(transmission));
    }

    /// Opens or closes the receiver's window.
    pub fn listen(&mut self, window: Option<Listen>) {
        self.queue.push_back(Output::Listen(window));
    }

    /// Adds a trace entry.
    pub fn trace(&mut self, trace: Trace) {
        self.queue.push_back(Output::Trace(trace));
    }
}
