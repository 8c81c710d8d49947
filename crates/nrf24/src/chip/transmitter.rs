//! The transmitter's role: payloads, acknowledgements awaited, repetitions. 7.5.1, Figure 10.

use airtime_core::{Duration, Instant};

use super::Chip;
use super::fifo::UploadKind;
use super::modes::Mode;
use crate::air::T_STBY2A;
use crate::trace::{Reception, Sent, Trace};
use crate::wire::frame::{Control, Frame, LENGTH_STATIC};
use crate::wire::register::{config, observe_tx, status};

/// The counters of OBSERVE_TX stop here. 7.4.1, Table 28.
const COUNT_MAX: u8 = 15;

/// Pipe that a transmitter hears acknowledgements by. 7.6.
const ACK_PIPE: u8 = 0;

/// State of the role.
#[derive(Debug)]
pub struct Transmitter {
    /// Identity of the last payload written. 7.3.3.2.
    pub pid: u8,
    /// Payloads written so far.
    pub uploads: u32,
    /// The payload under way.
    upload: u32,
    /// Number of repetitions so far.
    attempt: u8,
    /// Repetitions as OBSERVE_TX shows them: until the next payload begins.
    repetitions: u8,
    /// Set if the frame is to be acknowledged.
    wants_ack: bool,
    /// Instant at which the window for the address of an acknowledgement closes.
    window_end: Instant,
    /// Start of the repetition.
    ard_at: Instant,
    /// An acknowledgement's address has matched, and the rest is on its way.
    hears: bool,
    /// Packets lost since the channel was written.
    lost: u8,
}

impl Transmitter {
    /// Nothing written, nothing sent.
    pub const fn new() -> Self {
        Self {
            pid: 0,
            uploads: 0,
            upload: 0,
            attempt: 0,
            repetitions: 0,
            wants_ack: false,
            window_end: Instant::ZERO,
            ard_at: Instant::ZERO,
            hears: false,
            lost: 0,
        }
    }

    /// OBSERVE_TX. The data sheet's text counts retransmissions in PLOS_CNT, its register table lost packets; the table
    /// is followed.
    pub const fn observed(&self) -> u8 {
        self.lost << observe_tx::PLOS_CNT_SHIFT | self.repetitions
    }

    /// Nothing is under way any more.
    pub fn stop(&mut self) {
        (self.attempt, self.hears) = (0, false);
    }

    /// The channel was written. Table 28, OBSERVE_TX.
    pub fn channel_written(&mut self) {
        self.lost = 0;
    }
}

impl Chip {
    /// Sends what is next: the first time if the last frame is done with, else again.
    pub(super) fn transmit(&mut self, now: Instant) {
        let settings = self.registers.settings();
        let Some(upload) = self.tx.next() else { return self.rest(now) };
        let no_ack = matches!(upload.kind, UploadKind::Payload { no_ack: true });
        // Without retransmissions nobody waits: TX_DS comes at the end of the frame. Figure 10.
        let wants_ack = settings.acknowledged & (1 << ACK_PIPE) != 0 && settings.arc != 0 && !no_ack;
        let payload = upload.payload();
        let frame = if settings.framing.enhanced {
            let dynamic = settings.dynamic & (1 << ACK_PIPE) != 0;
            let length = if dynamic { payload.len() as u8 } else { LENGTH_STATIC };
            let control = Control { length, pid: upload.pid, no_ack: self.polarity(no_ack) };
            Frame::enhanced(self.address(settings.to), control, payload, settings.framing.crc)
        } else {
            Frame::plain(self.address(settings.to), payload, settings.framing.crc)
        };
        self.transmitter.upload = upload.number;
        self.transmitter.wants_ack = wants_ack;
        self.transmitter.repetitions = self.transmitter.attempt;
        let sent = Sent::Payload { upload: upload.number, attempt: self.transmitter.attempt, wants_ack };
        self.begin(now, Mode::Tx, frame, sent);
        self.lint_tx_time();
    }

    /// The frame has ended.
    pub(super) fn transmitted(&mut self, now: Instant) {
        if self.transmitter.wants_ack {
            return self.await_ack(now);
        }
        let rate = self.on_air.rate;
        self.delivered(now, false, 0, rate.irq_delay());
        // Without a gap: the transmitter is settled, and Figure 10 leads straight to the next frame.
        if self.ce && !self.registers.settings().configured(config::PRIM_RX) && self.has_to_send() {
            self.transmit(now);
        } else {
            self.rest(now);
        }
    }

    fn await_ack(&mut self, now: Instant) {
        let settings = self.registers.settings();
        let window_end = now + self.on_air.rate.ack_window();
        let ard_at = now + settings.ard;
        (self.transmitter.window_end, self.transmitter.ard_at, self.transmitter.hears) = (window_end, ard_at, false);
        self.since = now + T_STBY2A;
        self.watch.leaves_tx();
        // Listening ends with the window or with ARD, whichever is first. 7.4.1.
        self.enter(Mode::AwaitAck, window_end.min(ard_at));
        self.trace(Trace::AwaitsAck { until: window_end });
        if self.tx.numbered(self.transmitter.upload).is_none() && !self.tx.reuse {
            self.abandon(now);
        }
    }

