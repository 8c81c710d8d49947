//! The way out: packets into the queue, frames out of it.

use airtime_core::Instant;

use super::arq::sender::Sender;
use super::control::Control;
use super::ip::Outline;
use super::stage::{FRONT, Origin};
use super::{Mode, Outgoing, Tunnel};
use crate::trace::{DropPoint, Purpose, Upload};

/// Packets that the queue holds however slow the link is.
const PACKETS_MIN: u32 = 4;

impl Tunnel {
    /// An IP packet from the TUN device.
    ///
    /// # Errors
    /// Where it was dropped: the queue's bound, or no IP packet. Fair queueing may drop another flow's packet instead and take
    /// this one; that one is told by [`next_drop`](Self::next_drop), this one is not.
    pub fn offer(&mut self, now: Instant, packet: &[u8]) -> Result<(), DropPoint> {
        let mtu = self.agreement.terms().map_or(self.config.mtu, |terms| terms.mtu);
        let outline = Outline::of(packet).filter(|_| packet.len() <= usize::from(mtu)).ok_or(DropPoint::Malformed)?;
        while !self.queue.has_room(packet.len()) {
            self.shed();
        }
        let wait = self.pace.chunk() * u64::from(self.backlog());
        let expires = now + wait + self.config.persistence;
        let overhead = self.overhead() as u16;
        self.queue.put(packet, outline.flow, overhead, expires);
        let bound = self.config.queue / self.pace.chunk();
        let mut kept = Ok(());
        while self.queue.packets() > PACKETS_MIN && u64::from(self.backlog()) > bound {
            let Some(left) = self.queue.shed() else { break };
            if left.newest {
                kept = Err(DropPoint::Queue);
            } else {
                self.reports.dropped(DropPoint::Queue, left.octets);
            }
        }
        kept
    }

    /// The next payload for the transmitting chip, written to `frame`; none while there is nothing or the window is full.
    /// To be asked when the chip has room for it, and only then. The polled end of [`Mode::AckPayload`] lays it ready as an ACK
    /// payload.
    pub fn next_frame(&mut self, now: Instant, frame: &mut [u8; 32]) -> Option<Outgoing> {
        let outgoing = self.control_frame(now, frame).or_else(|| self.data_frame(now, frame)).or_else(|| {
            let poll = self.poller.as_ref().is_some_and(|poller| poller.is_due());
            poll.then(|| self.control(Control::Poll, frame))
        });
        if let (Some(_), Some(poller)) = (outgoing, &mut self.poller) {
            poller.sent(now);
        }
        outgoing
    }

    /// True if [`next_frame`](Self::next_frame) would have one now. Pure. (A packet too old to be sent counts as one.)
    pub fn has_frame(&self) -> bool {
        let data = || {
            let new = self.queue.packets() > 0 || self.stage.origin().is_some();
            self.feedback.is_due()
                || self.decompressor.wants()
                || self.sender.has_more()
                || new && !self.sender.is_full()
        };
        self.agreement.has_greeting()
            || self.agreement.terms().is_some() && data()
            || self.poller.as_ref().is_some_and(|poller| poller.is_due())
    }

    /// True if [`next_frame`](Self::next_frame) has none because the window is full, not for want of data.
    pub fn window_is_full(&self) -> bool {
        self.sender.is_full() && (self.queue.packets() > 0 || self.stage.origin().is_some())
    }

    /// The chip has given up on what was written to it (MAX_RT) and its FIFO was flushed. What was in it goes again, from
    /// [`next_frame`](Self::next_frame), until the packet is older than [`Config::persistence`](super::Config::persistence).
    pub fn gave_up(&mut self, now: Instant) {
        if let Some(lost) = self.sender.gave_up(now) {
            self.lose(lost, DropPoint::MaxRt);
        }
    }

    /// The chip says that what was written is across (TX_DS with an empty FIFO): nothing of it goes again.
    pub fn drained(&mut self, now: Instant) {
        let _ = now;
        self.sender.drained();
        if self.backlog() == 0 {
            self.pace.idle();
        }
    }

