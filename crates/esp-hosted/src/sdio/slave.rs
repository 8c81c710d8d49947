//! The SDIO slave peripheral of the co-processor with its driver's buffers: what is true of it between two interrupts.

use alloc::collections::VecDeque;

use airtime_core::Packet;

use super::{BUFFER, Credits, Length, register as reg};
use crate::spi_hd;
use crate::wire::start::SdioMode;

/// The host has written a frame for which no buffer is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

/// Registers and buffers of the peripheral.
///
/// What the host may read is fixed when a transfer is prepared: frames that come while it waits or runs belong to the
/// next one (`sdio_slave_hal_send_new_packet_if_exist`). Their buffers come back all at once when it is through.
#[derive(Debug)]
pub struct Slave {
    mode: SdioMode,
    /// Octets of a buffer.
    buffer: u32,
    /// Set if one receive buffer at a time is with the DMA, and counted when it is.
    one_by_one: bool,
    raw: u32,
    enabled: u32,
    token: Credits,
    length: Length,
    loaded: u16,
    slots: u16,
    waiting: VecDeque<Packet>,
    flight: VecDeque<Packet>,
    flight_octets: u32,
    fetched: u32,
}

impl Slave {
    /// A peripheral with `receive` buffers loaded and `send` slots free, both as the driver starts it.
    pub fn new(mode: SdioMode, receive: u16, send: u16) -> Self {
        Self {
            mode,
            buffer: BUFFER,
            one_by_one: false,
            raw: 0,
            enabled: reg::INT_HOSTED,
            token: Credits::new(u32::from(receive)),
            length: Length::default(),
            loaded: receive,
            slots: send,
            waiting: VecDeque::with_capacity(usize::from(send)),
            flight: VecDeque::with_capacity(usize::from(send)),
            flight_octets: 0,
            fetched: 0,
        }
    }

    /// That of SPI in half duplex, whose buffers have `buffer` octets.
    pub fn half_duplex(receive: u16, send: u16, buffer: u32) -> Self {
        let token = Credits::new(u32::from(receive.min(1)));
        Self { buffer, one_by_one: true, token, ..Self::new(SdioMode::Packet, receive, send) }
    }

    /// The same peripheral after `buffers` and `octets` of traffic have gone through it: its counters wrap sooner.
    #[must_use]
    pub fn aged(mut self, buffers: u32, octets: u32) -> Self {
        self.token = Credits::new(u32::from(self.token.count()) + buffers);
        self.length = Length::new(octets);
        self
    }

    /// State of the interrupt line: true while asserted.
    pub fn line(&self) -> bool {
        self.raw & self.enabled != 0
    }

    /// Raises interrupts of the host.
    pub fn raise(&mut self, bits: u32) {
        self.raw |= bits;
    }

    /// Slots for frames to the host that are free.
    pub fn room(&self) -> usize {
        usize::from(self.slots) - self.used()
    }

    /// Slots in use: waiting and in the transfer that the host may read.
    pub fn used(&self) -> usize {
        self.waiting.len() + self.flight.len()
    }

