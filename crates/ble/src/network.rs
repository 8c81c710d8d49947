//! Controllers, stations and the medium joined into one plant for the event loop.
//!
//! Node 0 is the medium; device `i` is controller `1 + 2i` and station `2 + 2i`.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use airtime_core::{Instant, Packet, Plant, Touched};

use crate::controller::outbox::Output;
use crate::controller::{Controller, Input};
use crate::hci::ACL_DATA;
use crate::ll::event::Heard;
use crate::medium::{Happening, Medium, Transmission};
use crate::trace::{Trace, Verdict};
use crate::transport::{Bus, End, Transport};
use crate::words::{ConnHandle, Starved};

/// Station above a controller: a host with its application, or anything else that speaks H4.
pub trait Station {
    /// Event reported besides H4 packets.
    type Event;
    /// Its deadline has come.
    fn wake(&mut self, now: Instant);
    /// One H4 packet from the controller.
    fn hci(&mut self, now: Instant, packet: &[u8]);
    /// The next output of the last mutation; drained to none.
    fn poll(&mut self, now: Instant) -> Option<StationOutput<Self::Event>>;
    /// Instant at which it next wants to be woken.
    fn deadline(&self) -> Option<Instant>;
    /// Bottleneck that keeps it from giving its controller more data of this connection.
    fn starved(&self, handle: ConnHandle) -> Starved;
}

/// Output of a station.
#[derive(Debug)]
pub enum StationOutput<E> {
    /// One H4 packet for the controller.
    Hci(Packet),
    /// Event for the observer.
    Event(E),
}

/// A sink of everything that happens on the network.
pub trait Observer<E> {
    /// A packet has ended, and was this to its receiver.
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict);
    /// Device `device` traced this. `starved` says what its station lacked when an event closed.
    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>);
    /// The station of `device` reports this.
    fn event(&mut self, now: Instant, device: usize, event: &E);
    /// An H4 packet crossed the HCI of `device`, from its host or to it.
    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        let _ = (now, device, from_host, packet);
    }
}

/// Nobody looks: what is not observed costs nothing.
impl<E> Observer<E> for () {
    fn transmission(&mut self, _: &Transmission, _: Verdict) {}
    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}
    fn event(&mut self, _: Instant, _: usize, _: &E) {}
}

/// Two sinks of the same stream; the first sees everything first.
impl<E, A: Observer<E>, B: Observer<E>> Observer<E> for (A, B) {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        self.0.transmission(transmission, verdict);
        self.1.transmission(transmission, verdict);
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        self.0.trace(now, device, trace, starved);
        self.1.trace(now, device, trace, starved);
    }

    fn event(&mut self, now: Instant, device: usize, event: &E) {
        self.0.event(now, device, event);
        self.1.event(now, device, event);
    }

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        self.0.hci(now, device, from_host, packet);
        self.1.hci(now, device, from_host, packet);
    }
}

/// A controller with what sits above it.
#[derive(Debug)]
pub struct Device<S> {
    /// The controller.
    pub controller: Controller,
    /// Station that drives the controller.
    pub station: S,
}

#[derive(Debug)]
enum Message {
    ToController(usize, Packet),
    ToStation(usize, Packet),
}

/// Devices on one medium, and a sink for what happens.
#[derive(Debug)]
pub struct Network<S, O> {
    /// The air.
    pub medium: Medium,
    /// The devices.
    pub devices: Vec<Device<S>>,
    /// The sink.
    pub observer: O,
    /// Of each device.
    transports: Vec<Transport>,
    mail: VecDeque<Message>,
}

const MEDIUM: usize = 0;

const fn controller_node(device: usize) -> usize {
    1 + 2 * device
}

const fn station_node(device: usize) -> usize {
    2 + 2 * device
}

impl<S: Station, O: Observer<S::Event>> Network<S, O> {
    /// A network; [`start`](Self::start) sets it going.
    pub fn new(medium: Medium, devices: Vec<Device<S>>, observer: O) -> Self {
        let transports = devices.iter().map(|_| Transport::default()).collect();
        Self { medium, devices, observer, transports, mail: VecDeque::with_capacity(16) }
    }

