//! Chips, hosts, what is above them, and the medium, joined into one plant for the event loop.
//!
//! The nodes are the chips first, then the hosts, then what is above each host. Chips of host `h` are numbered
//! `radios * h + radio`. A host reaches its chips itself; the network drains them after each of its steps.

mod flight;
mod observer;

use alloc::vec::Vec;

use airtime_core::{Instant, Plant, Touched};

use crate::chip::{Input, Output};
use crate::host::{Host, HostOutput, TunUser};
use crate::medium::Medium;
use crate::trace::Trace;
use crate::wires::SharedChip;
use flight::Flight;

pub use observer::Observer;

/// Most steps of a host at one instant. What is above it has at most a few packets for each that it gets; a host that wants
/// more does not move on, and the event loop says so.
const AT_ONCE_MAX: usize = 256;

/// Most chips on one medium.
const CHIPS_MAX: usize = 64;

/// Hosts with their chips on one medium, what is above each of them, and a sink for what happens.
#[derive(Debug)]
pub struct Network<H, A, O> {
    /// Air between the chips: who heard whom.
    pub medium: Medium,
    /// Hosts of the nodes, `a` first.
    pub hosts: Vec<H>,
    /// Users of the TUN devices above the hosts, in their order.
    pub above: Vec<A>,
    /// Sink of everything that happens.
    pub observer: O,
    chips: Vec<SharedChip>,
    flights: Vec<Flight>,
    /// Traces that chips made when a frame arrived, until the observer has been told of the frame.
    late: Vec<(usize, Trace)>,
    radios: usize,
    /// Host and radio of each chip.
    places: Vec<(usize, usize)>,
}

impl<H: Host, A: TunUser, O: Observer> Network<H, A, O> {
    /// A network; [`start`](Self::start) sets it going. `chips` are those that the hosts hold, in their order, equally
    /// many for each host.
    ///
    /// # Panics
    /// When chips, hosts and what is above do not match in number, or there are more than 64 chips.
    pub fn new(medium: Medium, chips: Vec<SharedChip>, hosts: Vec<H>, above: Vec<A>, observer: O) -> Self {
        assert!(!hosts.is_empty() && above.len() == hosts.len(), "something is above every host");
        assert!(chips.len() <= CHIPS_MAX && chips.len().is_multiple_of(hosts.len()), "hosts have equally many chips");
        let radios = chips.len() / hosts.len();
        let flights = chips.iter().map(|_| Flight::none()).collect();
        let places = (0..chips.len()).map(|chip| (chip / radios, chip % radios)).collect();
        let mut network = Self { medium, hosts, above, observer, chips, flights, late: Vec::new(), radios, places };
        (0..network.hosts.len()).for_each(|host| network.watch(host));
        network
    }

    /// Tells `host` and its chips whether anybody looks.
    fn watch(&mut self, host: usize) {
        let looks = self.observer.looks();
        self.hosts[host].watched(looks);
        for chip in &self.chips[host * self.radios..(host + 1) * self.radios] {
            chip.borrow_mut().watched(looks);
        }
    }

    /// Carries what hosts have to say before anything has happened. To be called before the event loop is made.
    pub fn start(&mut self, now: Instant) {
        let mut touched = Touched::default();
        for host in 0..self.hosts.len() {
            self.pump(host, now);
            self.attend(host, now, &mut touched);
        }
    }

    /// The chips, as they are numbered.
    pub fn chips(&self) -> &[SharedChip] {
        &self.chips
    }

    /// Chips of each host.
    pub fn radios(&self) -> usize {
        self.radios
    }

    /// Carries what `host` and its chips have to say, after a step of it or after something outside the plant has moved
    /// it. For [`EventLoop::act`](airtime_core::EventLoop::act).
    pub fn attend(&mut self, host: usize, now: Instant, touched: &mut Touched) {
        touched.note(self.host_node(host));
        self.carry(host, now, touched);
    }

    /// Carries what `host` and its chips have to say. In place, since every step of a host ends with it.
    #[inline(always)]
    fn carry(&mut self, host: usize, now: Instant, touched: &mut Touched) {
        self.drain_host(host, now, touched);
        // Most steps of a host leave its chips as they were, or one of the two.
        let first = host * self.radios;
        for chip in first..first + self.radios {
            let mut moved = self.chips[chip].borrow_mut();
            if moved.has_moved() {
                let (broke_off, quiet) = (moved.has_broken_off(), moved.is_quiet());
                drop(moved);
                touched.note(chip);
                if !quiet {
                    self.drain_chip(chip, now, touched);
                }
                if broke_off {
                    self.finish(chip, now, touched);
                }
            }
        }
    }

    /// Carries what is above `host` has to say, after something outside the plant has moved it. For
    /// [`EventLoop::act`](airtime_core::EventLoop::act).
    pub fn attend_above(&mut self, host: usize, now: Instant, touched: &mut Touched) {
        touched.note(self.above_node(host));
        self.pump(host, now);
        self.attend(host, now, touched);
    }

    /// An IP packet comes in through the TUN device of `host` from outside the plant. For
    /// [`EventLoop::act`](airtime_core::EventLoop::act).
    pub fn inject(&mut self, host: usize, now: Instant, packet: &[u8], touched: &mut Touched) {
        self.observer.packet(now, host, true, packet);
        self.hosts[host].packet(now, packet);
        self.attend(host, now, touched);
    }

