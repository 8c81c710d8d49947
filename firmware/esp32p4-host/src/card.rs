//! The co-processor as an SDIO card: what the driver asks of the bus, as commands.

use airtime_esp_hosted::sdio::{BLOCK, BusError, Transaction, blocks, window};
use aligned::{A4, Aligned};
use alloc::boxed::Box;
use alloc::vec;
use embassy_time::{Delay, Timer};
use esp_hal::gpio::Output;
use log::warn;
use sdio::MmcBus;
use sdio::sdio::SdioCard;

/// Function of the SDIO slave that esp-hosted uses.
const FUNCTION: u8 = 1;
/// Clock of the bus: what the published set-ups run at (`ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ`).
const CLOCK_HZ: u32 = 40_000_000;
/// Time for which the reset line is held.
const RESET_MS: u64 = 10;

/// A block as the controller's DMA wants it.
type Block = Aligned<A4, [u8; BLOCK as usize]>;

/// Blocks of the longest burst that is read at once.
const BURST_BLOCKS: usize = 64;

/// The card.
pub struct Card<B: MmcBus> {
    card: SdioCard<B, Delay>,
    enable: Output<'static>,
    blocks: Box<[Block]>,
}

/// Outcome of a transaction.
pub enum Brought {
    /// Nothing: it was a write.
    Nothing,
    /// Octets that were read, of [`Card::octets`].
    Octets(usize),
}

impl<B: MmcBus> Card<B> {
    pub fn new(bus: B, delay: Delay, enable: Output<'static>) -> Self {
        let blocks = vec![Aligned([0; BLOCK as usize]); BURST_BLOCKS].into_boxed_slice();
        Self { card: SdioCard::new_uninit(bus, delay), enable, blocks }
    }

    /// Resets the co-processor. The driver waits until it has booted.
    pub async fn reset(&mut self) {
        self.enable.set_low();
        Timer::after_millis(RESET_MS).await;
        self.enable.set_high();
    }

    /// Waits for the card's interrupt.
    pub async fn interrupt(&mut self) {
        if self.card.wait_for_event().await.is_err() {
            // A card that is not there has none; the driver asks again when something is due.
            core::future::pending::<()>().await;
        }
    }

    /// The octets that the last transaction brought, up to `octets`.
    pub fn octets(&self, octets: usize) -> impl Iterator<Item = &[u8]> {
        let whole = octets / BLOCK as usize;
        let rest = octets % BLOCK as usize;
        let last = (rest > 0).then(|| self.blocks.get(whole)).flatten().map(move |block| &block[..rest]);
        self.blocks.iter().take(whole).map(|block| &block[..]).chain(last)
    }

    /// Carries out what the driver asks of the bus.
    pub async fn carry_out(&mut self, transaction: &Transaction) -> Result<Brought, BusError> {
        let done = match transaction {
            Transaction::Initialise => self.identify().await.map(|()| Brought::Nothing),
            Transaction::ReadRegisters { address, octets } => self.read_registers(*address, *octets).await,
            Transaction::WriteRegister { address, value } => self.write_register(*address, *value).await,
            Transaction::ReadData { octets } => self.read(*octets).await,
            Transaction::WriteData(frame) => self.write(frame).await,
            // A command of SPI in half duplex, which no card answers.
            Transaction::ClearReady => return Err(BusError::Timeout),
        };
        done.map_err(|error| {
            warn!("SDIO: {error:?}");
            BusError::Timeout
        })
    }

    async fn identify(&mut self) -> Result<(), sdio::MmcError> {
        self.card.reacquire(CLOCK_HZ).await?;
        self.card.enable_functions(1 << FUNCTION).await?;
        self.card.set_block_size(FUNCTION, BLOCK as u16).await?;
        self.card.enable_interrupts(1 | 1 << FUNCTION).await
    }

    async fn read_registers(&mut self, address: u32, octets: u16) -> Result<Brought, sdio::MmcError> {
        let octets = usize::from(octets).min(BLOCK as usize);
        let block: &mut Aligned<A4, [u8]> = &mut self.blocks[0];
        self.card.cmd53_read_bytes(FUNCTION, true, address, &mut block[..octets]).await?;
        Ok(Brought::Octets(octets))
    }

    async fn write_register(&mut self, address: u32, value: u32) -> Result<Brought, sdio::MmcError> {
        self.blocks[0][..4].copy_from_slice(&value.to_le_bytes());
        let block: &Aligned<A4, [u8]> = &self.blocks[0];
        self.card.cmd53_write_bytes(FUNCTION, true, address, &block[..4]).await?;
        Ok(Brought::Nothing)
    }

    /// A burst that is longer than there is room for is read in pieces: the window's address says how much is left.
    async fn read(&mut self, octets: u32) -> Result<Brought, sdio::MmcError> {
        let most = (BURST_BLOCKS as u32) * BLOCK;
        let octets = octets.min(most);
        let address = window(octets).unwrap_or(0);
        let count = blocks(octets) as usize;
        self.card.cmd53_read_blocks(FUNCTION, true, address, &mut self.blocks[..count]).await?;
        Ok(Brought::Octets(octets as usize))
    }

    async fn write(&mut self, frame: &[u8]) -> Result<Brought, sdio::MmcError> {
        let address = window(frame.len() as u32).unwrap_or(0);
        let count = blocks(frame.len() as u32) as usize;
        for (block, octets) in self.blocks.iter_mut().zip(frame.chunks(BLOCK as usize)) {
            block[..octets.len()].copy_from_slice(octets);
        }
        self.card.cmd53_write_blocks(FUNCTION, true, address, &self.blocks[..count]).await?;
        Ok(Brought::Nothing)
    }
}
