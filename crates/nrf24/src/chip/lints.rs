//! Lints: misuse that silicon swallows and a driver should know.

use airtime_core::Instant;

use super::Chip;
use super::modes::Mode;
use crate::air::{Rate, T_HCE, T_PECE2CSN, T_TX_MAX};
use crate::trace::{Lint, Trace};
use crate::wire::register::{Register, config, rf_setup};

/// Memory of the lints: facts without which misuse goes unnoticed.
#[derive(Debug)]
pub struct Watch {
    /// Instant at which CSN last fell.
    selected_at: Instant,
    /// The command under way reads a payload that is there.
    reads_payload: bool,
    /// Instant at which CE last rose.
    ce_rose: Option<Instant>,
    /// Instant from which CSN may fall behind that.
    selectable: Instant,
    /// Start of the stay in TX; far in the future once it has been called too long.
    tx_since: Option<Instant>,
    /// Dynamic payload length has been looked at since it was last written.
    lengths_seen: bool,
}

impl Watch {
    /// Nothing seen yet.
    pub const fn new() -> Self {
        Self {
            selected_at: Instant::ZERO,
            reads_payload: false,
            ce_rose: None,
            selectable: Instant::ZERO,
            tx_since: None,
            lengths_seen: false,
        }
    }

    /// Start of the transaction under way.
    pub const fn now(&self) -> Instant {
        self.selected_at
    }

    /// The transaction under way reads a payload, or does not.
    pub fn reads_payload(&mut self, reads: bool) {
        self.reads_payload = reads;
    }

    /// True if the transaction that ends has read a payload.
    pub fn has_read_payload(&mut self) -> bool {
        core::mem::take(&mut self.reads_payload)
    }

    /// A stay in TX is over.
    pub fn leaves_tx(&mut self) {
        self.tx_since = None;
    }
}

impl Chip {
    pub(super) fn lint(&mut self, lint: Lint) {
        self.trace(Trace::Lint(lint));
    }

    /// CSN falls.
    pub(super) fn lint_select(&mut self, now: Instant) {
        self.watch.selected_at = now;
        self.watch.reads_payload = false;
        // Only the first transaction behind an edge can be too early. Table 16, Tpece2csn.
        if now < self.watch.selectable && self.ce {
            self.lint(Lint::SpiTooSoonAfterCe);
        }
    }

    /// CE changes.
    pub(super) fn lint_ce(&mut self, now: Instant, high: bool) {
        if high {
            self.watch.ce_rose = Some(now);
            self.watch.selectable = now + T_PECE2CSN;
            if matches!(self.mode, Mode::StartUp) {
                self.lint(Lint::NoPowerUpWait);
            }
            self.lint_lengths();
            return;
        }
        if self.watch.ce_rose.is_some_and(|rose| now < rose + T_HCE) {
            self.lint(Lint::ShortCePulse);
        }
        let receiver = self.registers.settings().configured(config::PRIM_RX);
        let active = matches!(self.mode, Mode::Rx | Mode::SettlingAck | Mode::TxAck);
        if receiver && active && self.rx.visible() > 0 {
            self.lint(Lint::CeDroppedWhileReading);
        }
    }

    /// DYNPD needs EN_DPL and ENAA, but they may be written in any order: what counts is how they stand when CE rises.
    fn lint_lengths(&mut self) {
        let seen = core::mem::replace(&mut self.watch.lengths_seen, true);
        let wished = self.registers.octet(Register::DynPd, 0);
        if !seen && wished & !self.registers.settings().dynamic != 0 {
            self.lint(Lint::DynamicLengthWithoutAck);
        }
    }

    /// `value` is written to the register at `address`.
    pub(super) fn lint_write(&mut self, address: u8, value: u8) {
        let register = Register::at(address).filter(|register| !register.is_read_only());
        let Some(register) = register else { return self.lint(Lint::ReadOnly { register: address }) };
        if register != Register::Status && !self.mode.is_at_rest() {
            self.lint(Lint::WriteWhileActive { register: address });
        }
        if value & register.reserved() != 0 {
            self.lint(Lint::ReservedBits { register: address });
        }
        let both_rates = rf_setup::RF_DR_LOW | rf_setup::RF_DR_HIGH;
        let illegal = match register {
            Register::SetupAw => value & register.mask() == 0,
            Register::RfSetup => value & both_rates == both_rates,
            Register::RxPwP0
            | Register::RxPwP1
            | Register::RxPwP2
            | Register::RxPwP3
            | Register::RxPwP4
            | Register::RxPwP5 => value & register.mask() > 32,
            _ => false,
        };
        if illegal {
            self.lint(Lint::IllegalSetting { register: address });
        }
        if matches!(register, Register::DynPd | Register::Feature | Register::EnAa) {
            self.watch.lengths_seen = false;
        }
    }

    /// A payload of `len` octets is written for an acknowledgement: ARD of this end stands for that of the other.
    /// 7.4.1 and Table 18.
    pub(super) fn lint_ack_payload(&mut self, len: usize) {
        let settings = self.registers.settings();
        let steps = match (settings.framing.rate, len) {
            (Rate::M2, 0..=15) | (Rate::M1, 0..=5) => 1,
            (Rate::M2 | Rate::M1, _) => 2,
            (Rate::K250, 0) => 2,
            (Rate::K250, 1..=7) => 3,
            (Rate::K250, 8..=15) => 4,
            (Rate::K250, 16..=23) => 5,
            (Rate::K250, _) => 6,
        };
        if settings.ard.as_micros() < steps * 250 {
            self.lint(Lint::ArdTooShort);
        }
    }

    /// FLUSH_RX. Table 20.
    pub(super) fn lint_flush_rx(&mut self) {
        if matches!(self.mode, Mode::SettlingAck | Mode::TxAck) {
            self.lint(Lint::FlushDuringAck);
        }
    }

    /// A frame has begun: how long will TX have lasted when it ends? Said once per stay. 6.1.5.
    pub(super) fn lint_tx_time(&mut self) {
        let (start, end) = (self.on_air.start, self.on_air.end);
        let since = *self.watch.tx_since.get_or_insert(start);
        if since < Instant::FAR_FUTURE && end > since + T_TX_MAX {
            self.watch.tx_since = Some(Instant::FAR_FUTURE);
            self.lint(Lint::TxBeyond4Ms);
        }
    }
}
