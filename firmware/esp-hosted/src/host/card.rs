//! A co-processor as an SDIO card: what the driver asks of the bus, as commands.

use alloc::boxed::Box;
use alloc::vec;

use airtime_core::{Duration, Packet};
use airtime_esp_hosted::sdio::{BLOCK, BusError, Completion, Transaction, blocks, register, window};
use airtime_esp_hosted::wire::Bus;
use airtime_ota::boot::Finding;
use aligned::{A4, Aligned};
use embassy_futures::select::{Either, select};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_storage::nor_flash::NorFlash;
use log::warn;
use sdio::sdio::SdioCard;
use sdio::{MmcBus, MmcError};

use super::driver::Driver;
use super::{Plan, reset};
use crate::{Board, Flash, board};

/// Function of the SDIO slave that esp-hosted uses.
const FUNCTION: u8 = 1;
/// Clock of the bus: what the published set-ups run at (`ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ`).
const CLOCK_HZ: u32 = 40_000_000;
/// Time of a transaction, after which nobody is there: a card may say for ever that it is not ready yet. *Assumed*: the longest one, of
/// 129 kB at 40 MHz and four lines, takes 7 ms.
const LIMIT: Duration = Duration::from_secs(1);

/// A block as the controller's DMA wants it.
type Block = Aligned<A4, [u8; BLOCK as usize]>;

/// Blocks of the longest piece that is read at once; a longer burst is read in several.
pub const BURST_BLOCKS: usize = 64;

/// Runs a host whose co-processor is an SDIO card, until it has to be restarted; `enable` is the co-processor's EN, which resets it
/// while it is low. With a `plan` it goes through the [sequence](super) first.
pub async fn over_card<F: NorFlash>(
    bus: impl MmcBus,
    delay: impl DelayNs,
    mut enable: impl OutputPin,
    flash: F,
    board: impl Board,
    found: impl FnMut(Finding),
    plan: Option<Plan<'_>>,
) {
    let mut card = Card::new(bus, delay);
    let mut driver = Driver::new(board.now(), Bus::Sdio, Flash::new(flash), found, plan);
    let mut reply = driver.buffer();
    let serve = async {
        // The host knows that the line is low: while it does other things first, there is nothing new to wait for.
        let mut known = false;
        loop {
            driver.settle(board.now());
            if driver.restarts() {
                return;
            }
            if driver.resets() {
                card.forget();
                known = false;
                reset(&mut enable, &board).await;
                continue;
            }
            if let Some(transaction) = driver.host.transaction(board.now()) {
                let clears = matches!(transaction, Transaction::WriteRegister { address: register::INT_CLR, .. });
                let completion = card.carry_out(&transaction, &mut reply, &board).await;
                driver.host.done(board.now(), transaction, completion);
                // The line is asked anew behind it: an interrupt that was not cleared comes again.
                if clears {
                    known = false;
                    driver.host.interrupt(board.now(), false);
                }
                continue;
            }
            let deadline = driver.deadline(board.now());
            let due = async {
                match deadline {
                    Some(at) => board.until(at).await,
                    None => core::future::pending().await,
                }
            };
            let interrupt = async {
                if known {
                    return core::future::pending().await;
                }
                card.interrupt().await;
            };
            match select(due, interrupt).await {
                Either::First(()) => driver.wake(board.now()),
                Either::Second(()) => {
                    known = true;
                    driver.host.interrupt(board.now(), true);
                }
            }
        }
    };
    match select(serve, board::feed(&board)).await {
        Either::First(()) => {}
        // It has no end.
        Either::Second(never) => match never {},
    }
}

/// The card.
struct Card<B: MmcBus, D: DelayNs> {
    card: SdioCard<B, D>,
    /// Set once it was identified: before that its interrupt line means nothing.
    identified: bool,
    blocks: Box<[Block]>,
}

impl<B: MmcBus, D: DelayNs> Card<B, D> {
    fn new(bus: B, delay: D) -> Self {
        let blocks = vec![Aligned([0; BLOCK as usize]); BURST_BLOCKS].into_boxed_slice();
        Self { card: SdioCard::new_uninit(bus, delay), identified: false, blocks }
    }

    /// It is reset, and has to be identified anew.
    fn forget(&mut self) {
        self.identified = false;
    }