    /// This network with the bus of each device between its host and its controller; without, nothing takes time there.
    #[must_use]
    pub fn over(mut self, buses: impl IntoIterator<Item = Bus>) -> Self {
        self.transports = buses.into_iter().map(Transport::new).collect();
        let devices = self.devices.into_iter().zip(&self.transports);
        let below = |(device, transport): (Device<S>, &Transport)| match transport.is_instant() {
            true => device,
            false => Device { controller: device.controller.below_bus(1), ..device },
        };
        self.devices = devices.map(below).collect();
        self
    }

    /// Carries what stations have to say before anything has happened.
    pub fn start(&mut self, now: Instant) {
        let mut touched = Touched::default();
        for device in 0..self.devices.len() {
            self.drain_station(device, now);
        }
        self.carry(now, &mut touched);
    }

    /// Carries what the station of `device` has to say after something outside the plant has moved it.
    /// For [`EventLoop::act`](airtime_core::EventLoop::act).
    pub fn attend(&mut self, device: usize, now: Instant, touched: &mut Touched) {
        touched.note(station_node(device));
        self.drain_station(device, now);
        self.carry(now, touched);
    }

    /// The bus of an outside host, below which the controller of `device` was put, has carried so many packets of data to it.
    /// For [`EventLoop::act`](airtime_core::EventLoop::act).
    pub fn carried(&mut self, device: usize, packets: u16, now: Instant, touched: &mut Touched) {
        self.devices[device].controller.carried(packets);
        touched.note(controller_node(device));
        self.drain_controller(device, now, None, touched);
        self.carry(now, touched);
    }

    /// Puts `controller` in the place of the one of `device`, as a loss of power does: its connections
    /// are gone without a word, and what it had on the air is still heard to its end.
    pub fn replace_controller(&mut self, device: usize, controller: Controller, touched: &mut Touched) {
        self.mail.retain(|message| match message {
            Message::ToController(to, _) | Message::ToStation(to, _) => *to != device,
        });
        self.medium.listen(device, None);
        self.transports[device].clear();
        self.devices[device].controller = controller;
        touched.note(MEDIUM);
        touched.note(controller_node(device));
    }

    fn carry(&mut self, now: Instant, touched: &mut Touched) {
        while let Some(message) = self.mail.pop_front() {
            let (device, to, packet) = match message {
                Message::ToController(device, packet) => (device, End::Controller, packet),
                Message::ToStation(device, packet) => (device, End::Host, packet),
            };
            if self.transports[device].is_instant() {
                self.arrived(device, to, &packet, now, touched);
            } else {
                self.transports[device].send(now, to, packet);
                touched.note(station_node(device));
            }
        }
    }

    /// Gives an H4 packet to the end of the transport of `device` that it was for.
    fn arrived(&mut self, device: usize, to: End, packet: &Packet, now: Instant, touched: &mut Touched) {
        self.observer.hci(now, device, to == End::Controller, packet);
        match to {
            End::Controller => {
                self.devices[device].controller.handle(now, Input::Hci(packet));
                touched.note(controller_node(device));
                self.drain_controller(device, now, None, touched);
            }
            End::Host => {
                self.devices[device].station.hci(now, packet);
                touched.note(station_node(device));
                self.drain_station(device, now);
                if packet.first() == Some(&ACL_DATA) && !self.transports[device].is_instant() {
                    self.devices[device].controller.carried(1);
                    touched.note(controller_node(device));
                    self.drain_controller(device, now, None, touched);
                }
            }
        }
    }

    /// A station or its transport has something to do.
    fn wake_station(&mut self, device: usize, now: Instant, touched: &mut Touched) {
        while let Some((to, packet)) = self.transports[device].poll(now) {
            self.arrived(device, to, &packet, now, touched);
            self.carry(now, touched);
        }
        let station = &mut self.devices[device].station;
        if station.deadline().is_some_and(|at| at <= now) {
            station.wake(now);
            self.drain_station(device, now);
        }
    }

    fn drain_station(&mut self, device: usize, now: Instant) {
        while let Some(output) = self.devices[device].station.poll(now) {
            match output {
                StationOutput::Hci(packet) => self.mail.push_back(Message::ToController(device, packet)),
                StationOutput::Event(event) => self.observer.event(now, device, &event),
            }
        }
    }

