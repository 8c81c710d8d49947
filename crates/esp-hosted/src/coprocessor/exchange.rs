//! SPI in full duplex: the transaction that is queued for the host, and what it has brought. Source: `slave/main/spi_slave_api.c` at
//! `4d9dc385` (2.12.12).

use airtime_core::{Instant, Packet};

use super::{Bus, Coprocessor, CoprocessorDrop, CoprocessorOutput, Power, Received};
use crate::wire::{Header, Priority};

/// Octets that a transaction has for the host.
#[derive(Debug)]
pub struct Reply {
    /// Frame for it; none in a dummy.
    pub frame: Option<Packet>,
    /// Throttle of a dummy: set if the host is to send no more for its station.
    pub throttle: bool,
}

/// Transaction and task of SPI.
#[derive(Debug, Default)]
pub(super) struct Exchanger {
    /// The transaction that is queued; the handshake line is up while there is one.
    next: Option<Reply>,
    /// The data-ready line.
    ready: bool,
    /// Frame or dummy of the transaction that is through, as long as the task is not through with the one before.
    arrived: Option<Option<Packet>>,
    /// Frame that the task stands in front of a full queue with: it queues no transaction meanwhile.
    held: Option<Received>,
}

impl Exchanger {
    /// Throws away whatever it holds, and gives the octets of each payload: of what is for the host, of what has come, and of what stands in
    /// front of a full queue.
    pub fn drain(&mut self) -> impl Iterator<Item = usize> + use<> {
        let Self { next, arrived, held, .. } = core::mem::take(self);
        let frames = next.and_then(|reply| reply.frame).into_iter().chain(arrived.flatten());
        frames.map(|frame| payload_octets(&frame)).chain(held.map(|held| held.payload.len()))
    }

    /// The data-ready line.
    pub const fn line(&self) -> bool {
        self.ready
    }

    /// A frame waits for a transaction.
    pub const fn raise(&mut self) {
        self.ready = true;
    }
}

impl Coprocessor {
    /// Tells if a transaction is queued, so that the host may begin it.
    pub fn exchanges(&self) -> bool {
        self.exchanger.next.is_some()
    }

    /// Buffers that the host may fill.
    pub(super) fn loaded(&self) -> u16 {
        match self.config.bus {
            Bus::Spi | Bus::Uart => {
                self.config.rx_buffers.saturating_sub(self.queues[Priority::Other as usize].len() as u16)
            }
            _ => self.slave.loaded(),
        }
    }

    /// A transaction is through, which has brought this frame; what it had for the host. When none was [queued](Self::exchanges), it was
    /// reset in the middle: what came is lost, and the host has read no frame.
    pub fn exchanged(&mut self, now: Instant, frame: Option<Packet>) -> Reply {
        let Some(reply) = self.exchanger.next.take() else {
            if let Some(frame) = frame {
                self.told.lost(CoprocessorDrop::Reset, payload_octets(&frame));
            }
            return Reply { frame: None, throttle: false };
        };
        self.exchanger.arrived = Some(frame);
        self.process_exchanges(now);
        self.update_line();
        reply
    }

    /// The task goes on as far as there is room: it queues the next transaction, and then looks at what the last one has brought.
    /// Source: `spi_transaction_post_process_task`.
    pub(super) fn process_exchanges(&mut self, now: Instant) {
        while self.power == Power::Runs {
            if let Some(held) = self.exchanger.held.take() {
                let queue = &mut self.queues[held.header.interface.priority() as usize];
                if queue.len() >= usize::from(self.config.rx_buffers.max(1)) {
                    self.exchanger.held = Some(held);
                    return;
                }
                queue.push_back(held);
                self.take_next(now);
            }
            let Some(arrived) = self.exchanger.arrived.take() else { return };
            self.prepare_exchange();
            self.exchanger.held = arrived.and_then(|frame| self.parse(frame).ok());
        }
    }

    /// Queues the next transaction, with a frame for the host or as a dummy.
    pub(super) fn prepare_exchange(&mut self) {
        if self.config.bus != Bus::Spi {
            return;
        }
        let frame = self.slave.take_first();
        if frame.is_some() {
            self.told.counters.fetched += 1;
            self.send_serial();
            self.pump_raw();
            if self.blocked && self.slave.room() > 0 {
                self.blocked = false;
                self.told.say(CoprocessorOutput::Room);
            }
        } else {
            self.exchanger.ready = false;
            self.look_at_load();
        }
        self.exchanger.next = Some(Reply { frame, throttle: self.throttling });
    }

    /// Source: `find_wifi_tx_throttling_to_be_set`, which a dummy tells the host.
    pub(super) fn look_at_load(&mut self) {
        let (high, low) = self.throttle_percent;
        if high == 0 {
            self.throttling = false;
            return;
        }
        if self.is_loaded(usize::from(high) + 1) {
            self.told.counters.throttles += u64::from(!self.throttling);
            self.throttling = true;
        }
        if !self.is_loaded(usize::from(low)) {
            self.throttling = false;
        }
    }
}

/// Octets of payload of a whole frame.
fn payload_octets(frame: &Packet) -> usize {
    frame.len().saturating_sub(Header::OCTETS)
}
