//! Completions: the consequences of a transaction of the writing task, and of the reading task.

use airtime_core::Instant;

use super::counters::HostDrop;
use super::reader::{Found, Step as Reading};
use super::tasks::Owner;
use super::writer::{Step as Writing, Written};
use super::{Failure, Host};
use crate::sdio::{Completion, Transaction, register as reg};
use crate::wire::{Bus, Header, Throttle};

impl Host {
    pub(super) fn wake_writer(&mut self, now: Instant) {
        if let Writing::Sleeping(until) = self.writer.step
            && until <= now
        {
            let octets = self.writer.octets() as usize;
            let written = self.writer.wake();
            self.written(now, written, octets, Failure::Unresponsive);
        }
        if self.writer.wakes(now) {
            self.next_frame(now);
        }
    }

    pub(super) fn writer_done(&mut self, now: Instant, transaction: Transaction, completion: &Completion<'_>) {
        match transaction {
            Transaction::WriteData(frame) => {
                let octets = frame.len();
                let written = self.writer.sent(frame, completion);
                self.written(now, written, octets, Failure::Write);
            }
            _ => {
                self.told.counters.credit_reads += 1;
                let octets = self.writer.octets() as usize;
                let written = self.writer.polled(now, completion);
                self.told.counters.credit_waits += u64::from(matches!(self.writer.step, Writing::Sleeping(_)));
                self.written(now, written, octets, Failure::Unresponsive);
                if self.writer.sleeps_without_the_bus() {
                    self.mutex.release();
                }
            }
        }
    }

    pub(super) fn writer_wrote(&mut self, now: Instant, octets: u32) {
        let written = self.writer.wrote(octets);
        self.written(now, written, octets as usize, Failure::Write);
    }

    fn written(&mut self, now: Instant, written: Written, octets: usize, failure: Failure) {
        let payload = octets - Header::OCTETS.min(octets);
        match written {
            Written::Pending => return,
            Written::Yes => self.told.counters.written += 1,
            Written::NoCredits => self.told.lost(HostDrop::CreditsTimeout, payload),
            Written::Lost => self.told.lost(HostDrop::WriteFailed, payload),
            Written::Failed => {
                self.told.lost(HostDrop::WriteFailed, payload);
                self.mutex.release();
                return self.fail(failure);
            }
        }
        // The Linux driver gives a frame up without the bus, which the reading task may have.
        if self.mutex.owner == Some(Owner::Writer) {
            self.mutex.release();
        }
        self.next_frame(now);
    }

    pub(super) fn reader_done(&mut self, completion: &Completion<'_>) {
        let found = self.reader.done(completion);
        match found {
            Found::Pending => return,
            Found::Nothing(interrupts) => self.throttle(interrupts),
            Found::More(interrupts) => {
                self.throttle(interrupts);
                match self.reader.step {
                    Reading::Data(octets) if octets > reg::WINDOW_END => {
                        self.mutex.release();
                        return self.fail(Failure::Length(octets));
                    }
                    _ => return,
                }
            }
            Found::Data => {
                if let Completion::Read(bytes) = completion
                    && !self.throttle_frame(bytes)
                {
                    self.receive.burst_read(bytes, &self.pool, &mut self.told);
                }
            }
            // The driver says so and goes on; it never reads what it has refused, and is told of nothing more.
            Found::TooLong => self.told.counters.reads_refused += 1,
            Found::Lost => self.told.lost(HostDrop::RxFailed, 0),
            Found::Failed => {
                self.mutex.release();
                return self.fail(Failure::Status);
            }
        }
        self.mutex.release();
    }

    /// Takes a frame of SPI in half duplex that says nothing but to stop or to go on; false for any other. Source: `update_flow_ctrl`.
    fn throttle_frame(&mut self, frame: &[u8]) -> bool {
        let field = frame.get(10).filter(|_| self.config.bus == Bus::SpiHalfDuplex);
        let throttle = field.map_or(Throttle::Unchanged, |field| Throttle::of(*field));
        if throttle != Throttle::Unchanged {
            self.throttled = throttle == Throttle::On;
        }
        throttle != Throttle::Unchanged
    }

    /// Source: both bits are looked at in this order, so that a stop wins.
    fn throttle(&mut self, interrupts: u32) {
        if interrupts & reg::INT_START_THROTTLE != 0 {
            self.throttled = true;
        }
        if interrupts & reg::INT_STOP_THROTTLE != 0 {
            self.throttled = false;
        }
    }
}
