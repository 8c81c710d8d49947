//! From the air and the RPC server to the host: slots, and who waits for them.

use airtime_core::{Instant, Packet};

use super::{Coprocessor, CoprocessorDrop, CoprocessorOutput};
use crate::wire::{Bus, Header, Interface};

impl Coprocessor {
    /// An Ethernet frame has arrived by air; `Err` while all SDIO buffers are used (the Wi-Fi task blocks until
    /// [`CoprocessorOutput::Room`]).
    ///
    /// # Errors
    /// With the frame, when no buffer is free.
    pub fn received(&mut self, now: Instant, frame: Packet) -> Result<(), Packet> {
        self.send(now, self.config.interface(), frame)
    }

    /// Sends a payload through any interface.
    ///
    /// # Errors
    /// With the payload, when no buffer is free.
    pub fn send(&mut self, now: Instant, interface: Interface, payload: Packet) -> Result<(), Packet> {
        let _ = now;
        let layout = self.config.layout();
        if !self.data_path {
            self.told.lost(CoprocessorDrop::DataPath, payload.len());
            return Ok(());
        }
        if payload.is_empty() || payload.len() > layout.payload_max() {
            self.told.lost(CoprocessorDrop::Invalid, payload.len());
            return Ok(());
        }
        // Frames of the server that wait mean that there is no slot: they are before this one.
        if self.slave.room() == 0 {
            self.blocked = true;
            return Err(payload);
        }
        self.queue(Header::new(interface).wrap(&layout, payload));
        Ok(())
    }

    pub(super) fn queue(&mut self, frame: Packet) {
        self.told.counters.queued += 1;
        match self.config.bus {
            Bus::Spi => {
                self.slave.queue(frame);
                self.exchanger.raise();
                self.look_at_load();
            }
            Bus::Uart => self.slave.queue(frame),
            Bus::Sdio | Bus::SpiHalfDuplex => self.slave.send(frame),
        }
        self.update_line();
    }

    /// Frames of the server that wait go first, as far as there are slots.
    pub(super) fn send_serial(&mut self) {
        while self.slave.room() > 0
            && let Some(frame) = self.serial.pop_front()
        {
            self.queue(frame);
        }
    }

    /// Next frame for the UART, whose line is free: the buffer is too, once it is through.
    pub fn next_frame(&mut self) -> Option<Packet> {
        let frame = self.slave.take_first()?;
        self.told.counters.fetched += 1;
        self.after_fetch();
        Some(frame)
    }

    /// The host reads what was prepared for it.
    pub(super) fn fetch(&mut self, octets: u32, reply: &mut Packet) {
        let slots = self.slave.fetch(octets, reply);
        self.told.counters.fetched += slots as u64;
        self.after_fetch();
    }

    /// There is room again: whoever waits for it goes on.
    fn after_fetch(&mut self) {
        self.send_serial();
        self.pump_raw();
        if self.blocked && self.slave.room() > 0 {
            self.blocked = false;
            self.told.say(CoprocessorOutput::Room);
        }
    }
}