    /// Throws away whatever was for the host.
    pub fn drain(&mut self) -> impl Iterator<Item = Packet> + '_ {
        self.flight_octets = 0;
        self.fetched = 0;
        self.flight.drain(..).chain(self.waiting.drain(..))
    }

    /// Receive buffers that are loaded.
    pub fn loaded(&self) -> u16 {
        self.loaded
    }

    /// A receive buffer is the peripheral's again.
    pub fn load(&mut self) {
        self.loaded += 1;
        if !self.one_by_one || self.loaded == 1 {
            self.token = self.token.plus(1);
        }
    }

    /// The host writes a frame of `octets`: takes the buffers it needs.
    ///
    /// # Errors
    /// When they are not loaded: the octets are lost and the host's interrupt says so.
    pub fn take(&mut self, octets: u32) -> Result<(), Overflow> {
        let needed = octets.div_ceil(self.buffer) as u16;
        if needed > self.loaded {
            self.raise(reg::INT_TX_OVERFLOW);
            return Err(Overflow);
        }
        self.loaded -= needed;
        if self.one_by_one && self.loaded > 0 {
            self.token = self.token.plus(needed);
        }
        Ok(())
    }

    /// A whole frame for the host.
    ///
    /// # Panics
    /// When no slot is free.
    pub fn send(&mut self, frame: Packet) {
        assert!(self.room() > 0, "no slot is free");
        self.waiting.push_back(frame);
        self.prepare();
    }

    /// Value of a register, as four octets.
    pub fn register(&self, address: u32) -> u32 {
        match address {
            reg::TOKEN_RDATA => u32::from(self.token.count()) << 16,
            reg::INT_RAW => self.raw,
            reg::INT_ST => self.raw & self.enabled,
            reg::PACKET_LEN => self.length.octets(),
            reg::INT_ENA => self.enabled,
            spi_hd::TX_BUF_LEN if self.one_by_one => self.length.octets(),
            spi_hd::RX_BUF_LEN if self.one_by_one => self.token.count().into(),
            _ => 0,
        }
    }

    /// The host reads `octets` from `address` on.
    pub fn read(&self, address: u32, octets: u16, reply: &mut Packet) {
        let (mut at, end) = (address, address.saturating_add(u32::from(octets)));
        while at < end {
            let word = self.register(at & !3).to_le_bytes();
            let next = (at & !3).saturating_add(4).min(end);
            reply.put(&word[(at & 3) as usize..][..(next - at) as usize]);
            at = next;
        }
    }

    /// The host writes a register of interrupts.
    pub fn write(&mut self, address: u32, value: u32) {
        match address {
            reg::INT_CLR => self.raw &= !value,
            reg::INT_ENA => self.enabled = value,
            _ => {}
        }
    }

    /// The host reads `octets` of the transfer; padded with zeros when it wants more than there is. How many slots became
    /// free: all of them when the last octet has been read, none before.
    pub fn fetch(&mut self, octets: u32, reply: &mut Packet) -> usize {
        let left = self.flight_octets - self.fetched;
        if octets < left {
            self.copy(self.fetched as usize, octets as usize, reply);
            self.fetched += octets;
            return 0;
        }
        self.copy(self.fetched as usize, left as usize, reply);
        if octets > left {
            reply.resize(octets as usize);
            self.raise(reg::INT_RX_UNDERFLOW);
        }
        let slots = self.flight.len();
        self.flight.clear();
        self.flight_octets = 0;
        self.fetched = 0;
        self.prepare();
        slots
    }

    /// Copies `octets` of the transfer from octet `from` on.
    fn copy(&self, mut from: usize, mut octets: usize, reply: &mut Packet) {
        for frame in &self.flight {
            let skipped = from.min(frame.len());
            let end = frame.len().min(skipped + octets);
            reply.put(&frame[skipped..end]);
            from -= skipped;
            octets -= end - skipped;
        }
    }

    /// The first frame for the host, which a transaction of SPI takes: its slot is free again.
    pub fn take_first(&mut self) -> Option<Packet> {
        self.waiting.pop_front()
    }

    /// A whole frame that waits for a transaction of SPI.
    ///
    /// # Panics
    /// When no slot is free.
    pub fn queue(&mut self, frame: Packet) {
        assert!(self.room() > 0, "no slot is free");
        self.waiting.push_back(frame);
    }

    /// Starts the next transfer if none is under way: the length goes up and the host hears of it.
    fn prepare(&mut self) {
        if !self.flight.is_empty() {
            return;
        }
        while let Some(next) = self.waiting.front() {
            let octets = self.flight_octets + next.len() as u32;
            let full = octets > reg::WINDOW_END;
            if full || (self.mode == SdioMode::Packet && !self.flight.is_empty()) {
                break;
            }
            self.flight_octets = octets;
            self.flight.extend(self.waiting.pop_front());
        }
        if !self.flight.is_empty() {
            self.length = self.length.plus(self.flight_octets);
            self.raise(reg::INT_NEW_PACKET);
        }
    }
}
