//! Power down, standby, RX and TX, and the time from one to the other. 6.1, Figure 4.

use airtime_core::Instant;

use super::Chip;
use crate::air::T_STBY2A;
use crate::trace::Trace;
use crate::wire::register::{config, status};

/// State of the radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// PWR_UP is 0.
    PowerDown,
    /// The crystal starts.
    StartUp,
    /// Standby-I or, with CE high and nothing to send, standby-II.
    Standby,
    /// A transmitter on its way to a frame, or to its repetition.
    SettlingTx,
    /// A transmitter sends.
    Tx,
    /// A transmitter turns to listen for an acknowledgement, and listens.
    AwaitAck,
    /// A transmitter has stopped to listen and waits for ARD.
    WaitArd,
    /// A receiver listens, or settles to.
    Rx,
    /// A receiver turns to acknowledge.
    SettlingAck,
    /// A receiver acknowledges.
    TxAck,
}

impl Mode {
    /// True if it listens, or is on its way there.
    pub const fn listens(self) -> bool {
        matches!(self, Self::Rx | Self::AwaitAck)
    }

    /// True while it transmits.
    pub const fn transmits(self) -> bool {
        matches!(self, Self::Tx | Self::TxAck)
    }

    /// True if registers may be written. Table 20, W_REGISTER.
    pub const fn is_at_rest(self) -> bool {
        matches!(self, Self::PowerDown | Self::StartUp | Self::Standby)
    }
}

impl Chip {
    /// Goes into `mode`, which ends by itself at `until`.
    pub(super) fn enter(&mut self, mode: Mode, until: Instant) {
        (self.mode, self.until) = (mode, until);
    }

    /// Carries out everything due by `now`, each thing at its own time.
    #[inline]
    pub(super) fn catch_up(&mut self, now: Instant) {
        if self.until <= now || self.interrupts.at() <= now {
            self.do_what_is_due(now);
        }
    }

    fn do_what_is_due(&mut self, now: Instant) {
        self.moved = true;
        loop {
            let at = self.interrupts.at();
            if at <= now && at <= self.until {
                self.interrupts.show();
                self.rx.reveal();
            } else if self.until <= now {
                self.mode_ends(self.until);
            } else {
                return;
            }
        }
    }

    /// The mode has come to its end.
    fn mode_ends(&mut self, now: Instant) {
        match self.mode {
            Mode::StartUp => self.rest(now),
            Mode::SettlingTx => self.transmit(now),
            Mode::Tx => self.transmitted(now),
            Mode::AwaitAck => self.unanswered(now),
            Mode::WaitArd => self.ard_nears(now),
            Mode::SettlingAck => self.acknowledge(now),
            Mode::TxAck => self.acknowledged_frame(now),
            Mode::PowerDown | Mode::Standby | Mode::Rx => self.until = Instant::FAR_FUTURE,
        }
    }

    /// Something that decides about the mode has changed: CE, CONFIG, the TX FIFO or MAX_RT. Whoever transmits, waits for
    /// an acknowledgement or owes one carries on until that is over. Figures 10 and 11.
    pub(super) fn reconsider(&mut self, now: Instant) {
        let settings = self.registers.settings();
        let (powered, receiver) = (settings.configured(config::PWR_UP), settings.configured(config::PRIM_RX));
        if !powered {
            if self.mode != Mode::PowerDown {
                let was_active = !self.mode.is_at_rest();
                self.broke_off |= self.mode.transmits();
                self.enter(Mode::PowerDown, Instant::FAR_FUTURE);
                self.transmitter.stop();
                if was_active {
                    self.trace(Trace::Standby);
                }
            }
            return;
        }
        match self.mode {
            Mode::PowerDown => self.enter(Mode::StartUp, now + self.options.start_up),
            Mode::Standby => self.leave_standby(now),
            Mode::Rx if !self.ce || !receiver => {
                self.receiver.latch_rpd(now, self.since);
                self.rest(now);
            }
            _ => {}
        }
    }

    /// An activity is over: standby, and on from there if CE and the role say so.
    pub(super) fn rest(&mut self, now: Instant) {
        let was_active = !self.mode.is_at_rest();
        self.enter(Mode::Standby, Instant::FAR_FUTURE);
        self.leave_standby(now);
        if was_active && self.mode == Mode::Standby {
            self.trace(Trace::Standby);
        }
    }

    fn leave_standby(&mut self, now: Instant) {
        if !self.ce {
            return;
        }
        if self.registers.settings().configured(config::PRIM_RX) {
            self.receive_from(now + T_STBY2A);
        } else if self.has_to_send() {
            self.settle_tx(now + T_STBY2A, false);
        }
    }

    /// True if a transmitter has a payload and MAX_RT does not hold it. Table 28, STATUS. That sending goes on when
    /// MAX_RT is cleared with CE still high, without a new edge of CE, is *assumed*.
    pub(super) fn has_to_send(&self) -> bool {
        self.interrupts.flags() & status::MAX_RT == 0 && self.tx.next().is_some()
    }

    /// Listens from `since` on.
    pub(super) fn receive_from(&mut self, since: Instant) {
        self.since = since;
        self.receiver.forget_rpd();
        self.enter(Mode::Rx, Instant::FAR_FUTURE);
    }

    /// Settles towards a frame that starts at `until`.
    pub(super) fn settle_tx(&mut self, until: Instant, to_ack: bool) {
        let mode = if to_ack { Mode::SettlingAck } else { Mode::SettlingTx };
        self.enter(mode, until);
        self.watch.leaves_tx();
        self.trace(Trace::SettlingTx { until, to_ack });
    }
}
