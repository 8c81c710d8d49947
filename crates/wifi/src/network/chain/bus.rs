//! When transactions begin and end, and when the read task hears of the interrupt line.

use airtime_core::Instant;

use super::{Chain, UnderWay};
use crate::hosted::host::HostState;
use crate::hosted::sdio::{Completion, Transaction};

impl Chain {
    /// The interrupt line has changed. The read task comes to it after its wake-up time, which begins when it waits
    /// again: a burst does not begin within another one.
    pub(super) fn line(&mut self, now: Instant, asserted: bool) {
        self.asserted = asserted;
        if !asserted {
            self.interrupt = None;
            self.host.interrupt(now, false);
            self.host_moved = true;
        } else if self.host.state() != HostState::Reading {
            self.interrupt = Some(now + self.costs.wake);
        }
    }

    /// Begins a transaction if the bus is free and the host wants one; says whether it did.
    pub(super) fn begin_transaction(&mut self, now: Instant) -> bool {
        if self.under_way.is_some() {
            return false;
        }
        let Some(transaction) = self.host.transaction(now) else { return false };
        let span = match &transaction {
            Transaction::WriteData(frame) => self.bus.data(frame.len() as u32),
            Transaction::ReadData { octets } => self.costs.transaction + self.bus.data(*octets),
            Transaction::ReadRegisters { octets, .. } => {
                self.costs.transaction + self.bus.registers(u32::from(*octets))
            }
            _ => self.costs.transaction + self.bus.registers(4),
        };
        self.under_way = Some(UnderWay { transaction, until: now + span, replied: false });
        true
    }

    /// The wire, or what the host does with a burst, has ended.
    pub(super) fn end(&mut self, now: Instant, mut ended: UnderWay) {
        let completion = if ended.replied {
            Completion::Read(&self.reply)
        } else {
            self.coprocessor_moved = true;
            let completion = self.coprocessor.bus(now, &ended.transaction, &mut self.reply);
            let burst =
                matches!((&ended.transaction, &completion), (Transaction::ReadData { .. }, Completion::Read(_)));
            if burst && !self.costs.read_frame.is_zero() {
                ended.until = now + self.costs.read_frame * frames(&self.reply);
                ended.replied = true;
                self.under_way = Some(ended);
                return;
            }
            completion
        };
        self.bursts |= matches!(ended.transaction, Transaction::ReadData { .. });
        self.host.done(now, ended.transaction, completion);
        self.host_moved = true;
        // The read task waits for the line again.
        if self.asserted && self.interrupt.is_none() && self.host.state() != HostState::Reading {
            self.interrupt = Some(now + self.costs.wake);
        }
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
