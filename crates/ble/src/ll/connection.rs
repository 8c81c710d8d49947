//! One connection: its parameters, sequence numbers, queues, and how time moves from event to event.
//! Core 6.0, Vol 6, Part B, 4.5.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant, Packet};

use super::address::DeviceAddress;
use super::event::Event;
use super::hopping::{ChannelMap, Hopping};
use super::length::{DataLength, Effective, Offer};
use super::outbox::Outbox;
use super::pdu::{ConnectData, SCA_PPM, UNIT_1_25_MS, UNIT_10_MS};
use super::pre_emption::Following;
use super::procedure::Procedures;
use super::room::Room;
use super::subrating::{SubrateRange, Subrating};
use super::transmit::{Settled, TransmitQueue};
use crate::air::{Phy, T_IFS};
use crate::hci::Status;
use crate::personality;
use crate::trace::Trace;
use crate::words::Role;

/// Events without a packet after which a fresh connection counts as never established.
/// Core 6.0, Vol 6, Part B, 4.5.2.
const ESTABLISH_EVENTS: u64 = 6;

/// Events before the end of the supervision timeout from which Zephyr forces a link's turn. `ull_conn.c`, `ull_conn_done`.
const FORCED_EVENTS: u64 = 6;

/// Context of a connection's steps: the parts of the controller around it that they need.
pub struct Context<'a> {
    /// The time.
    pub now: Instant,
    /// Behaviour of this controller.
    pub personality: &'a personality::Controller,
    /// Queue for outputs.
    pub out: &'a mut Outbox,
    /// Start of the earliest other activity of this controller; where events are cut, the instant at which the radio is taken
    /// from an event that begins now, be it by this connection's next. Far in the future if there is no other.
    pub others: Instant,
    /// Room for what was received, above the controller.
    pub room: &'a mut Room,
}

/// Link parameters that change together at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Connection interval.
    pub interval: Duration,
    /// Peripheral latency in events.
    pub latency: u16,
    /// Supervision timeout.
    pub timeout: Duration,
}

/// MIC and key of an encrypted connection.
///
/// Octets are counted and keys are compared, but nothing is scrambled: the MIC on the virtual air
/// is a checksum under the session key, which fails exactly when the keys differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encryption {
    /// Packets sent carry a MIC.
    pub tx: bool,
    /// Packets received must carry a MIC.
    pub rx: bool,
    /// Digest of the long term key and both diversifiers.
    pub session: u32,
}

/// One connection of one controller.
#[derive(Debug)]
pub struct Connection {
    /// HCI handle.
    pub handle: u16,
    /// Access address.
    pub link: u32,
    /// Role of this side.
    pub role: Role,
    /// The other side: its identity, where that is known.
    pub peer: DeviceAddress,
    /// Interval, latency, timeout.
    pub timing: Timing,
    /// Anchor of the running event, or of the next one.
    pub anchor: Instant,
    /// Counter of the running event, or of the next one.
    pub counter: u16,
    /// PHY to send on.
    pub tx_phy: Phy,
    /// PHY to receive on.
    pub rx_phy: Phy,
    /// Gap this side leaves before its packets on the PHY in use.
    pub frame_space: Duration,
    /// Gap negotiated for 1M, 2M and LE Coded.
    pub(crate) spaces: [Duration; 3],
    /// Shortest and longest gap the other side may leave while a change is under way.
    pub peer_space: (Duration, Duration),
    /// Offers of data length.
    pub lengths: DataLength,
    /// Data length in effect.
    pub effective: Effective,
    /// Data and control PDUs to send.
    pub queue: TransmitQueue,
    /// Received ACL packets that wait for room at the host.
    pub inbound: VecDeque<Packet>,
    /// Packets the host has got and not given back, while host flow control is on.
    at_host: u16,
    /// Encryption state.
    pub encryption: Encryption,
    /// Control procedures.
    pub procedures: Procedures,
    /// The running event.
    pub event: Option<Event>,
    /// Reason that the connection is over, once it is.
    pub ended: Option<Status>,
    pub(crate) sn: bool,
    pub(crate) nesn: bool,
    pub(crate) channel: u8,
    /// Size of the transmit window of the next event, zero once its first packet was heard. Core 6.0, Vol 6, Part B, 4.5.3.
    pub(crate) window: Duration,
    pub(crate) completed: u16,
    pub(crate) established: bool,
    pub(crate) last_heard: Instant,
    /// End of the last event: nothing is prepared before.
    pub(crate) free_from: Instant,
    /// Instant at which the anchor was last taken from a packet of the central.
    pub(crate) synchronised: Instant,
    pub(crate) map: ChannelMap,
    /// Events passed over since the last one, by peripheral latency.
    pub(crate) slept: u16,
    /// Set once the coming event has its turn at the radio, where events take it from each other.
    pub(crate) has_turn: bool,
    /// Turns in a row in which it was passed over.
    pub(crate) passed_over: u64,
    /// Set if the link is about to be lost.
    pub(crate) starving: bool,
    /// Timer by which a peripheral that takes the radio for its events follows its central.
    pub(crate) following: Option<Following>,
    /// Events that are used.
    pub(crate) subrating: Subrating,
    /// Events that will be, while a central's update is on its way: those of both are used then.
    pub(crate) coming: Option<Subrating>,
    /// Set if the running event has carried something.
    pub(crate) carried: bool,
    hopping: Hopping,
    unhopped: u16,
    clock_ppm: u64,
}

