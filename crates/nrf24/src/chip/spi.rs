//! SPI commands: what they read when CSN falls, and what they do when it rises. 8.3.

use airtime_core::Instant;

use super::Chip;
use super::fifo::UploadKind;
use crate::trace::{Lint, Trace};
use crate::wire::command::Command;
use crate::wire::register::{Register, feature, fifo_status, status};

impl Chip {
    /// STATUS, and the data of a reading command.
    pub(super) fn read(&mut self, mosi: &[u8], miso: &mut [u8]) {
        let (Some(&first), Some((status, data))) = (mosi.first(), miso.split_first_mut()) else { return };
        *status = self.status();
        self.read_data(Command::parse(first), data);
    }

    /// The data of a reading command, zeros otherwise. In place, since half of all transactions read.
    #[inline(always)]
    pub(super) fn read_data(&mut self, command: Command, data: &mut [u8]) {
        match command {
            Command::ReadRegister(address) => self.read_register(address, data),
            Command::ReadRxPayload => self.read_payload(data),
            Command::ReadRxPayloadWidth => {
                let width = self.rx.first().map_or(0, |arrived| arrived.len);
                if let Some((first, rest)) = data.split_first_mut() {
                    *first = width;
                    clear(rest);
                }
            }
            _ => data.fill(0),
        }
    }

    fn read_register(&self, address: u8, data: &mut [u8]) {
        data.fill(0);
        let Some(register) = Register::at(address) else { return };
        for (index, octet) in data.iter_mut().take(register.octets()).enumerate() {
            *octet = match register {
                Register::Status => self.status(),
                Register::FifoStatus => self.fifo_status(),
                Register::ObserveTx => self.transmitter.observed(),
                Register::Rpd => u8::from(self.receiver.rpd(self.watch.now(), self.listens_since())),
                _ => self.registers.octet(register, index),
            };
        }
    }

    /// Reading begins; the payload goes when CSN rises, and only if it was there now.
    fn read_payload(&mut self, data: &mut [u8]) {
        let (len, fits) = match self.rx.first() {
            Some(arrived) => {
                let payload = arrived.payload();
                let fits = payload.len().min(data.len());
                data[..fits].copy_from_slice(&payload[..fits]);
                (Some(payload.len()), fits)
            }
            None => (None, 0),
        };
        clear(&mut data[fits..]);
        match len {
            None => self.lint(Lint::RxFifoEmpty),
            Some(len) if data.len() > len => self.lint(Lint::ReadBeyondPayload),
            Some(_) => {}
        }
        self.watch.reads_payload(len.is_some() && !data.is_empty());
    }

    /// CSN rises behind a reading command.
    #[inline]
    pub(super) fn has_read(&mut self, command: Command) {
        if command == Command::ReadRxPayload && self.watch.has_read_payload() {
            self.rx.pop();
        }
    }

    /// STATUS as it is shifted out with every command. Table 28.
    #[inline]
    pub(super) fn status(&self) -> u8 {
        let pipe = self.rx.first().map_or(status::RX_P_NO, |arrived| arrived.pipe << status::RX_P_NO_SHIFT);
        self.interrupts.flags() | pipe | if self.tx.is_full() { status::TX_FULL } else { 0 }
    }

    fn fifo_status(&self) -> u8 {
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        bit(self.tx.reuse, fifo_status::TX_REUSE)
            | bit(self.tx.is_full(), fifo_status::TX_FULL)
            | bit(self.tx.is_empty(), fifo_status::TX_EMPTY)
            | bit(self.rx.visible() == super::fifo::DEPTH, fifo_status::RX_FULL)
            | bit(self.rx.visible() == 0, fifo_status::RX_EMPTY)
    }

    /// The command acts.
    #[inline]
    pub(super) fn act(&mut self, now: Instant, command: Command, data: &[u8]) {
        match command {
            Command::WriteRegister(address) => self.write_register(now, address, data),
            Command::WriteTxPayload => self.upload(now, data, UploadKind::Payload { no_ack: false }, None),
            Command::WriteTxPayloadNoAck => {
                let lacks = !self.registers.settings().features(feature::EN_DYN_ACK);
                self.upload(now, data, UploadKind::Payload { no_ack: true }, lacks.then_some(command.octet()));
            }
            Command::WriteAckPayload(pipe) => {
                let lacks = !self.registers.settings().features(feature::EN_ACK_PAY);
                self.lint_ack_payload(data.len());
                self.upload(now, data, UploadKind::Ack { pipe }, lacks.then_some(command.octet()));
            }
            Command::FlushTx => self.flush_tx(now),
            Command::FlushRx => {
                self.lint_flush_rx();
                self.rx.flush();
            }
            Command::ReuseTxPayload => {
                self.tx.reuse = true;
                self.reconsider(now);
            }
            Command::Unknown(command) => self.lint(Lint::UnknownCommand { command }),
            Command::ReadRegister(_) | Command::ReadRxPayload | Command::ReadRxPayloadWidth => self.has_read(command),
            Command::Nop => {}
        }
    }

    fn write_register(&mut self, now: Instant, address: u8, data: &[u8]) {
        let Some(&first) = data.first() else { return };
        self.lint_write(address, first);
        let Some(register) = Register::at(address).filter(|register| !register.is_read_only()) else { return };
        if register == Register::Status {
            self.interrupts.clear(first & status::INTERRUPTS);
            return self.reconsider(now);
        }
        let tuned = self.tuned();
        self.registers.write(register, data);
        if register == Register::RfCh {
            self.transmitter.channel_written();
        }
        // A receiver that is tuned anew settles anew: *assumed*.
        if self.tuned() != tuned && self.mode == super::modes::Mode::Rx {
            self.receive_from(now + crate::air::T_STBY2A);
        }
        self.reconsider(now);
    }

    /// A payload is written; `lacks` is the command that FEATURE does not allow, and then it is lost (*assumed*).
    fn upload(&mut self, now: Instant, data: &[u8], kind: UploadKind, lacks: Option<u8>) {
        if data.is_empty() {
            return;
        }
        let number = self.transmitter.uploads;
        self.transmitter.uploads = number.wrapping_add(1);
        self.transmitter.pid = (self.transmitter.pid + 1) & 3;
        if let Some(command) = lacks {
            self.lint(Lint::FeatureOff { command });
            return self.trace(Trace::Flushed { first: number, last: number });
        }
        if !matches!(kind, UploadKind::Ack { .. }) {
            self.tx.reuse = false;
        }
        if !self.tx.push(data, kind, self.transmitter.pid, number) {
            self.lint(Lint::TxFifoOverrun);
            return self.trace(Trace::Flushed { first: number, last: number });
        }
        self.reconsider(now);
    }

    /// Empties the TX FIFO, and says which payloads go, run by run.
    fn flush_tx(&mut self, now: Instant) {
        let mut run: Option<(u32, u32)> = None;
        for upload in self.tx.iter() {
            run = match run {
                Some((first, last)) if last.wrapping_add(1) == upload.number => Some((first, upload.number)),
                Some((first, last)) => {
                    self.outbox.trace(Trace::Flushed { first, last });
                    Some((upload.number, upload.number))
                }
                None => Some((upload.number, upload.number)),
            };
        }
        if let Some((first, last)) = run {
            self.trace(Trace::Flushed { first, last });
        }
        self.tx.flush();
        self.abandon(now);
    }
}

/// Zeros; mostly there is nothing to fill.
#[inline]
fn clear(data: &mut [u8]) {
    if !data.is_empty() {
        data.fill(0);
    }
}
