//! Examination of one radio: bus, registers, kind of chip, CE, IRQ, and carriers on the air.
//!
//! Section and table numbers are those of the nRF24L01+ Product Specification 1.0.

use std::io;

use airtime_core::Duration;
use airtime_nrf24::wire::Register;
use airtime_nrf24::wire::command::{FLUSH_RX, FLUSH_TX, NOP, R_REGISTER, W_REGISTER, W_TX_PAYLOAD};
use airtime_nrf24::wire::register::{config, rf_setup, status};
use airtime_system::sleep::sleep;
use rustix::event::{PollFd, PollFlags};
use thiserror::Error;

use super::board::Board;

/// Channels that there are. 6.3.
const CHANNELS: u8 = 126;

/// Channel of the packet that is sent: beside those of Wi-Fi.
const CHANNEL: u8 = 120;

/// Address of that packet, which nobody should answer.
const NOBODY: [u8; 5] = [0xE7, 0x5A, 0xC3, 0x96, 0x71];

/// Time from power down to standby with the slowest crystal. Table 16, `Tpd2stby`.
const POWER_UP: Duration = Duration::from_micros(4_500);

/// Time that a packet and its three repetitions after 250 µs each are waited for; they take 2 ms.
const SENT_WITHIN: Duration = Duration::from_millis(50);

/// Time of listening behind which a carrier is known: 130 µs to settle, 40 µs of it. 6.4.
const LISTEN: Duration = Duration::from_micros(170);

/// Values that no wire keeps by itself: each bit is once set and once not.
const PATTERNS: [[u8; 5]; 2] = [[0xA5, 0x5A, 0x0F, 0xF0, 0x33], [0x5A, 0xA5, 0xF0, 0x0F, 0xCC]];

/// Reason that a radio does not work.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Ailment {
    /// The kernel refuses.
    #[error("the kernel refuses: {0}")]
    System(#[from] io::Error),
    /// All that comes back is 0.
    #[error("all bits that come back are 0: the chip has no power, or MISO leads elsewhere")]
    Zeros,
    /// All that comes back is 1.
    #[error("all bits that come back are 1: MISO is not connected, or CSN is not the chip select of this SPI device")]
    Ones,
    /// A register has not kept what was written.
    #[error(
        "a register that was given {wrote} has {read}: MOSI or SCK is loose, the wires are long for the clock (--hz 1000000 is slow), or power breaks down (10 uF at the chip help)"
    )]
    Forgets {
        /// Octets that were written, as hexadecimal digits.
        wrote: String,
        /// Octets that were read back.
        read: String,
    },
    /// The packet left before CE was raised.
    #[error("a packet left while CE was low: CE is tied to power, or is another line")]
    CeHigh,
    /// The packet did not leave.
    #[error("a packet does not leave though CE was raised: CE is another line, or the chip's crystal does not start")]
    CeLow,
    /// IRQ is low for no reason.
    #[error("IRQ is low though the chip has nothing to tell: it is another line, or held low by somebody else")]
    IrqLow,
    /// IRQ has stayed high.
    #[error("the chip has told that the packet is over, and IRQ has stayed high: it is another line")]
    IrqHigh,
    /// IRQ has fallen unheard.
    #[error(
        "IRQ has fallen, and the kernel has told of no edge: the GPIO chip has no interrupts for that line, so take another"
    )]
    NoEdge,
}

/// Findings about a radio that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// True where 250 kbps can be set, as no chip without the plus lets one.
    pub plus: bool,
    /// Channels on which a carrier of -64 dBm or more was heard. 6.4.
    pub carriers: Vec<u8>,
}

/// Examines the radio on `board`, which is powered down behind that, and says each step that it passes to `tell`. Sends one packet of an
/// octet on 2520 MHz, four times.
///
/// # Errors
/// The first thing that does not work.
pub fn examine(board: &impl Board, mut tell: impl FnMut(&str)) -> Result<Health, Ailment> {
    let patient = Patient(board);
    board.set_ce(false)?;
    let answer = patient.answers()?;
    tell(&format!("the chip answers on its bus, STATUS 0x{answer:02X}"));
    patient.keeps()?;
    tell("registers keep what is written");
    let plus = patient.is_plus()?;
    tell(if plus {
        "an nRF24L01+, which can be set to 250 kbps"
    } else {
        "no nRF24L01+ but one without the plus, or a copy: 250 kbps cannot be set"
    });
    let ended = patient.sends();
    // Whatever has come of it, it does not go on.
    board.set_ce(false)?;
    patient.write(Register::Config, &[0])?;
    ended?;
    tell("CE sends a packet, IRQ tells of its end, and the kernel of the edge");
    let carriers = patient.carriers()?;
    patient.write(Register::Config, &[0])?;
    Ok(Health { plus, carriers })
}

/// A radio that is examined.
struct Patient<'a, B>(&'a B);