/// Position of a PHY among 1M, 2M and LE Coded: its bit in PHY fields.
pub(crate) const fn phy_index(phy: Phy) -> usize {
    match phy {
        Phy::Le1M => 0,
        Phy::Le2M => 1,
        Phy::LeCodedS2 | Phy::LeCodedS8 => 2,
    }
}

/// Parameters of a new connection, from CONNECT_IND and HCI.
#[derive(Clone, Copy, Debug)]
pub struct NewConnection {
    /// HCI handle.
    pub handle: u16,
    /// Role of this side.
    pub role: Role,
    /// The other side: its identity, where that is known.
    pub peer: DeviceAddress,
    /// LLData.
    pub data: ConnectData,
    /// Both sides support channel selection algorithm #2.
    pub csa2: bool,
    /// PHY the connection begins on: that of the CONNECT_IND or AUX_CONNECT_REQ.
    pub phy: Phy,
    /// End of the CONNECT_IND.
    pub created: Instant,
    /// Start of the transmit window.
    pub window_start: Instant,
    /// The peripheral's own sleep clock accuracy.
    pub own_ppm: u16,
    /// Octets this side wants to send and receive once a length procedure runs.
    pub offer: Offer,
    /// PHYs this side allows when the peer asks: to send and to receive on.
    pub phys: (u8, u8),
    /// Subrating that this side finds acceptable when the peer asks.
    pub subrates: SubrateRange,
}

impl Connection {
    /// A connection as CONNECT_IND makes it. The LLData must have been read by [`ConnectData::parse`]
    /// or made by this controller, so that its channel map is good.
    pub fn new(new: &NewConnection) -> Self {
        let data = &new.data;
        let map = ChannelMap::new(data.channel_map).expect("a checked CONNECT_IND names two channels");
        let hopping = if new.csa2 { Hopping::two(data.access_address) } else { Hopping::one(data.hop) };
        let mut lengths = DataLength::initial();
        lengths.local = Offer { ..Offer::INITIAL };
        let timing = Timing {
            interval: UNIT_1_25_MS * u64::from(data.interval),
            latency: data.latency,
            timeout: UNIT_10_MS * u64::from(data.timeout),
        };
        let effective = lengths.effective(new.phy, new.phy, T_IFS, timing.interval);
        Self {
            handle: new.handle,
            link: data.access_address,
            role: new.role,
            peer: new.peer,
            timing,
            anchor: new.window_start,
            counter: 0,
            tx_phy: new.phy,
            rx_phy: new.phy,
            frame_space: T_IFS,
            spaces: [T_IFS; 3],
            peer_space: (T_IFS, T_IFS),
            lengths,
            effective,
            queue: TransmitQueue::default(),
            inbound: VecDeque::new(),
            at_host: 0,
            encryption: Encryption::default(),
            procedures: Procedures::new(new.offer, new.phys, new.subrates),
            event: None,
            ended: None,
            sn: false,
            nesn: false,
            channel: 0,
            window: if new.role == Role::Peripheral { UNIT_1_25_MS * u64::from(data.win_size) } else { Duration::ZERO },
            completed: 0,
            established: false,
            last_heard: new.created,
            free_from: Instant::ZERO,
            synchronised: new.created,
            map,
            slept: 0,
            has_turn: false,
            passed_over: 0,
            starving: false,
            following: None,
            subrating: Subrating::default(),
            coming: None,
            carried: false,
            hopping,
            // The first event is one hop away from the start of algorithm #1.
            unhopped: 1,
            clock_ppm: u64::from(SCA_PPM[usize::from(data.sca & 7)]) + u64::from(new.own_ppm),
        }
    }