    /// Waits for the card's interrupt.
    async fn interrupt(&mut self) {
        if !self.identified || self.card.wait_for_event().await.is_err() {
            // A card that is not there has none; the driver asks again when something is due.
            core::future::pending::<()>().await;
        }
    }

    /// Carries out what the driver asks of the bus; what is read goes into `reply`.
    async fn carry_out<'r>(
        &mut self,
        transaction: &Transaction,
        reply: &'r mut Packet,
        board: &impl Board,
    ) -> Completion<'r> {
        reply.truncate(0);
        let done = match select(self.transact(transaction, reply), board.after(LIMIT)).await {
            Either::First(done) => done,
            Either::Second(()) => Err(MmcError::Timeout),
        };
        match (done, transaction) {
            (Ok(()), Transaction::ReadRegisters { .. } | Transaction::ReadData { .. }) => Completion::Read(reply),
            (Ok(()), _) => Completion::Written,
            (Err(error), _) => {
                warn!("SDIO: {error}");
                Completion::Failed(if matches!(error, MmcError::Crc) { BusError::Crc } else { BusError::Timeout })
            }
        }
    }

    async fn transact(&mut self, transaction: &Transaction, reply: &mut Packet) -> Result<(), MmcError> {
        match transaction {
            Transaction::Initialise => {
                self.identify().await?;
                self.identified = true;
                Ok(())
            }
            Transaction::ReadRegisters { address, octets } => self.read_registers(*address, *octets, reply).await,
            Transaction::WriteRegister { address, value } => self.write_register(*address, *value).await,
            Transaction::ReadData { octets } => self.read(*octets, reply).await,
            Transaction::WriteData(frame) => self.write(frame).await,
            // A command of SPI in half duplex, which no card answers.
            Transaction::ClearReady => Err(MmcError::Unsupported),
        }
    }

    async fn identify(&mut self) -> Result<(), MmcError> {
        self.card.reacquire(CLOCK_HZ).await?;
        self.card.enable_functions(1 << FUNCTION).await?;
        self.card.set_block_size(FUNCTION, BLOCK as u16).await?;
        self.card.enable_interrupts(1 | 1 << FUNCTION).await
    }

    async fn read_registers(&mut self, address: u32, octets: u16, reply: &mut Packet) -> Result<(), MmcError> {
        let octets = usize::from(octets).min(BLOCK as usize);
        let block: &mut Aligned<A4, [u8]> = &mut self.blocks[0];
        self.card.cmd53_read_bytes(FUNCTION, true, address, &mut block[..octets]).await?;
        reply.put(&self.blocks[0][..octets]);
        Ok(())
    }

    async fn write_register(&mut self, address: u32, value: u32) -> Result<(), MmcError> {
        self.blocks[0][..4].copy_from_slice(&value.to_le_bytes());
        let block: &Aligned<A4, [u8]> = &self.blocks[0];
        self.card.cmd53_write_bytes(FUNCTION, true, address, &block[..4]).await
    }

    /// A burst that is longer than there is room for is read in pieces: the window's address says how much is left. Source:
    /// `data_left` of `sdio_read_task`.
    async fn read(&mut self, octets: u32, reply: &mut Packet) -> Result<(), MmcError> {
        // All at once: growing by and by would hold it twice.
        reply.resize(octets as usize);
        let (mut left, mut rest) = (octets, &mut reply[..]);
        while left > 0 {
            let piece = left.min(BURST_BLOCKS as u32 * BLOCK);
            let address = window(left).ok_or(MmcError::Unsupported)?;
            let count = blocks(piece) as usize;
            self.card.cmd53_read_blocks(FUNCTION, true, address, &mut self.blocks[..count]).await?;
            let (into, others) = rest.split_at_mut(piece as usize);
            for (into, block) in into.chunks_mut(BLOCK as usize).zip(&self.blocks[..count]) {
                into.copy_from_slice(&block[..into.len()]);
            }
            (left, rest) = (left - piece, others);
        }
        Ok(())
    }

    async fn write(&mut self, frame: &[u8]) -> Result<(), MmcError> {
        let address = window(frame.len() as u32).ok_or(MmcError::Unsupported)?;
        let count = blocks(frame.len() as u32) as usize;
        for (block, octets) in self.blocks.iter_mut().zip(frame.chunks(BLOCK as usize)) {
            block[..octets.len()].copy_from_slice(octets);
        }
        self.card.cmd53_write_blocks(FUNCTION, true, address, &self.blocks[..count]).await
    }
}
