//! The nRF24L01+ as its bus and its antenna see it: registers, FIFOs, modes and Enhanced ShockBurst.
//!
//! Section, table and figure numbers are of the nRF24L01+ Product Specification 1.0. Where it leaves something open, the
//! comment beside it says *assumed*. The chip is as permissive as silicon is; what a driver should not have done it says
//! as a [`Lint`](crate::trace::Lint).
//!
//! - `registers`: the map and what follows from it · `fifo`: three payloads each way · `spi`: commands
//! - `modes`: power, standby, RX, TX and the time between them · `transmitter` and `receiver`: the two roles
//! - `irq`: flags and line · `announcement`: transactions known ahead · `lints`: what silicon swallows · `outbox`: what is said

use airtime_core::{Duration, Instant};

use crate::air::Rate;
use crate::trace::{OnAir, Sent, Trace};
use crate::wire::command::Command;
use crate::wire::frame::{Address, Control, Frame};

mod announcement;
mod fifo;
mod irq;
mod lints;
mod modes;
mod outbox;
mod receiver;
mod registers;
mod spi;
mod transmitter;

use announcement::Announcement;
use fifo::{RxFifo, TxFifo};
use irq::Interrupts;
use lints::Watch;
use modes::Mode;
use outbox::Outbox;
use receiver::Receiver;
use registers::Registers;
use transmitter::Transmitter;

/// Options: the properties in which parts differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Power down to standby (`Tpd2stby`).
    pub start_up: Duration,
    /// NO_ACK bit on the air as printed in the data sheet (clones), not inverted as genuine parts send it with dynamic payload length.
    pub clone_noack_polarity: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { start_up: crate::air::T_PD2STBY, clone_noack_polarity: false }
    }
}

/// Input of a chip besides its bus.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Its deadline has come.
    Wake,
    /// A frame has begun on its channel at its rate while it listened; it will end at `until`. For RPD, and for the
    /// window of an acknowledgement (its address counts, the rest may come later).
    Carrier {
        /// End of the frame.
        until: Instant,
        /// The frame as sent.
        frame: &'a Frame,
    },
    /// The frame that began while it listened has ended; its bits as they arrived.
    Frame(&'a Frame),
    /// The frame that began while it listened was destroyed on the way.
    Lost,
}

/// Output of a chip to the world. One that nobody carries out is lost, so whoever matches matches all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Transmission begins now; [`Chip::on_air`] says what.
    Transmit,
    /// Its IRQ line has changed; `true` is asserted (low).
    Irq(bool),
    /// Trace for the observer.
    Trace(Trace),
}

/// One nRF24L01+: registers, FIFOs and radio.
#[derive(Debug)]
pub struct Chip {
    options: Options,
    registers: Registers,
    tx: TxFifo,
    rx: RxFifo,
    interrupts: Interrupts,
    ce: bool,
    mode: Mode,
    /// End of the mode; far in the future if it does not end by itself.
    until: Instant,
    /// Since when it listens, or will, in the modes that do.
    since: Instant,
    transmitter: Transmitter,
    receiver: Receiver,
    watch: Watch,
    /// Frame on the air, or the last one that was.
    on_air: OnAir,
    frame: Frame,
    announced: Announcement,
    outbox: Outbox,
    /// Its host may have given it another deadline or something to say since the network last asked.
    moved: bool,
    /// Set if it was powered down in the middle of a frame.
    broke_off: bool,
}

impl Chip {
    /// A chip that has had its power-on reset.
    pub fn new(options: Options) -> Self {
        let registers = Registers::new();
        let (to, rate) = (registers.settings().address(0), registers.settings().framing.rate);
        Self {
            options,
            registers,
            tx: TxFifo::new(),
            rx: RxFifo::new(),
            interrupts: Interrupts::new(),
            ce: false,
            mode: Mode::PowerDown,
            until: Instant::FAR_FUTURE,
            since: Instant::FAR_FUTURE,
            transmitter: Transmitter::new(),
            receiver: Receiver::new(),
            watch: Watch::new(),
            on_air: OnAir {
                channel: 0,
                rate,
                start: Instant::ZERO,
                end: Instant::ZERO,
                sent: Sent::Ack { upload: None },
            },
            frame: Frame::enhanced(to, Control::default(), &[], crate::air::Crc::Two),
            announced: Announcement::new(),
            outbox: Outbox::new(),
            moved: true,
            broke_off: false,
        }
    }

    /// CSN falls: STATUS, and what the command reads, as they are now. `miso` is as long as `mosi`.
    pub fn select(&mut self, now: Instant, mosi: &[u8], miso: &mut [u8]) {
        self.catch_up(now);
        self.lint_select(now);
        self.read(mosi, miso);
    }

    /// CSN rises: the command of [`select`](Self::select) acts.
    pub fn deselect(&mut self, now: Instant, mosi: &[u8]) {
        self.moved = true;
        self.catch_up(now);
        if let Some((&first, data)) = mosi.split_first() {
            self.act(now, Command::parse(first), data);
        }
    }