    /// Instant at which this connection next wants the radio or the clock.
    pub fn deadline(&self, personality: &personality::Controller) -> Instant {
        let work = match &self.event {
            Some(event) => event.deadline(),
            None => self.begins(personality),
        };
        // A shorter supervision timeout that has just taken effect may have run out already.
        work.min(self.supervision().max(self.free_from)).min(self.procedures.deadline())
    }

    /// Instant at which preparations for the next event begin.
    pub fn begins(&self, personality: &personality::Controller) -> Instant {
        match self.role {
            Role::Central => self.anchor.saturating_back(personality.queue_ahead).max(self.free_from),
            Role::Peripheral => self.window_opens().max(self.free_from),
        }
    }

    /// Instant from which a peripheral listens for the coming event.
    pub(crate) fn window_opens(&self) -> Instant {
        match &self.following {
            Some(following) => following.window().0,
            None => self.anchor.saturating_back(self.widening()),
        }
    }

    /// Window widening that an interval adds, in whole microseconds.
    pub(crate) fn periodic_widening_us(&self) -> i64 {
        (self.timing.interval.as_nanos() * self.clock_ppm).div_ceil(1_000_000_000) as i64
    }

    /// Window widening: the possible drift of both sleep clocks since the last synchronisation, and the 16 µs that an
    /// instant may be off. Core 6.0, Vol 6, Part B, 4.2.2 and 4.5.7.
    pub(crate) fn widening(&self) -> Duration {
        self.widening_at(self.anchor)
    }

    /// Window widening of an event with this anchor.
    pub(crate) fn widening_at(&self, anchor: Instant) -> Duration {
        let elapsed = anchor.saturating_since(self.synchronised).as_nanos();
        Duration::from_nanos(elapsed / 1_000_000 * self.clock_ppm + 16_000)
    }

    /// Instant at which the connection counts as lost if nothing more is heard.
    fn supervision(&self) -> Instant {
        let timeout = if self.established { self.timing.timeout } else { self.timing.interval * ESTABLISH_EVENTS };
        self.last_heard + timeout
    }

    /// Tells if so few events are left of the supervision timeout that the link goes before others (`ull_conn_done` of Zephyr).
    pub(crate) fn is_starving(&self, now: Instant) -> bool {
        self.supervision() <= now + self.timing.interval * (FORCED_EVENTS * u64::from(self.subrating.factor()))
    }

    /// Ends the connection when its time is up; says whether it did.
    pub fn check_supervision(&mut self, now: Instant) -> bool {
        let lost = now >= self.supervision();
        if lost {
            self.end(if self.established { Status::CONNECTION_TIMEOUT } else { Status::FAILED_TO_ESTABLISH });
        }
        lost
    }

    /// Marks the connection as over; the first reason stays.
    pub(crate) fn end(&mut self, reason: Status) {
        self.ended.get_or_insert(reason);
    }

    /// Moves on to the next event after this one, letting what is due at its instant take effect.
    pub(crate) fn advance(&mut self, ctx: &mut Context<'_>) {
        self.counter = self.counter.wrapping_add(1);
        self.unhopped = self.unhopped.wrapping_add(1);
        self.follow_on(ctx.personality);
        self.anchor += self.timing.interval;
        self.has_turn = false;
        let carried = core::mem::take(&mut self.carried);
        [Some(&mut self.subrating), self.coming.as_mut()].into_iter().flatten().for_each(|own| own.advance(carried));
        self.apply_instants(ctx);
    }

    /// Moves on to the next event that is used: what lies between is of nobody.
    pub(crate) fn move_on(&mut self, ctx: &mut Context<'_>) {
        self.advance(ctx);
        let (counter, anchor) = (self.counter, self.anchor);
        while !self.uses_event() {
            self.advance(ctx);
        }
        if self.counter != counter {
            let (link, role) = (self.link, self.role);
            ctx.out.trace(Trace::EventsUnused { link, role, counter, anchor, until: self.anchor });
        }
    }

