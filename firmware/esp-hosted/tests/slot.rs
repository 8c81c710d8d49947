//! A co-processor as an SDIO card, register by register: what `sdio` asks of a host controller, answered by the laboratory's co-processor.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorOutput};
use airtime_esp_hosted::costs::BusTiming;
use airtime_esp_hosted::raw::id;
use airtime_esp_hosted::sdio::{BLOCK, Completion, Transaction, register};
use airtime_esp_hosted::wire::Interface;
use airtime_hosted_ends::Board;
use airtime_ota::flash::Timing;
use airtime_ota::hosted::Installed;
use airtime_ota::slots::Slots;
use sdio::sdio::{
    CARD_CAP_SMB, CCCR_CARD_CAP, CCCR_HIGH_SPEED, CCCR_INT_ENABLE, CCCR_IO_ENABLE, CCCR_IO_READY, HIGH_SPEED_SHS,
};
use sdio::{
    BlockReadCommand, BlockWriteCommand, BusWidth, ByteReadCommand, ByteWriteCommand, ControlCommand, MmcBus, MmcError,
    Response,
};

use crate::air::Air;
use crate::memory::Memory;
use crate::world::Processor;

/// Behaviour of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Works,
    /// Nobody answers.
    Absent,
    /// It is enabled, and says for ever that it is not ready.
    NeverReady,
    /// It never interrupts.
    NeverInterrupts,
}

/// The card, and whoever looks on.
#[derive(Clone)]
pub struct Card(pub Rc<RefCell<Inner>>);

pub struct Inner {
    fate: Fate,
    coprocessor: Coprocessor,
    pool: Pool,
    reply: Packet,
    /// Registers of function 0 up to the end of the block of function 1.
    common: [u8; 0x200],
    line: bool,
    waiter: Option<Waker>,
    /// Frames that are put in front of each answer.
    stuffing: u16,
    /// Air in front of its aerial; none where no test looks at it.
    pub air: Option<Air>,
    pub resets: u32,
    /// Octets of the longest burst.
    pub longest: u32,
}

impl Card {
    pub fn new(fate: Fate, slots: Slots<Memory>, stuffing: u16) -> Self {
        let pool = Pool::new();
        let installed = Box::new(Installed::new(Rc::new(RefCell::new(slots)), Timing::TYPICAL));
        let config = CoprocessorConfig { tx_buffers: 20 + stuffing, ..CoprocessorConfig::default() };
        let config = config.with_raw_frames(id::PROMISCUOUS_PACKET);
        let coprocessor = Coprocessor::with_flash(Instant::ZERO, config, pool.clone(), installed);
        let mut common = [0; 0x200];
        common[CCCR_CARD_CAP as usize] = CARD_CAP_SMB;
        common[CCCR_HIGH_SPEED as usize] = HIGH_SPEED_SHS;
        Self(Rc::new(RefCell::new(Inner {
            fate,
            coprocessor,
            reply: pool.packet(),
            pool,
            common,
            line: false,
            waiter: None,
            stuffing,
            air: None,
            resets: 0,
            longest: 0,
        })))
    }

    pub fn reset(&self, now: Instant) {
        let mut card = self.0.borrow_mut();
        card.resets += 1;
        card.common[CCCR_IO_ENABLE as usize] = 0;
        card.coprocessor.reset(now);
        card.settle(now);
    }

    pub fn deadline(&self) -> Option<Instant> {
        let card = self.0.borrow();
        let air = card.air.as_ref().and_then(Air::deadline);
        [card.coprocessor.deadline(), air].into_iter().flatten().min()
    }

    pub fn wake(&self, now: Instant) {
        let mut card = self.0.borrow_mut();
        card.coprocessor.wake(now);
        card.settle(now);
    }
}

impl Inner {
    /// The co-processor's task takes no time; what it says is its interrupt.
    fn settle(&mut self, now: Instant) {
        loop {
            let worked = self.coprocessor.work().is_some();
            if worked {
                self.coprocessor.worked(now);
            }
            let Some(output) = self.coprocessor.poll(now) else {
                let aired = self.air.as_mut().is_some_and(|air| air.settle(now, &mut self.coprocessor));
                if worked || aired {
                    continue;
                }
                break;
            };
            match output {
                CoprocessorOutput::Interrupt(asserted) => self.line = asserted,
                CoprocessorOutput::Offer(frame) => {
                    let refused = self.air.as_mut().and_then(|air| air.offer(now, frame));
                    self.coprocessor.offered(now, refused);
                }
                CoprocessorOutput::Radio(radio) => {
                    if let Some(air) = &mut self.air {
                        air.radio(now, &radio, &mut self.coprocessor);
                    }
                }
                _ => {}
            }
        }
        if self.interrupts() {
            self.waiter.take().into_iter().for_each(Waker::wake);
        }
    }

    /// The line reaches the host once function 1 may interrupt, and all of them.
    fn interrupts(&self) -> bool {
        self.line && self.fate != Fate::NeverInterrupts && self.common[CCCR_INT_ENABLE as usize] & 3 == 3
    }

    fn transact(&mut self, now: Instant, transaction: &Transaction) -> Result<(), MmcError> {
        let done = match self.coprocessor.bus(now, transaction, &mut self.reply) {
            Completion::Failed(_) => Err(MmcError::Timeout),
            _ => Ok(()),
        };
        self.settle(now);
        done
    }

