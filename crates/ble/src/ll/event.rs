//! A connection event: who sends when, what ends it. Core 6.0, Vol 6, Part B, 4.5.6.
//!
//! Each side decides from what it alone knows: its own queue, what it has heard, and `stop`, the
//! start of its next activity less a lead; or, where events are cut, goes on until its next activity takes the radio. Neither sees
//! the other's queue.

#[cfg(test)]
mod tables;

use airtime_core::{Duration, Instant, Packet};

use super::connection::{Connection, Context};
use super::encryption::mic;
use super::pdu::{DataHeader, LLID_CONTROL, LLID_START};
use super::ticker::Ticker;
use crate::air::MIC_OCTETS;
use crate::hci::{self, Status};
use crate::medium::{Listen, Place, Transmission};
use crate::personality::Budget;
use crate::trace::{EventEnd, Trace, Verdict};
use crate::words::Role;

/// Active clocks may be off by this within an event. Core 6.0, Vol 6, Part B, 4.2.1.
const ACTIVE_CLOCK_JITTER: Duration = Duration::from_micros(2);

/// A running event.
#[derive(Debug)]
pub struct Event {
    anchor: Instant,
    /// Instant at which another event takes the radio, whatever is on the air then.
    stop: Instant,
    phase: Phase,
    /// Packet pairs completed.
    exchanges: u16,
    /// Packets this side has sent.
    sent: u16,
    /// Consecutive packets with a wrong CRC.
    crc_errors: u8,
    heard: bool,
    /// More data, as this side announced it in its last packet.
    own_md: bool,
    peer_md: bool,
    /// The last packet was not read, so what it announced is not known.
    unread: bool,
    /// The rule kept this side from announcing data it has.
    held_back: bool,
    /// Too many packets with a wrong CRC have come: the next packet of this side is its last.
    fails: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The next packet is chosen at `at` and starts at `start`.
    Choosing { at: Instant, start: Instant },
    /// Waiting for the peer; the medium says when its time is up.
    Listening,
}

/// A packet that was heard.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// Header, payload and MIC; none when the CRC was wrong.
    pub pdu: Option<&'a [u8]>,
    /// Start of the packet.
    pub start: Instant,
    /// End of the packet.
    pub end: Instant,
    /// PHY and coding it came in.
    pub phy: crate::air::Phy,
}

impl Event {
    fn new(anchor: Instant, stop: Instant) -> Self {
        Self {
            anchor,
            stop,
            phase: Phase::Listening,
            exchanges: 0,
            sent: 0,
            crc_errors: 0,
            heard: false,
            own_md: false,
            peer_md: false,
            unread: false,
            held_back: false,
            fails: false,
        }
    }

    /// True once another event has taken the radio.
    pub fn is_stopped(&self, now: Instant) -> bool {
        self.stop <= now
    }

    /// Instant at which the event next needs the clock.
    pub fn deadline(&self) -> Instant {
        match self.phase {
            Phase::Choosing { at, .. } => at.min(self.stop),
            Phase::Listening => self.stop,
        }
    }
}

impl Connection {
    /// Prepares and begins the event that is due.
    pub fn begin_event(&mut self, ctx: &mut Context<'_>) {
        let stop = self.stop(ctx);
        if stop <= self.anchor {
            return self.skip(ctx);
        }
        self.slept = 0;
        self.hop();
        self.event = Some(Event::new(self.anchor, stop));
        match self.role {
            Role::Central => self.transmit(ctx, self.anchor),
            Role::Peripheral => {
                let (from, until) = match &self.following {
                    Some(following) => following.window(),
                    None => {
                        let widening = self.widening();
                        (self.anchor.saturating_back(widening), self.anchor + self.window + widening)
                    }
                };
                self.listen(ctx, from.max(ctx.now), until);
            }
        }
    }

    /// Goes on with a running event whose time to choose has come.
    pub fn continue_event(&mut self, ctx: &mut Context<'_>) {
        match self.event {
            Some(Event { stop, .. }) if stop <= ctx.now => self.cut(ctx),
            Some(Event { phase: Phase::Choosing { at, start }, .. }) if at <= ctx.now => self.take_turn(ctx, start),
            _ => {}
        }
    }

