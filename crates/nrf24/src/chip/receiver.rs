//! The receiver's role: pipes, duplicates, acknowledgements and what rides on them. 7.5.2, Figure 11.

use airtime_core::Instant;

use super::Chip;
use super::modes::Mode;
use crate::air::{PAYLOAD_MAX, T_RPD, T_STBY2A};
use crate::trace::{Reception, Sent, Trace};
use crate::wire::command::PIPES;
use crate::wire::frame::{Control, Frame};
use crate::wire::register::{config, feature, status};

/// State of the role.
#[derive(Debug)]
pub struct Receiver {
    /// Identity and check of the last new packet of each pipe. 7.3.3.2.
    last: [Option<(u8, u16)>; PIPES],
    /// The payload that rode on the last acknowledgement of each pipe and is not known to have arrived. 7.4.1.
    riding: [Option<u32>; PIPES],
    /// The acknowledgement that is due.
    due: Due,
    /// Carrier on the channel while it listened.
    carrier: (Instant, Instant),
    /// RPD as it was when it was last latched.
    rpd: bool,
}

/// An acknowledgement that is due.
#[derive(Clone, Copy, Debug)]
struct Due {
    pipe: u8,
    pid: u8,
    upload: Option<u32>,
}

impl Receiver {
    /// Receiver that has heard no frame.
    pub const fn new() -> Self {
        Self {
            last: [None; PIPES],
            riding: [None; PIPES],
            due: Due { pipe: 0, pid: 0, upload: None },
            carrier: (Instant::ZERO, Instant::ZERO),
            rpd: false,
        }
    }

    /// A carrier is there from now on.
    pub fn carrier(&mut self, from: Instant, until: Instant) {
        // Frames without a gap are one carrier.
        let from = if self.carrier.1 == from { self.carrier.0 } else { from };
        self.carrier = (from, until);
    }

    /// RPD of a radio that has listened since `since`, or does not listen.
    pub fn rpd(&self, now: Instant, since: Option<Instant>) -> bool {
        self.rpd || since.is_some_and(|since| self.detects(now, since))
    }

    /// A carrier for 40 µs at least, all of it after settling, still there. 6.4.
    fn detects(&self, now: Instant, since: Instant) -> bool {
        let (from, until) = self.carrier;
        now <= until && from.max(since) + T_RPD <= now
    }

    /// RX ends: RPD stays what it is. 6.4.
    pub fn latch_rpd(&mut self, now: Instant, since: Instant) {
        self.rpd |= self.detects(now, since);
    }

    /// A packet has been received: RPD stays what it was at its end. 6.4.
    pub fn latch_received(&mut self, now: Instant, since: Instant) {
        self.rpd = self.detects(now, since);
    }

    /// RX begins anew.
    pub fn forget_rpd(&mut self) {
        self.rpd = false;
    }
}

impl Chip {
    /// A frame has begun on the air.
    pub(super) fn carrier(&mut self, now: Instant, until: Instant, frame: &Frame) {
        if !self.mode.listens() || now < self.since {
            return;
        }
        self.receiver.carrier(now, until);
        if self.mode == Mode::AwaitAck {
            self.ack_begins(now, until, frame);
        }
    }

    /// A frame that began while it listened has ended.
    pub(super) fn frame(&mut self, now: Instant, frame: &Frame) {
        match self.mode {
            Mode::Rx if now >= self.since => self.receive(now, frame),
            Mode::AwaitAck if now >= self.since => self.ack_ends(now, Some(frame)),
            _ => {}
        }
    }

    /// A frame that began while it listened has ended beyond recognition.
    pub(super) fn lost(&mut self, now: Instant) {
        if self.mode == Mode::AwaitAck && now >= self.since {
            self.ack_ends(now, None);
        }
    }

