//! Bus in time: the instants at which transactions begin and end, and at which the read task hears of the interrupt
//! line.

use airtime_core::{Duration, Instant, Packet};

use super::{Chain, Due, UnderWay};
use crate::hosted::host::HostState;
use crate::hosted::sdio::{BusError, Completion, Transaction};

impl Chain {
    /// The interrupt line has changed. The read task comes to it after its wake-up time, which begins when it waits
    /// again: a burst does not begin within another one.
    pub(super) fn line(&mut self, now: Instant, asserted: bool) {
        if self.spi.is_some() {
            self.host.interrupt(now, asserted);
            self.host_moved = true;
            return;
        }
        self.asserted = asserted;
        if !asserted {
            self.set(Due::Interrupt, None);
            self.host.interrupt(now, false);
            self.host_moved = true;
        } else if self.host.state() != HostState::Reading {
            self.set(Due::Interrupt, Some(now + self.costs.wake));
        }
    }

    /// Begins a transaction if the bus is free and the host wants one. `core` is when its tasks can run at the earliest.
    pub(super) fn begin_transaction(&mut self, now: Instant, core: Instant) {
        if self.spi.is_some() {
            return self.begin_exchange(now, core);
        }
        if self.under_way.is_some() {
            return;
        }
        let Some(transaction) = self.host.transaction(now) else { return };
        let span = match &transaction {
            _ if self.half_duplex.is_some() => self.half_duplex_span(&transaction),
            Transaction::WriteData(frame) => self.write.of(frame.len() as u32, |octets| self.bus.data(octets)),
            Transaction::ReadData { octets } => self.costs.transaction + self.bus.data(*octets),
            Transaction::ReadRegisters { octets, .. } => {
                self.costs.transaction + self.read.of(*octets, |octets| self.bus.registers(u32::from(octets)))
            }
            _ => self.costs.transaction + self.bus.registers(4),
        };
        self.under_way = Some(UnderWay { transaction, replied: false });
        self.set(Due::Bus, Some(now + span));
    }

    /// Time of a transaction over SPI in half duplex.
    fn half_duplex_span(&self, transaction: &Transaction) -> Duration {
        let (Some(timing), each) = (self.half_duplex, self.costs.command) else { return Duration::ZERO };
        match transaction {
            Transaction::WriteData(frame) => timing.data(frame.len() as u32, each),
            Transaction::ReadData { octets } => timing.data(*octets, each),
            Transaction::ReadRegisters { .. } | Transaction::Initialise => timing.read_register(each),
            Transaction::WriteRegister { .. } => timing.write_register(each),
            Transaction::ClearReady => timing.command(each),
        }
    }

    /// The wire, or what the host does with a burst, has ended.
    pub(super) fn end(&mut self, now: Instant) {
        let Some(ended) = self.under_way.take() else { return };
        match ended.transaction {
            Transaction::WriteData(frame) => self.hand_over(now, frame),
            _ => self.transact(now, ended),
        }
        // The host is still at what was read.
        if self.under_way.is_some() {
            return;
        }
        self.host_moved = true;
        // The read task waits for the line again.
        if self.asserted && !self.is_set(Due::Interrupt) && self.host.state() != HostState::Reading {
            self.set(Due::Interrupt, Some(now + self.costs.wake));
        }
    }

    /// A frame is through the wire: it is the co-processor's now, unless that does not answer.
    fn hand_over(&mut self, now: Instant, frame: Packet) {
        let octets = frame.len() as u32;
        self.coprocessor_moved = true;
        match self.coprocessor.write(now, frame) {
            Ok(()) => self.host.wrote(now, octets),
            Err(frame) => {
                self.host.done(now, Transaction::WriteData(frame), Completion::Failed(BusError::Timeout));
            }
        }
    }

    /// Anything else than a frame is through the wire.
    fn transact(&mut self, now: Instant, mut ended: UnderWay) {
        let completion = if ended.replied {
            Completion::Read(&self.reply)
        } else {
            // Only to be read moves nothing in there.
            self.coprocessor_moved |= !matches!(ended.transaction, Transaction::ReadRegisters { .. });
            let completion = self.coprocessor.bus(now, &ended.transaction, &mut self.reply);
            let burst =
                matches!((&ended.transaction, &completion), (Transaction::ReadData { .. }, Completion::Read(_)));
            if burst && !self.costs.read_frame.is_zero() {
                let until = now + self.costs.read_frame * frames(&self.reply);
                self.set(Due::Bus, Some(until));
                ended.replied = true;
                self.under_way = Some(ended);
                return;
            }
            completion
        };
        self.bursts |= matches!(ended.transaction, Transaction::ReadData { .. });
        self.host.done(now, ended.transaction, completion);
    }
}

/// Frames in a burst, by their headers: octets 2 and 3 are the length behind the offset in octets 4 and 5.
fn frames(mut burst: &[u8]) -> u64 {
    let mut frames = 0;
    while let Some(&[_, _, l0, l1, o0, o1, ..]) = burst.first_chunk::<12>() {
        let octets = usize::from(u16::from_le_bytes([l0, l1])) + usize::from(u16::from_le_bytes([o0, o1]));
        frames += 1;
        burst = burst.get(octets.max(12)..).unwrap_or_default();
    }
    frames
}