    fn set_phase(&mut self, phase: Phase) {
        if let Some(event) = &mut self.event {
            event.phase = phase;
        }
    }

    /// Takes the anchor of the running event from its first packet.
    fn see_anchor(&mut self, ctx: &Context<'_>, anchor: Instant) {
        self.anchor = anchor;
        self.window = Duration::ZERO;
        let first = self.waits_for_anchor();
        self.follow(ctx.personality, anchor);
        // A packet as long as the interval ends behind it.
        let stop = first.then(|| self.first_stop(ctx).max(ctx.now));
        let event = self.event.as_mut().expect("an event is running");
        event.anchor = anchor;
        event.stop = stop.unwrap_or(event.stop);
    }

    /// Switches the radio off, because the next event or another activity has taken it.
    fn cut(&mut self, ctx: &mut Context<'_>) {
        ctx.out.listen(None);
        if let Some(following) = &mut self.following {
            following.cut();
        }
        let own = Ticker::of(ctx.personality).map(|ticker| self.takes_next(ticker));
        let stop = self.event.as_ref().map(|event| event.stop);
        self.close(ctx, if own <= stop { EventEnd::Tail } else { EventEnd::OtherActivity });
    }

    /// A packet of this connection was heard.
    pub fn receive(&mut self, ctx: &mut Context<'_>, heard: Heard<'_>) {
        let Some(event) = &mut self.event else { return };
        event.exchanges += 1;
        event.unread = heard.pdu.is_none();
        if self.role == Role::Peripheral && !event.heard {
            self.see_anchor(ctx, heard.start);
        }
        let Some(event) = &mut self.event else { return };
        event.heard = true;
        self.procedures.termination().note_heard();
        match heard.pdu.and_then(DataHeader::parse) {
            Some((header, payload)) => self.take_in(ctx, header, payload, heard),
            None => {
                let event = self.event.as_mut().expect("an event is running");
                event.crc_errors += 1;
                ctx.out.trace(Trace::Received { verdict: Verdict::Corrupted });
                if event.crc_errors >= ctx.personality.crc_errors_close {
                    if self.role == Role::Central || !ctx.personality.crc_errors_reply {
                        return self.close(ctx, EventEnd::Errors);
                    }
                    event.fails = true;
                }
            }
        }
        if self.ended.is_some() {
            return self.close(ctx, EventEnd::Empty);
        }
        let start = heard.end + self.frame_space;
        let at = start.saturating_back(ctx.personality.queue_ahead).max(ctx.now);
        if at <= ctx.now {
            return self.take_turn(ctx, start);
        }
        self.set_phase(Phase::Choosing { at, start });
    }

    /// The window closed and nothing was heard.
    pub fn missed(&mut self, ctx: &mut Context<'_>) {
        if self.event.is_some() {
            self.close(ctx, EventEnd::Silence);
        }
    }

    /// Reads a packet with a good CRC: acknowledgement, sequence number, payload.
    fn take_in(&mut self, ctx: &mut Context<'_>, header: DataHeader, payload: &[u8], heard: Heard<'_>) {
        self.established = true;
        self.carried |= !payload.is_empty();
        self.last_heard = heard.end;
        if self.role == Role::Peripheral {
            self.synchronised = heard.start;
            if heard.phy.is_coded() && self.tx_phy.is_coded() {
                // Nobody tells a peripheral which coding to use; it answers in the one it hears.
                (self.tx_phy, self.rx_phy) = (heard.phy, heard.phy);
            }
        }
        let event = self.event.as_mut().expect("an event is running");
        event.crc_errors = 0;
        event.peer_md = header.md;
        let acknowledged = header.nesn != self.sn && self.queue.unacknowledged().is_some();
        let verdict = if header.sn != self.nesn {
            Verdict::Duplicate
        } else if !payload.is_empty() && !self.has_room(ctx, header.llid) {
            Verdict::Refused
        } else {
            Verdict::New
        };
        ctx.out.trace(Trace::Received { verdict });
        if acknowledged {
            self.sn = !self.sn;
            let settled = self.queue.acknowledge();
            self.settle(ctx, settled);
        }
        if verdict == Verdict::New {
            self.nesn = !self.nesn;
            self.accept(ctx, header, payload);
        }
    }

