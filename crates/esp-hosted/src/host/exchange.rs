//! SPI in full duplex: one task, whose transactions carry a frame each way. Source: `host/drivers/transport/spi/spi_drv.c` at
//! `4d9dc385` (2.12.12).

use airtime_core::{Instant, Packet};

use super::tasks::Owner;
use super::{Host, HostState};
use crate::coprocessor::Reply;
use crate::wire::Interface;

/// Transaction that the host begins: 1600 octets each way, whatever is in them.
#[derive(Debug)]
pub struct Exchange {
    /// Frame for the co-processor; none in a dummy.
    pub frame: Option<Packet>,
}

/// Reasons of the task to begin a transaction when it has no frame itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchanger {
    /// The data-ready line has risen since the last frame was read. Source: `dr_isr_triggered`.
    risen: bool,
    /// A frame was written: one more. Source: `schedule_dummy_tx`.
    after_write: bool,
    /// A frame of the network or of RPC was read: on until there is none. Source: `schedule_dummy_rx`.
    after_read: bool,
}

impl Exchanger {
    /// The line has changed; set if it is up now, and was not.
    pub const fn line(&mut self, rises: bool) {
        self.risen |= rises;
    }
}

impl Host {
    /// Transaction that the task begins when the handshake line is up; none without a reason, or while the task stands in front of a
    /// full queue with what it read last.
    pub fn exchange(&mut self) -> Option<Exchange> {
        if !self.start.receives() || self.mutex.busy || self.receive.splitting() {
            return None;
        }
        let frame = self.pop_frame();
        let Exchanger { risen, after_write, after_read } = self.exchanger;
        if frame.is_none() && !(self.reader.line || risen || after_write || after_read) {
            return None;
        }
        self.exchanger.after_write = frame.is_some();
        self.mutex.owner = Some(if frame.is_some() { Owner::Writer } else { Owner::Reader });
        self.mutex.busy = true;
        Some(Exchange { frame })
    }

    /// State between two transactions: what waits for the next.
    pub(super) fn waits_for_exchange(&self) -> HostState {
        if self.queues.iter().any(|queue| !queue.is_empty()) {
            HostState::Writing
        } else if self.reader.line || self.exchanger.risen {
            HostState::Reading
        } else {
            HostState::Idle
        }
    }

    /// The transaction is through: it has `written` a frame or none, and this has come.
    pub fn exchanged(&mut self, now: Instant, written: bool, reply: &Reply) {
        let _ = now;
        self.mutex.busy = false;
        // The tasks were ended meanwhile: what has come is for nobody.
        if self.mutex.owner.is_none() {
            if let Some(frame) = &reply.frame {
                self.receive.discard(frame, &mut self.told);
            }
            return;
        }
        self.mutex.release();
        self.told.counters.written += u64::from(written);
        let Some(frame) = &reply.frame else {
            self.exchanger.after_read = false;
            self.throttled = reply.throttle;
            return;
        };
        // Source: a frame carries no throttle, which counts as an end of it.
        self.throttled = false;
        self.exchanger.risen = false;
        let network = [Interface::Station, Interface::AccessPoint, Interface::Serial];
        let interface = frame.first().and_then(|octet| Interface::of(octet & 0xf));
        self.exchanger.after_read |= interface.is_some_and(|interface| network.contains(&interface));
        self.receive.burst_read(frame, &self.pool, &mut self.told);
    }
}