    fn receive(&mut self, now: Instant, frame: &Frame) {
        let settings = self.registers.settings();
        let framing = settings.framing;
        let width = framing.address_width;
        let Some(pipe) = settings.pipe_of(frame.address(width)) else { return };
        let control = if framing.enhanced { frame.control(width) } else { Control::default() };
        let dynamic = settings.dynamic & (1 << pipe) != 0;
        let len = if dynamic { control.length } else { self.registers.width(pipe) };
        if usize::from(len) > PAYLOAD_MAX || (len == 0 && !dynamic) {
            return self.received(pipe, Reception::Refused, len);
        }
        let checked = if framing.enhanced {
            frame.check_enhanced(width, len, framing.crc)
        } else {
            frame.check_plain(width, len, framing.crc)
        };
        let Some(checked) = checked else { return self.received(pipe, Reception::BadCrc, len) };
        // A full FIFO takes nothing and acknowledges nothing: the transmitter repeats. Figure 11.
        if self.rx.is_full() {
            return self.received(pipe, Reception::FifoFull, len);
        }
        let acknowledges = framing.enhanced
            && self.registers.settings().acknowledged & (1 << pipe) != 0
            && !self.polarity(control.no_ack);
        self.receiver.latch_received(now, self.since);
        let identity = Some((control.pid, checked.crc));
        if framing.enhanced && self.receiver.last[usize::from(pipe)] == identity {
            self.received(pipe, Reception::Duplicate, len);
        } else {
            self.receiver.last[usize::from(pipe)] = identity;
            self.received(pipe, Reception::New, len);
            self.rx.push(&checked.payload, len, pipe);
            let flags = status::RX_DR | self.confirm(pipe);
            self.announce(now, flags, framing.rate.irq_delay());
        }
        if acknowledges {
            self.turn_to_acknowledge(now, pipe, control.pid);
        }
    }

    fn received(&mut self, pipe: u8, reception: Reception, len: u8) {
        self.trace(Trace::Received { pipe, reception, len });
    }

    /// A new packet of `pipe` says that what rode on its last acknowledgement has arrived. 7.4.1.
    fn confirm(&mut self, pipe: u8) -> u8 {
        match self.receiver.riding[usize::from(pipe)].take() {
            Some(upload) if self.tx.remove(upload) => {
                self.trace(Trace::Sent { upload, retries: 0, acked: true });
                status::TX_DS
            }
            _ => 0,
        }
    }

    /// The payload of the acknowledgement is the one that waits when the packet has come: what is written later rides on
    /// the next. 7.4.1.
    fn turn_to_acknowledge(&mut self, now: Instant, pipe: u8, pid: u8) {
        let settings = self.registers.settings();
        let carries = settings.features(feature::EN_ACK_PAY) && settings.dynamic & (1 << pipe) != 0;
        let upload = carries.then(|| self.tx.ack_of(pipe).map(|upload| upload.number)).flatten();
        self.receiver.due = Due { pipe, pid, upload };
        self.settle_tx(now + T_STBY2A, true);
    }

    /// Settled: the acknowledgement goes out. That it carries the PID it answers is *assumed*.
    pub(super) fn acknowledge(&mut self, now: Instant) {
        let Due { pipe, pid, upload } = self.receiver.due;
        let upload = upload.and_then(|number| self.tx.numbered(number));
        let payload = upload.map_or(&[][..], |upload| upload.payload());
        let settings = self.registers.settings();
        let control = Control { length: payload.len() as u8, pid, no_ack: self.polarity(false) };
        let address = self.address(settings.pipes[usize::from(pipe)]);
        let frame = Frame::enhanced(address, control, payload, settings.framing.crc);
        let upload = upload.map(|upload| upload.number);
        self.receiver.riding[usize::from(pipe)] = upload;
        self.begin(now, Mode::TxAck, frame, Sent::Ack { upload });
    }

    /// The acknowledgement has ended: back to RX, unless CE or the role has changed meanwhile. That a low CE does not cut
    /// it short is Figure 11, which looks at CE in RX only.
    pub(super) fn acknowledged_frame(&mut self, now: Instant) {
        if self.ce && self.registers.settings().configured(config::PRIM_RX) {
            self.receive_from(now + T_STBY2A);
        } else {
            self.rest(now);
        }
    }
}