    /// Drops packets that were tried for too long.
    pub(super) fn abandon(&mut self, now: Instant) {
        while let Some(lost) = self.sender.abandon(now) {
            self.lose(lost, DropPoint::Persistence);
        }
    }

    /// Forgets what is under way and begins at number 0.
    pub(super) fn restart_sender(&mut self, mode: Option<Mode>) {
        let mut last = None;
        for origin in self.sender.packets() {
            self.reports.dropped(DropPoint::Gap, usize::from(origin.octets));
            last = Some(origin.packet);
        }
        if let Some(origin) = self.stage.origin().filter(|origin| last != Some(origin.packet)) {
            self.reports.dropped(DropPoint::Gap, usize::from(origin.octets));
        }
        self.stage.abandon();
        self.sender = Sender::new(mode == Some(Mode::Stream), self.tuning.window);
    }

    fn lose(&mut self, lost: Origin, at: DropPoint) {
        self.reports.dropped(at, usize::from(lost.octets));
        if self.stage.origin().is_some_and(|origin| origin.packet == lost.packet) {
            self.stage.abandon();
        }
    }

    /// Chunks that wait, are cut, or are out.
    fn backlog(&self) -> u32 {
        self.queue.chunks() + self.stage.chunks() + self.sender.chunks()
    }

    fn shed(&mut self) {
        if let Some(left) = self.queue.shed() {
            self.reports.dropped(DropPoint::Queue, left.octets);
        }
    }

    fn control_frame(&mut self, now: Instant, frame: &mut [u8; 32]) -> Option<Outgoing> {
        if let Some(greeting) = self.agreement.take_greeting() {
            return Some(self.control(Control::Greeting(greeting), frame));
        }
        self.agreement.terms()?;
        if self.feedback.take() {
            let (base, bitmap) = self.receiver.state();
            return Some(self.control(Control::Ack { base, bitmap }, frame));
        }
        if let Some(context) = self.decompressor.take_wanted() {
            return Some(self.control(Control::ContextUnknown { context }, frame));
        }
        let base = self.sender.take_sync(now)?;
        Some(self.control(Control::Sync { base }, frame))
    }

    fn control(&self, control: Control, frame: &mut [u8; 32]) -> Outgoing {
        let len = control.write(self.agreement.session(), frame);
        let upload = Upload { tunnel: len, purpose: Purpose::Control, ..Upload::default() };
        Outgoing { len, no_ack: self.no_ack(), upload }
    }

    fn data_frame(&mut self, now: Instant, frame: &mut [u8; 32]) -> Option<Outgoing> {
        self.agreement.terms()?;
        let no_ack = self.no_ack();
        if let Some((len, upload)) = self.sender.repeat(now, frame) {
            return Some(Outgoing { len, no_ack, upload });
        }
        if self.sender.is_full() {
            return None;
        }
        if self.stage.origin().is_none() && !self.refill(now) {
            self.pace.idle();
            return None;
        }
        let (piece, origin) = self.stage.cut()?;
        let upload = piece.upload;
        let len = self.sender.send(now, piece, origin, frame);
        self.pace.sent(now);
        Some(Outgoing { len, no_ack, upload })
    }

    /// True if frames ask for no acknowledgement by the chip; as wished until it is agreed.
    fn no_ack(&self) -> bool {
        self.agreed().unwrap_or(self.config.mode) == Mode::Stream
    }

    /// Puts the next packet into work; false if there is none.
    fn refill(&mut self, now: Instant) -> bool {
        while let Some(left) = self.queue.take(&mut self.stage.room()[FRONT..]) {
            let octets = left.octets;
            let packed = if left.expires <= now { Err(DropPoint::Persistence) } else { self.pack(octets) };
            match packed {
                Ok(shares) => {
                    let until = now + self.config.persistence;
                    self.stage.begin(shares, Origin { packet: self.packets, octets: octets as u16, until });
                    self.packets = self.packets.wrapping_add(1);
                    return true;
                }
                Err(at) => self.reports.dropped(at, octets),
            }
        }
        false
    }
}