    /// A frame has begun while a transmitter listens: it stays to the end if the address comes in time and is its own.
    pub(super) fn ack_begins(&mut self, now: Instant, until: Instant, frame: &Frame) {
        let settings = self.registers.settings();
        let address_at = now + settings.framing.address_time();
        let in_time = address_at <= self.transmitter.window_end.min(self.transmitter.ard_at);
        if in_time && self.is_ack(frame) {
            self.transmitter.hears = true;
            // The end of the frame comes as an input of its own. ARD cuts it off, but not at the same instant.
            let ard_at = self.transmitter.ard_at;
            self.until = if until != ard_at { ard_at } else { ard_at + Duration::from_nanos(1) };
        }
    }

    /// True if the address is the one that acknowledgements come by.
    fn is_ack(&self, frame: &Frame) -> bool {
        let settings = self.registers.settings();
        settings.enabled & (1 << ACK_PIPE) != 0
            && frame.address(settings.framing.address_width) == settings.pipes[usize::from(ACK_PIPE)]
    }

    /// A frame has ended while a transmitter listens; none if it is beyond recognition.
    pub(super) fn ack_ends(&mut self, now: Instant, frame: Option<&Frame>) {
        let heard = frame.filter(|frame| self.is_ack(frame));
        match heard.map(|frame| self.take_ack(now, frame)) {
            Some(true) => {}
            // RX ends "after received packet (CRC correct or not)". 7.4.1.
            Some(false) => self.unanswered(now),
            None if self.transmitter.hears || now >= self.transmitter.window_end => self.unanswered(now),
            None => {}
        }
    }

    /// Takes a frame for its address as the acknowledgement; false if it is none.
    fn take_ack(&mut self, now: Instant, frame: &Frame) -> bool {
        let settings = *self.registers.settings();
        let framing = settings.framing;
        let dynamic = settings.dynamic & (1 << ACK_PIPE) != 0;
        let len = if dynamic { frame.control(framing.address_width).length } else { 0 };
        let Some(checked) = frame.check_enhanced(framing.address_width, len, framing.crc) else {
            self.trace(Trace::Received { pipe: ACK_PIPE, reception: Reception::BadCrc, len: 0 });
            return false;
        };
        if len > 0 && self.rx.is_full() {
            self.trace(Trace::Received { pipe: ACK_PIPE, reception: Reception::FifoFull, len });
            return false;
        }
        let mut flags = 0;
        if len > 0 {
            self.rx.push(&checked.payload, len, ACK_PIPE);
            self.receiver.latch_received(now, self.since);
            flags = status::RX_DR;
        }
        self.trace(Trace::Received { pipe: ACK_PIPE, reception: Reception::Ack, len });
        self.delivered(now, true, flags, framing.rate.irq_delay());
        self.rest(now);
        true
    }

    /// The payload under way is done with.
    fn delivered(&mut self, now: Instant, acked: bool, flags: u8, delay: Duration) {
        let (upload, retries) = (self.transmitter.upload, self.transmitter.attempt);
        let there = self.tx.reuse || self.tx.remove(upload);
        self.transmitter.attempt = 0;
        // A payload flushed while it was on the air raises nothing: *assumed*.
        if there {
            self.trace(Trace::Sent { upload, retries, acked });
            self.announce(now, flags | status::TX_DS, delay);
        }
    }

    /// No acknowledgement came, or none that was good: RX off, and again when ARD is over. 7.4.1.
    pub(super) fn unanswered(&mut self, now: Instant) {
        let ard_at = self.transmitter.ard_at;
        self.transmitter.hears = false;
        if now >= ard_at {
            return self.ard_is_over(now);
        }
        let last = self.transmitter.attempt >= self.registers.settings().arc;
        // The settling is inside ARD, which ends with the start of the frame. Table 28, SETUP_RETR. That there is no
        // room for it when an acknowledgement may come as late as ARD (7.4.1) is the data sheet's own.
        let settles = ard_at.saturating_back(T_STBY2A).max(now);
        self.enter(Mode::WaitArd, if last { ard_at } else { settles });
        self.trace(Trace::WaitsArd { until: ard_at });
        if settles == now && !last {
            self.ard_nears(now);
        }
    }

    /// Time to settle for the repetition, or ARD is over.
    pub(super) fn ard_nears(&mut self, now: Instant) {
        if now >= self.transmitter.ard_at {
            return self.ard_is_over(now);
        }
        self.transmitter.attempt += 1;
        self.settle_tx(self.transmitter.ard_at, false);
    }

    /// The repetition starts, or all of them are used up. That MAX_RT waits for the last ARD is *assumed*.
    fn ard_is_over(&mut self, now: Instant) {
        if self.transmitter.attempt < self.registers.settings().arc {
            self.transmitter.attempt += 1;
            return self.transmit(now);
        }
        self.transmitter.attempt = 0;
        self.transmitter.lost = (self.transmitter.lost + 1).min(COUNT_MAX);
        self.interrupts.set(status::MAX_RT);
        self.trace(Trace::MaxRt { upload: self.transmitter.upload });
        self.rest(now);
    }

    /// The TX FIFO was flushed: what has not begun to be sent never will be, and nobody waits for it.
    pub(super) fn abandon(&mut self, now: Instant) {
        if matches!(self.mode, Mode::SettlingTx | Mode::AwaitAck | Mode::WaitArd) {
            self.transmitter.stop();
            self.rest(now);
        }
    }
}