    /// Carries a controller's outputs away. The verdict on `heard`, the packet it was just given, goes
    /// to the observer with that packet; says whether there was one.
    fn drain_controller(
        &mut self,
        device: usize,
        now: Instant,
        heard: Option<&Transmission>,
        touched: &mut Touched,
    ) -> bool {
        let mut judged = false;
        while let Some(output) = self.devices[device].controller.poll(now) {
            match output {
                Output::Hci(packet) => self.mail.push_back(Message::ToStation(device, packet)),
                Output::Transmit(transmission) => {
                    self.medium.transmit(device, transmission);
                    touched.note(MEDIUM);
                }
                Output::Listen(window) => {
                    self.medium.listen(device, window);
                    touched.note(MEDIUM);
                }
                Output::Trace(Trace::Received { verdict }) => {
                    if let Some(transmission) = heard {
                        self.observer.transmission(transmission, verdict);
                        judged = true;
                    }
                }
                Output::Trace(trace) => {
                    let starved = self.starved(device, &trace);
                    self.observer.trace(now, device, &trace, starved);
                }
            }
        }
        judged
    }

    fn starved(&self, device: usize, trace: &Trace) -> Option<Starved> {
        let Trace::EventClosed { link, .. } = trace else { return None };
        let Device { controller, station } = &self.devices[device];
        let lacks = station.starved(controller.link(*link)?.handle);
        let transport = &self.transports[device];
        // What its application does not give it, no transport holds up.
        let waits =
            !matches!(lacks, Starved::Application | Starved::Sleep | Starved::Answer | Starved::Busy | Starved::Unseen);
        let holds = transport.carries(End::Controller) || waits && transport.carries(End::Host);
        Some(if holds { Starved::Transport } else { lacks })
    }

    fn wake_medium(&mut self, now: Instant, touched: &mut Touched) {
        while let Some(happening) = self.medium.poll(now) {
            match happening {
                Happening::Ended { transmission, heard, spoiled } => {
                    self.deliver(now, &transmission, heard, spoiled, touched);
                }
                Happening::Garbled { node: device, rest } => {
                    let heard = Heard { pdu: None, start: rest.start, end: rest.end, phy: rest.phy };
                    let input = Input::Heard { link: rest.link, channel: rest.channel, heard };
                    self.devices[device].controller.handle(now, input);
                    touched.note(controller_node(device));
                    self.drain_controller(device, now, None, touched);
                }
                Happening::Missed { node: device } => {
                    self.devices[device].controller.handle(now, Input::Missed);
                    touched.note(controller_node(device));
                    self.drain_controller(device, now, None, touched);
                }
            }
            self.carry(now, touched);
        }
    }

    fn deliver(&mut self, now: Instant, sent: &Transmission, heard: u64, spoiled: u64, touched: &mut Touched) {
        let mut judged = false;
        for device in (0..self.devices.len()).filter(|device| heard >> device & 1 == 1) {
            let pdu = (spoiled >> device & 1 == 0).then_some(&sent.packet[..]);
            let heard = Heard { pdu, start: sent.start, end: sent.end, phy: sent.phy };
            let input = Input::Heard { link: sent.link, channel: sent.channel, heard };
            self.devices[device].controller.handle(now, input);
            touched.note(controller_node(device));
            judged |= self.drain_controller(device, now, Some(sent), touched);
        }
        if !judged {
            self.observer.transmission(sent, if sent.unsent.is_zero() { Verdict::Unheard } else { Verdict::Cut });
        }
    }
}

impl<S: Station, O: Observer<S::Event>> Plant for Network<S, O> {
    fn nodes(&self) -> usize {
        1 + 2 * self.devices.len()
    }

    fn deadline(&self, node: usize) -> Option<Instant> {
        match node {
            MEDIUM => self.medium.deadline(),
            node if node % 2 == 1 => self.devices[(node - 1) / 2].controller.deadline(),
            node => {
                let device = (node - 2) / 2;
                let own = self.devices[device].station.deadline();
                let arrival = self.transports[device].deadline();
                own.into_iter().chain(arrival).min()
            }
        }
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        touched.note(node);
        match node {
            MEDIUM => self.wake_medium(now, touched),
            node if node % 2 == 1 => {
                let device = (node - 1) / 2;
                self.devices[device].controller.handle(now, Input::Wake);
                self.drain_controller(device, now, None, touched);
            }
            node => self.wake_station((node - 2) / 2, now, touched),
        }
        self.carry(now, touched);
    }
}