    fn has_room(&self, ctx: &Context<'_>, llid: u8) -> bool {
        if llid == LLID_CONTROL {
            return !self.queue.control_is_full();
        }
        ctx.room.is_there() || self.inbound.len() < usize::from(ctx.personality.rx_buffers)
    }

    /// Hands a new PDU upwards.
    fn accept(&mut self, ctx: &mut Context<'_>, header: DataHeader, payload: &[u8]) {
        if payload.is_empty() {
            return;
        }
        let Some(payload) = self.open(payload) else { return self.end(Status::MIC_FAILURE) };
        match header.llid {
            LLID_CONTROL => self.control(ctx, payload),
            0 => {}
            llid => {
                let boundary = if llid == LLID_START { hci::PB_FIRST_FLUSHABLE } else { hci::PB_CONTINUING };
                let mut packet = hci::acl(ctx.out.pool(), self.handle, boundary);
                packet.put(payload);
                self.inbound.push_back(hci::finish_acl(packet));
                self.deliver(ctx.out, ctx.room);
            }
        }
    }

    /// Checks and strips the MIC, if there has to be one.
    fn open<'a>(&self, payload: &'a [u8]) -> Option<&'a [u8]> {
        if !self.encryption.rx {
            return Some(payload);
        }
        let split = payload.len().checked_sub(MIC_OCTETS as usize)?;
        let (clear, check) = payload.split_at(split);
        (check == mic(self.encryption.session, clear)).then_some(clear)
    }

    fn take_turn(&mut self, ctx: &mut Context<'_>, start: Instant) {
        let decision = match self.role {
            Role::Central => self.central_goes_on(ctx, start),
            Role::Peripheral => self.peripheral_replies(ctx, start),
        };
        match decision {
            Ok(()) => self.transmit(ctx, start),
            Err(end) => self.close(ctx, end),
        }
    }

    /// Tells if the central starts another exchange at `start`.
    fn central_goes_on(&self, ctx: &Context<'_>, start: Instant) -> Result<(), EventEnd> {
        let event = self.event.as_ref().expect("an event is running");
        // When both sides have announced no more data, the peripheral has stopped listening: what has
        // been queued since waits for the next event (Core 6.0, Vol 6, Part B, 4.5.6).
        if !event.own_md && !event.peer_md && !event.unread {
            return Err(EventEnd::Empty);
        }
        let end = start + self.next_time() + self.frame_space + self.budgeted(ctx);
        self.within_caps(ctx, end)?;
        self.ends_in_time(ctx, end)
    }

    /// Decides if the peripheral sends its reply at `start`, or stays silent. The first one always goes.
    fn peripheral_replies(&self, ctx: &Context<'_>, start: Instant) -> Result<(), EventEnd> {
        let event = self.event.as_ref().expect("an event is running");
        if event.sent == 0 { Ok(()) } else { self.ends_in_time(ctx, start + self.next_time()) }
    }

    /// Tells if an exchange that ends at `end` is within the central's own limits of an event.
    fn within_caps(&self, ctx: &Context<'_>, end: Instant) -> Result<(), EventEnd> {
        let event = self.event.as_ref().expect("an event is running");
        let time_up = ctx.personality.time_cap().is_some_and(|cap| end > event.anchor + cap);
        let count_up = ctx.personality.event_pdu_cap.is_some_and(|cap| event.sent >= cap);
        if time_up || count_up { Err(EventEnd::Cap) } else { Ok(()) }
    }

    /// Tells if something that lasts until `end` leaves the lead before the next activity.
    fn ends_in_time(&self, ctx: &Context<'_>, end: Instant) -> Result<(), EventEnd> {
        if ctx.personality.prepare_lead.is_some() {
            return Ok(());
        }
        let lead = ctx.personality.margin + self.frame_space;
        let own = self.anchor + self.timing.interval;
        if end + lead <= own.min(ctx.others) {
            Ok(())
        } else if own <= ctx.others {
            Err(EventEnd::Tail)
        } else {
            Err(EventEnd::OtherActivity)
        }
    }

    /// Time of the peer's packet that its events have room for.
    fn budgeted(&self, ctx: &Context<'_>) -> Duration {
        match ctx.personality.budget {
            Budget::EmptyReply => self.rx_phy.data_pdu(0, false),
            Budget::FullReply => self.longest_reply(),
        }
    }

    /// Time of the packet this side would send next.
    fn next_time(&self) -> Duration {
        let octets = self.queue.next_len(self.tx_payload());
        self.tx_phy.data_pdu(octets.into(), self.encryption.tx)
    }

    /// Tells if this side announces more data in the packet that ends at `end`.
    fn announces_more(&self, ctx: &Context<'_>, end: Instant) -> bool {
        let Some(octets) = self.queue.len_after_next(self.tx_payload()) else { return false };
        if self.role == Role::Central || ctx.personality.budget == Budget::EmptyReply {
            return true;
        }
        // A peripheral that budgets full packets stops announcing when the next exchange, with the
        // longest packet its central may send, would not end in time.
        let own = self.tx_phy.data_pdu(octets.into(), self.encryption.tx);
        let next = end + self.frame_space + self.longest_reply() + self.frame_space + own;
        self.ends_in_time(ctx, next).is_ok()
    }

    /// Sends the packet that begins at `start`: all of it, or as much as the event's stop leaves time for.
    fn transmit(&mut self, ctx: &mut Context<'_>, start: Instant) {
        let end = start + self.next_time();
        let stop = self.event.as_ref().expect("an event is running").stop;
        if stop <= start {
            // It waits for that instant in silence.
            return self.set_phase(Phase::Listening);
        }
        let unsent = end.saturating_since(stop);
        let has_more = self.queue.len_after_next(self.tx_payload()).is_some();
        let capped = has_more && self.is_last_of_cap(ctx, end);
        let md = has_more && !capped && self.announces_more(ctx, end);
        let (packet, encrypted) = self.packet(ctx, md);
        if unsent.is_zero() {
            self.procedures.termination().note_sent();
        }
        let event = self.event.as_mut().expect("an event is running");
        let opens = self.role == Role::Central && event.sent == 0;
        event.sent += 1;
        event.own_md = md;
        event.held_back = has_more && !md;
        ctx.out.transmit(Transmission {
            link: self.link,
            channel: self.channel,
            phy: self.tx_phy,
            start,
            end: end - unsent,
            unsent,
            place: Place::Event { counter: self.counter, opens, from_central: self.role == Role::Central },
            encrypted,
            packet,
        });
        if unsent.is_zero() {
            self.await_reply(ctx, end, capped);
        } else {
            // Its own end is the event's: nothing follows it.
            self.set_phase(Phase::Listening);
        }
    }

    /// Tells if a peripheral's packet that ends at `end` is the last one that its cap allows: by time, where its next one would end
    /// later, behind the packet of the central that it budgets for.
    fn is_last_of_cap(&self, ctx: &Context<'_>, end: Instant) -> bool {
        let event = self.event.as_ref().expect("an event is running");
        let by_count = ctx.personality.event_pdu_cap.is_some_and(|cap| event.sent + 1 >= cap);
        let by_time = ctx.personality.time_cap().is_some_and(|cap| {
            let octets = self.queue.len_after_next(self.tx_payload()).unwrap_or(0);
            let own = self.tx_phy.data_pdu(octets.into(), self.encryption.tx);
            let next = end + self.frame_space + self.budgeted(ctx) + self.frame_space + own;
            next > event.anchor + cap
        });
        self.role == Role::Peripheral && (by_count || by_time)
    }

    /// The next packet of the queue as it goes on the air, with a flag that is set if it carries a MIC.
    fn packet(&mut self, ctx: &mut Context<'_>, md: bool) -> (Packet, bool) {
        let (sn, nesn) = (self.sn, self.nesn);
        let mut packet = ctx.out.pool().packet();
        let pdu = self.queue.send(self.effective.tx_payload(self.tx_phy, self.encryption.tx));
        self.carried |= !pdu.payload.is_empty();
        let sealed = self.encryption.tx && !pdu.payload.is_empty();
        let octets = pdu.payload.len() + if sealed { MIC_OCTETS as usize } else { 0 };
        packet.put(&[DataHeader { llid: pdu.llid, nesn, sn, md }.octet(), octets as u8]);
        packet.put(pdu.payload);
        if sealed {
            packet.put(&mic(self.encryption.session, pdu.payload));
        }
        (packet, sealed)
    }

    /// Listens for what comes behind an own packet that ends at `end`, or closes the event if nothing can.
    fn await_reply(&mut self, ctx: &mut Context<'_>, end: Instant, capped: bool) {
        let event = self.event.as_ref().expect("an event is running");
        let goes_on = !event.fails && (self.role == Role::Central || event.own_md || event.peer_md || event.unread);
        let (shortest, longest) = self.peer_space;
        let from = (end + shortest).saturating_back(ACTIVE_CLOCK_JITTER);
        let until = (end + longest + ACTIVE_CLOCK_JITTER).min(self.next_window());
        let closes = match event {
            _ if goes_on && from < until => {
                self.set_phase(Phase::Listening);
                return self.listen(ctx, from, until);
            }
            // The next event begins before another packet of this one could.
            _ if goes_on => EventEnd::Tail,
            Event { fails: true, .. } => EventEnd::Errors,
            _ if capped => EventEnd::Cap,
            Event { held_back: true, .. } => EventEnd::Tail,
            _ => EventEnd::Empty,
        };
        self.close(ctx, closes);
    }

    /// The last instant before this side must be ready for its next event.
    fn next_window(&self) -> Instant {
        let next = self.anchor + self.timing.interval;
        let widening = match self.role {
            Role::Central => Duration::ZERO,
            Role::Peripheral => self.widening_at(next),
        };
        next.saturating_back(widening + Duration::from_nanos(1))
    }

    fn listen(&mut self, ctx: &mut Context<'_>, from: Instant, until: Instant) {
        ctx.out.listen(Some(Listen { link: self.link, channel: self.channel, phy: self.rx_phy, from, until }));
    }

    /// Gives the radio up for another activity, if the first exchange is over; says whether it did.
    pub fn give_way(&mut self, ctx: &mut Context<'_>) -> bool {
        let gives = self.event.as_ref().is_some_and(|event| event.exchanges > 0);
        if gives {
            self.close(ctx, EventEnd::OtherActivity);
        }
        gives
    }

    /// Closes the event and moves on to the next one.
    fn close(&mut self, ctx: &mut Context<'_>, end: EventEnd) {
        let Some(event) = self.event.take() else { return };
        ctx.out.trace(Trace::EventClosed {
            link: self.link,
            role: self.role,
            counter: self.counter,
            end,
            exchanges: event.exchanges,
            had_data: self.queue.has_unsent(),
        });
        self.report_completed(ctx);
        // `ull_conn_done` of Zephyr: `central.terminate_ack`.
        let stays = self.role == Role::Central && ctx.personality.prepare_lead.is_some();
        if let Some(reason) = self.procedures.termination().left(stays) {
            return self.end(reason);
        }
        self.move_on(ctx);
        self.catch_up(ctx);
        self.starving = self.last_heard < event.anchor && self.is_starving(ctx.now);
        if self.role == Role::Peripheral && event.heard && !event.unread {
            self.sleep(ctx);
        }
    }

    /// Passes over events that peripheral latency lets this side miss. Core 6.0, Vol 6, Part B, 4.5.1.
    fn sleep(&mut self, ctx: &mut Context<'_>) {
        let awake = self.queue.has_data() || self.procedures.busy() || self.ended.is_some();
        // It is about subrated events; whatever is carried has its continuation.
        let sleeps = !awake && self.subrating.is_subrated();
        for _ in 0..if sleeps { self.timing.latency * self.subrating.factor() } else { 0 } {
            ctx.out.trace(Trace::EventSkipped {
                link: self.link,
                role: self.role,
                counter: self.counter,
                anchor: self.anchor,
                latency: true,
            });
            self.advance(ctx);
            self.slept += 1;
        }
    }

    /// Takes part again in the next event that can still be prepared, because there is something to send.
    pub fn wake_up(&mut self, ctx: &mut Context<'_>) {
        let asleep = self.slept > 0 && self.event.is_none();
        while asleep && self.slept > 0 {
            let events = self.subrating.factor();
            let earlier = self.anchor - self.timing.interval * u64::from(events);
            if earlier.saturating_back(self.widening()) <= ctx.now {
                break;
            }
            (0..events).for_each(|_| self.step_back(ctx.personality));
        }
        if asleep {
            ctx.out.trace(Trace::Awake { link: self.link, counter: self.counter });
        }
    }
}