    /// A command without data: its response.
    fn control(&mut self, now: Instant, index: u8, argument: u32) -> Result<u32, MmcError> {
        match index {
            // CMD0 has no response.
            0 => Ok(0),
            5 => {
                self.transact(now, &Transaction::Initialise)?;
                // Ready, one function, 3.2 to 3.4 V.
                Ok(1 << 31 | 1 << 28 | 3 << 20)
            }
            3 => Ok(0x1234 << 16),
            7 => Ok(0),
            52 => {
                let (write, function, address) =
                    (argument >> 31 == 1, argument >> 28 & 7, (argument >> 9 & 0x1_FFFF) as usize);
                assert!(function == 0 && address < self.common.len(), "CMD52 of function {function} at {address:#x}");
                if write {
                    self.common[address] = argument as u8;
                }
                if self.fate != Fate::NeverReady {
                    self.common[CCCR_IO_READY as usize] = self.common[CCCR_IO_ENABLE as usize];
                }
                Ok(self.common[address].into())
            }
            other => panic!("CMD{other}"),
        }
    }

    /// Function 1 has to be ready, with blocks of 512 octets.
    fn address(&self, argument: u32) -> u32 {
        assert_eq!(argument >> 28 & 7, 1, "function 1");
        assert!(self.common[CCCR_IO_ENABLE as usize] & 2 != 0, "it was enabled");
        assert_eq!(u16::from_le_bytes([self.common[0x110], self.common[0x111]]), BLOCK as u16);
        argument >> 9 & 0x1_FFFF
    }
}

/// A slot of a host controller.
pub struct Slot {
    pub card: Card,
    pub processor: Processor,
}

const TIMING: BusTiming = BusTiming::PUBLISHED;

impl Slot {
    /// Takes its time, and then happens on the card, if there is one.
    async fn then<T>(
        &self,
        takes: Duration,
        happens: impl FnOnce(&mut Inner, Instant) -> Result<T, MmcError>,
    ) -> Result<T, MmcError> {
        self.processor.after(takes).await;
        let mut card = self.card.0.borrow_mut();
        if card.fate == Fate::Absent {
            return Err(MmcError::Timeout);
        }
        happens(&mut card, self.processor.now())
    }
}

impl MmcBus for Slot {
    async fn send_command<'a, C: ControlCommand + 'a>(&mut self, command: C) -> Result<C::Resp<'a>, MmcError> {
        let word = self.then(TIMING.registers(0), |card, now| card.control(now, C::INDEX, command.arg())).await?;
        Ok(C::Resp::from_words(&[word, 0, 0, 0]))
    }

    async fn read_blocks<'a, C: BlockReadCommand + 'a>(
        &mut self,
        mut command: C,
        _: bool,
    ) -> Result<C::Resp<'a>, MmcError> {
        let count = command.block_count();
        assert!((1..512).contains(&count), "nine bits of blocks: {count}");
        self.then(TIMING.data(count * BLOCK), |card, now| {
            // The address says how much is left; what is read is whole blocks of it.
            let left = register::WINDOW_END - card.address(command.arg());
            card.longest = card.longest.max(left);
            let octets = left.min(count * BLOCK);
            card.transact(now, &Transaction::ReadData { octets })?;
            command.buf()[..octets as usize].copy_from_slice(&card.reply);
            Ok(C::Resp::from_words(&[0; 4]))
        })
        .await
    }

    async fn write_blocks<'a, C: BlockWriteCommand + 'a>(
        &mut self,
        command: C,
        _: bool,
    ) -> Result<C::Resp<'a>, MmcError> {
        self.then(TIMING.data(command.block_count() * BLOCK), |card, now| {
            let octets = register::WINDOW_END - card.address(command.arg());
            assert_eq!(octets.div_ceil(BLOCK), command.block_count());
            for _ in 0..card.stuffing {
                let mut frame = card.pool.packet();
                frame.resize(1_500);
                let _ = card.coprocessor.send(now, Interface::Test, frame);
            }
            let frame = card.pool.copy(&command.buf()[..octets as usize]);
            card.transact(now, &Transaction::WriteData(frame))?;
            Ok(C::Resp::from_words(&[0; 4]))
        })
        .await
    }

    async fn read_bytes<'a, C: ByteReadCommand + 'a>(&mut self, mut command: C) -> Result<C::Resp<'a>, MmcError> {
        let octets = command.byte_count() as u16;
        self.then(TIMING.registers(octets.into()), |card, now| {
            let address = card.address(command.arg());
            card.transact(now, &Transaction::ReadRegisters { address, octets })?;
            command.buf().copy_from_slice(&card.reply);
            Ok(C::Resp::from_words(&[0; 4]))
        })
        .await
    }

    async fn write_bytes<'a, C: ByteWriteCommand + 'a>(&mut self, command: C) -> Result<C::Resp<'a>, MmcError> {
        self.then(TIMING.registers(4), |card, now| {
            let address = card.address(command.arg());
            let octets: &[u8] = command.buf();
            let value = u32::from_le_bytes(octets.try_into().expect("a word"));
            card.transact(now, &Transaction::WriteRegister { address, value })?;
            Ok(C::Resp::from_words(&[0; 4]))
        })
        .await
    }

    async fn init_idle(&mut self, hz: u32) -> Result<(), MmcError> {
        assert_eq!(hz, 400_000);
        Ok(())
    }

    async fn wait_for_event(&mut self) -> Result<(), MmcError> {
        poll_fn(|context| {
            let mut card = self.card.0.borrow_mut();
            if card.interrupts() {
                return Poll::Ready(Ok(()));
            }
            card.waiter = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    fn set_bus(&mut self, width: BusWidth, hz: u32) -> Result<(), MmcError> {
        assert!(matches!(width, BusWidth::W4) && hz <= 40_000_000);
        Ok(())
    }

    fn supports_bus_width(&self) -> BusWidth {
        BusWidth::W4
    }

    fn supports_frequency(&self) -> u32 {
        40_000_000
    }
}