    /// CSN falls at `at` and rises now, with nothing between that the chip could tell apart; what is read replaces what
    /// was written.
    pub(super) fn exchange(&mut self, at: Instant, now: Instant, octets: &mut [u8]) {
        let Some((first, data)) = octets.split_first_mut() else { return };
        self.catch_up(at);
        self.lint_select(at);
        let status = self.status();
        let command = Command::parse(*first);
        // No command both looks at the octets that follow it and answers to them.
        if command.reads() {
            self.read_data(command, data);
            self.catch_up(now);
            self.has_read(command);
        } else {
            self.moved = true;
            self.catch_up(now);
            self.act(now, command, data);
            data.fill(0);
        }
        *first = status;
    }

    /// The CE pin.
    pub fn set_ce(&mut self, now: Instant, high: bool) {
        self.moved = true;
        self.before(now);
        self.catch_up(now);
        if high != self.ce {
            self.lint_ce(now, high);
            self.ce = high;
            self.reconsider(now);
        }
    }

    /// State of the IRQ line: true if asserted (low).
    pub fn irq(&self) -> bool {
        self.interrupts.line(self.registers.settings().config)
    }

    /// Channel and rate it is set to.
    pub fn tuned(&self) -> (u8, Rate) {
        let settings = self.registers.settings();
        (settings.channel, settings.framing.rate)
    }

    /// Since when it listens, if it is in RX or on its way there: while it settles, an instant yet to come.
    pub fn listens_since(&self) -> Option<Instant> {
        self.mode.listens().then_some(self.since)
    }

    /// Frame it transmits, while it does.
    pub fn on_air(&self) -> Option<(&OnAir, &Frame)> {
        self.mode.transmits().then_some((&self.on_air, &self.frame))
    }

    /// One mutation besides the bus.
    pub fn handle(&mut self, now: Instant, input: Input<'_>) {
        self.before(now);
        match input {
            Input::Wake => self.catch_up(now),
            Input::Carrier { until, frame } => self.carrier(now, until, frame),
            Input::Frame(frame) => self.frame(now, frame),
            Input::Lost => self.lost(now),
        }
    }

    /// The next output of the last mutation; drained to none.
    #[inline]
    pub fn poll(&mut self, now: Instant) -> Option<Output> {
        let _ = now;
        self.outbox.take().or_else(|| self.interrupts.change(self.registers.settings().config).map(Output::Irq))
    }

    /// True if [`poll`](Self::poll) has nothing to say; quicker than to ask it.
    #[inline]
    pub fn is_quiet(&self) -> bool {
        self.outbox.is_empty() && !self.interrupts.differs(self.registers.settings().config)
    }

    /// True if its host may have given it another deadline or something to say since this was last asked. Who
    /// [handles](Self::handle) an input knows that without asking.
    #[inline]
    pub(crate) fn has_moved(&mut self) -> bool {
        core::mem::take(&mut self.moved)
    }

    /// True if it was powered down in the middle of a frame since this was last asked.
    #[inline]
    pub(crate) fn has_broken_off(&mut self) -> bool {
        core::mem::take(&mut self.broke_off)
    }

    /// Turns its traces on or off: a chip that nobody watches makes none. Until it is told, somebody watches.
    pub fn watched(&mut self, watched: bool) {
        self.outbox.watched(watched);
    }

    /// Instant at which it next wants to be woken: end of settling, end of a transmission, end of a window, ARD, an
    /// interrupt.
    pub fn deadline(&self) -> Option<Instant> {
        let due = self.due();
        (due < Instant::FAR_FUTURE).then_some(due)
    }

    /// Deadline, far in the future if there is none.
    #[inline]
    pub(crate) fn due(&self) -> Instant {
        self.until.min(self.interrupts.at())
    }

    /// Raises `flags` so long after `now`.
    fn announce(&mut self, now: Instant, flags: u8, delay: Duration) {
        if self.interrupts.announce(now + delay, flags) {
            self.rx.reveal();
        }
    }

    /// Begins to transmit `frame`.
    fn begin(&mut self, now: Instant, mode: Mode, frame: Frame, sent: Sent) {
        let settings = self.registers.settings();
        let rate = settings.framing.rate;
        let end = now + rate.bit() * u64::from(frame.len_bits());
        self.on_air = OnAir { channel: settings.channel, rate, start: now, end, sent };
        self.frame = frame;
        self.enter(mode, end);
        self.outbox.transmit();
        self.trace(Trace::Began { until: end, sent });
    }

    /// The NO_ACK bit as this part sends it: genuine ones invert it with dynamic payload length, whatever the data
    /// sheet prints. Nordic support, quoted on forum.mysensors.org, topic 3956.
    fn polarity(&self, no_ack: bool) -> bool {
        let inverts = !self.options.clone_noack_polarity
            && self.registers.settings().features(crate::wire::register::feature::EN_DPL);
        no_ack != inverts
    }

    /// `value` as an address on the air.
    fn address(&self, value: u64) -> Address {
        self.registers.settings().address(value)
    }

    #[inline]
    fn trace(&mut self, trace: Trace) {
        self.moved = true;
        self.outbox.trace(trace);
    }
}