    /// Puts `new` in the place of `host` and returns what was there: a program that was killed and started again. With
    /// `chips`, those take the place of its chips, as a loss of power does: what they had on the air breaks off.
    ///
    /// # Panics
    /// When there are more or fewer chips than before.
    pub fn replace_host(
        &mut self,
        host: usize,
        now: Instant,
        new: H,
        chips: Option<Vec<SharedChip>>,
        touched: &mut Touched,
    ) -> H {
        let old = core::mem::replace(&mut self.hosts[host], new);
        let fresh_chips = chips.is_some();
        if let Some(chips) = chips {
            assert_eq!(chips.len(), self.radios, "a host keeps its number of chips");
            for (chip, fresh) in (host * self.radios..).zip(chips) {
                self.chips[chip] = fresh;
                self.finish(chip, now, touched);
            }
        }
        self.watch(host);
        self.observer.replaced(now, host, fresh_chips);
        self.attend(host, now, touched);
        old
    }

    fn host_node(&self, host: usize) -> usize {
        self.chips.len() + host
    }

    fn above_node(&self, host: usize) -> usize {
        self.chips.len() + self.hosts.len() + host
    }

    #[inline]
    fn drain_host(&mut self, host: usize, now: Instant, touched: &mut Touched) {
        if !self.hosts[host].is_quiet() {
            self.carry_from(host, now, touched);
        }
    }

    /// Carries what a host has to say. Apart from [`drain_host`](Self::drain_host) because most steps have nothing.
    #[inline(never)]
    fn carry_from(&mut self, host: usize, now: Instant, touched: &mut Touched) {
        while let Some(output) = self.hosts[host].poll(now) {
            match output {
                HostOutput::Note(note) => self.observer.note(now, host, &note),
                HostOutput::Packet(packet) => {
                    self.observer.packet(now, host, false, &packet);
                    self.above[host].packet(now, &packet);
                    touched.note(self.above_node(host));
                    self.pump(host, now);
                }
            }
        }
    }

    /// Hands `host` what is above it has to send.
    fn pump(&mut self, host: usize, now: Instant) {
        while let Some(packet) = self.above[host].poll(now) {
            self.observer.packet(now, host, true, &packet);
            self.hosts[host].packet(now, &packet);
        }
    }

    /// Carries a chip's outputs away.
    fn drain_chip(&mut self, chip: usize, now: Instant, touched: &mut Touched) {
        while let Some(trace) = self.next_trace(chip, now, touched) {
            self.observer.chip(now, chip, &trace);
        }
    }

    /// Carries a chip's outputs away up to the next trace.
    fn next_trace(&mut self, chip: usize, now: Instant, touched: &mut Touched) -> Option<Trace> {
        loop {
            let output = self.chips[chip].borrow_mut().poll(now)?;
            match output {
                Output::Transmit => self.transmit(chip, now, touched),
                Output::Irq(asserted) => {
                    self.interrupt(chip, now, asserted, touched);
                    // The line is the last that a chip says, and nothing of a host runs when it hears of it.
                    return None;
                }
                Output::Trace(trace) => return Some(trace),
            }
        }
    }

    /// The line of a chip has changed. Apart from [`next_trace`](Self::next_trace) because most steps have none.
    #[inline(never)]
    fn interrupt(&mut self, chip: usize, now: Instant, asserted: bool, touched: &mut Touched) {
        let (host, radio) = self.places[chip];
        self.hosts[host].irq(now, radio, asserted);
        touched.note(self.host_node(host));
        self.drain_host(host, now, touched);
    }

    /// Wakes `host` until nothing of it is left to do at this instant: where an interrupt takes no time to reach a task,
    /// the answer to a packet that has just gone up is already there.
    fn wake_host(&mut self, host: usize, now: Instant, touched: &mut Touched) {
        for _ in 0..AT_ONCE_MAX {
            self.hosts[host].wake(now);
            self.carry(host, now, touched);
            if self.hosts[host].deadline().is_none_or(|due| due > now) {
                return;
            }
        }
    }

    fn wake_chip(&mut self, chip: usize, now: Instant, touched: &mut Touched) {
        // A frame has arrived before its transmitter goes on to what follows it.
        if self.flights[chip].end <= now {
            self.finish(chip, now, touched);
        }
        let mut woken = self.chips[chip].borrow_mut();
        if woken.due() <= now {
            woken.handle(now, Input::Wake);
            // Its node is noted already.
            woken.has_moved();
        }
        let quiet = woken.is_quiet();
        drop(woken);
        if !quiet {
            self.drain_chip(chip, now, touched);
        }
    }
}

impl<H: Host, A: TunUser, O: Observer> Plant for Network<H, A, O> {
    fn nodes(&self) -> usize {
        self.chips.len() + 2 * self.hosts.len()
    }

    fn deadline(&self, node: usize) -> Option<Instant> {
        let (chips, hosts) = (self.chips.len(), self.hosts.len());
        if node < chips {
            let due = self.flights[node].end.min(self.chips[node].borrow().due());
            (due != Instant::FAR_FUTURE).then_some(due)
        } else if node < chips + hosts {
            self.hosts[node - chips].deadline()
        } else {
            self.above[node - chips - hosts].deadline()
        }
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        touched.note(node);
        let (chips, hosts) = (self.chips.len(), self.hosts.len());
        if node < chips {
            self.wake_chip(node, now, touched);
        } else if node < chips + hosts {
            self.wake_host(node - chips, now, touched);
        } else {
            let host = node - chips - hosts;
            self.above[host].wake(now);
            self.attend_above(host, now, touched);
        }
    }
}