impl<B: Board> Patient<'_, B> {
    /// Octets of a register.
    fn read<const N: usize>(&self, register: Register) -> io::Result<[u8; N]> {
        let mut octets = [0; 6];
        octets[0] = R_REGISTER | register.address();
        self.0.transfer(&mut octets[..=N])?;
        let mut read = [0; N];
        read.copy_from_slice(&octets[1..=N]);
        Ok(read)
    }

    fn write(&self, register: Register, value: &[u8]) -> io::Result<()> {
        let mut octets = [0; 6];
        octets[0] = W_REGISTER | register.address();
        octets[1..=value.len()].copy_from_slice(value);
        self.0.transfer(&mut octets[..=value.len()])
    }

    fn command(&self, command: u8) -> io::Result<u8> {
        let mut octet = [command];
        self.0.transfer(&mut octet)?;
        Ok(octet[0])
    }

    /// STATUS, if anything comes back at all. Its bit 7 is always 0, and one of the others is not: table 28.
    fn answers(&self) -> Result<u8, Ailment> {
        let answers = [self.command(NOP)?, self.read::<1>(Register::SetupAw)?[0], self.command(NOP)?];
        match answers {
            [0, 0, 0] => Err(Ailment::Zeros),
            [0xFF, 0xFF, 0xFF] => Err(Ailment::Ones),
            [status, ..] => Ok(status),
        }
    }

    fn keeps(&self) -> Result<(), Ailment> {
        self.write(Register::SetupAw, &[0b11])?;
        for pattern in PATTERNS {
            self.write(Register::TxAddr, &pattern)?;
            let read = self.read::<5>(Register::TxAddr)?;
            if read != pattern {
                return Err(Ailment::Forgets { wrote: hexadecimal(&pattern), read: hexadecimal(&read) });
            }
        }
        Ok(())
    }

    /// Tells if the chip takes the bit for 250 kbps, which is reserved without the plus.
    fn is_plus(&self) -> Result<bool, Ailment> {
        self.write(Register::RfSetup, &[rf_setup::RF_DR_LOW | rf_setup::RF_PWR])?;
        Ok(self.read::<1>(Register::RfSetup)?[0] & rf_setup::RF_DR_LOW != 0)
    }

    /// Sends a packet that nobody acknowledges; the end of its repetitions is what IRQ tells.
    fn sends(&self) -> Result<(), Ailment> {
        for (register, value) in [
            (Register::Config, config::EN_CRC | config::CRCO | config::PWR_UP),
            (Register::EnAa, 1),
            (Register::EnRxAddr, 1),
            // Three repetitions, 250 µs apart.
            (Register::SetupRetr, 3),
            (Register::RfCh, CHANNEL),
            (Register::RfSetup, rf_setup::RF_PWR),
            (Register::Status, status::INTERRUPTS),
        ] {
            self.write(register, &[value])?;
        }
        self.write(Register::TxAddr, &NOBODY)?;
        self.write(Register::RxAddrP0, &NOBODY)?;
        self.command(FLUSH_TX)?;
        self.command(FLUSH_RX)?;
        sleep(&mut [], POWER_UP)?;
        if self.0.irq_is_low()? {
            return Err(Ailment::IrqLow);
        }
        self.0.forget_edges()?;
        self.0.transfer(&mut [W_TX_PAYLOAD, 0])?;
        sleep(&mut [], POWER_UP)?;
        if self.is_over()? {
            return Err(Ailment::CeHigh);
        }
        self.0.set_ce(true)?;
        let mut edges = [PollFd::from_borrowed_fd(self.0.edges(), PollFlags::IN)];
        sleep(&mut edges, SENT_WITHIN)?;
        let is_heard = edges[0].revents().contains(PollFlags::IN);
        self.0.set_ce(false)?;
        match (self.is_over()?, self.0.irq_is_low()?) {
            (false, _) => Err(Ailment::CeLow),
            (true, false) => Err(Ailment::IrqHigh),
            (true, true) if !is_heard => Err(Ailment::NoEdge),
            (true, true) => self.is_quiet_again(),
        }
    }

    /// Tells if the packet was acknowledged, or given up.
    fn is_over(&self) -> io::Result<bool> {
        Ok(self.command(NOP)? & (status::TX_DS | status::MAX_RT) != 0)
    }

    fn is_quiet_again(&self) -> Result<(), Ailment> {
        self.write(Register::Status, &[status::INTERRUPTS])?;
        self.command(FLUSH_TX)?;
        if self.0.irq_is_low()? { Err(Ailment::IrqLow) } else { Ok(()) }
    }

    /// Channels on which somebody is heard, listening to each once.
    fn carriers(&self) -> Result<Vec<u8>, Ailment> {
        self.write(Register::Config, &[config::EN_CRC | config::CRCO | config::PWR_UP | config::PRIM_RX])?;
        sleep(&mut [], POWER_UP)?;
        let mut heard = Vec::new();
        for channel in 0..CHANNELS {
            self.write(Register::RfCh, &[channel])?;
            self.0.set_ce(true)?;
            sleep(&mut [], LISTEN)?;
            self.0.set_ce(false)?;
            if self.read::<1>(Register::Rpd)?[0] & 1 != 0 {
                heard.push(channel);
            }
        }
        Ok(heard)
    }
}

fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect::<Vec<_>>().join(" ")
}