    /// Tells if the coming event is used. Core 6.2, Vol 6, Part B, 4.5.1, 5.1.1 and 5.1.19.
    fn uses_event(&self) -> bool {
        self.subrating.is_used()
            || self.coming.as_ref().is_some_and(Subrating::is_subrated)
            || self.procedures.needs_event(self.counter)
    }

    /// Passes over events whose anchors lie behind: a peer that sends on beyond an anchor costs the next event.
    pub(crate) fn catch_up(&mut self, ctx: &mut Context<'_>) {
        self.free_from = ctx.now;
        while self.anchor < ctx.now {
            self.skip(ctx);
        }
    }

    /// Takes back one event passed over by peripheral latency. Nothing with an instant was due in it: a
    /// peripheral with a pending instant does not sleep.
    pub(crate) fn step_back(&mut self, personality: &personality::Controller) {
        self.counter = self.counter.wrapping_sub(1);
        self.unhopped = self.unhopped.wrapping_sub(1);
        self.follow_back(personality);
        self.anchor = self.anchor - self.timing.interval;
        self.subrating.step_back();
        self.slept -= 1;
    }

    /// The channel of the event about to begin.
    pub(crate) fn hop(&mut self) -> u8 {
        let advanced = core::mem::take(&mut self.unhopped);
        self.channel = self.hopping.channel(self.counter, advanced, &self.map);
        self.channel
    }

    /// Skips the coming event because another activity holds the radio.
    pub fn skip(&mut self, ctx: &mut Context<'_>) {
        ctx.out.trace(Trace::EventSkipped {
            link: self.link,
            role: self.role,
            counter: self.counter,
            anchor: self.anchor,
            latency: false,
        });
        self.move_on(ctx);
    }

    /// Recomputes what depends on PHY, frame spaces, interval and offers.
    pub(crate) fn refresh_lengths(&mut self) {
        self.frame_space = self.spaces[phy_index(self.tx_phy)];
        self.effective = self.lengths.effective(self.tx_phy, self.rx_phy, self.frame_space, self.timing.interval);
    }

    /// Payload octets of the longest PDU this side may send now.
    pub fn tx_payload(&self) -> u16 {
        self.effective.tx_payload(self.tx_phy, self.encryption.tx)
    }

    /// Time of an exchange of the longest PDUs that both sides may send now, with the gaps behind them.
    pub(crate) fn longest_exchange(&self) -> Duration {
        let own = self.tx_phy.data_pdu(self.tx_payload().into(), self.encryption.tx);
        own + self.frame_space + self.longest_reply() + self.frame_space
    }

    /// Time of the longest PDU the other side may send now.
    pub(crate) fn longest_reply(&self) -> Duration {
        let octets = self.effective.rx_payload(self.rx_phy, self.encryption.rx);
        self.rx_phy.data_pdu(octets.into(), self.encryption.rx)
    }

    /// Takes in what an acknowledgement has settled.
    pub(crate) fn settle(&mut self, ctx: &mut Context<'_>, settled: Settled) {
        match settled {
            Settled::Nothing => {}
            Settled::AclPacket => {
                self.completed += 1;
                if ctx.personality.completed_packets == personality::CompletedPackets::PerPdu {
                    self.report_completed(ctx);
                }
            }
            Settled::Control(code) => self.control_acknowledged(ctx, code),
        }
    }

    /// Tells the host how many of its packets are done.
    pub(crate) fn report_completed(&mut self, ctx: &mut Context<'_>) {
        if self.completed > 0 {
            let packet = crate::hci::event::completed_packets(ctx.out.pool(), self.handle, self.completed);
            self.completed = 0;
            ctx.out.hci(packet);
        }
    }

    /// Takes back at most `packets` of those the host has got; says how many it had.
    pub fn returned(&mut self, packets: u16) -> u16 {
        let returned = packets.min(self.at_host);
        self.at_host -= returned;
        returned
    }

    /// Gives the host as many received packets as it takes.
    pub fn deliver(&mut self, out: &mut Outbox, room: &mut Room) {
        while !self.inbound.is_empty() && room.is_there() {
            if room.take() {
                self.at_host += 1;
            }
            if let Some(packet) = self.inbound.pop_front() {
                out.hci(packet);
            }
        }
    }
}
