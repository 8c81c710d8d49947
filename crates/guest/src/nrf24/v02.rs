//! The faces of one radio in `embedded-hal` 0.2, where CSN is a pin of its own.

use core::convert::Infallible;
use std::cell::RefCell;
use std::rc::Rc;

use embedded_hal_02::blocking::delay::{DelayMs, DelayUs};
use embedded_hal_02::blocking::spi::Transfer;
use embedded_hal_02::digital::v2::OutputPin;

use super::faces::{OCTETS_MAX, Pin};

/// SPI, CSN, CE and delays of one radio.
#[derive(Debug)]
pub struct Wires<'m> {
    /// The bus. A transfer while CSN is high reaches nobody and reads zeros.
    pub spi: Spi<'m>,
    /// Chip select; low is asserted.
    pub csn: Csn<'m>,
    /// CE.
    pub ce: Ce<'m>,
    /// Delays, longer than asked for by the slack of the host's timers.
    pub delay: Delay<'m>,
}

impl<'m> Wires<'m> {
    pub(super) fn new(pin: Pin<'m>) -> Self {
        let selected = Rc::<RefCell<Selected>>::default();
        Self {
            spi: Spi { pin, selected: Rc::clone(&selected) },
            csn: Csn { pin, selected },
            ce: Ce(pin),
            delay: Delay(pin),
        }
    }
}

/// State of the transfer between CSN falling and rising.
#[derive(Debug, Default)]
enum Selected {
    #[default]
    High,
    /// Low, and nothing transferred yet.
    Low,
    /// Low, and these octets were transferred.
    Transferred([u8; OCTETS_MAX], usize),
}

/// The bus.
#[derive(Debug)]
pub struct Spi<'m> {
    pin: Pin<'m>,
    selected: Rc<RefCell<Selected>>,
}

/// Chip select.
#[derive(Debug)]
pub struct Csn<'m> {
    pin: Pin<'m>,
    selected: Rc<RefCell<Selected>>,
}

/// CE.
#[derive(Debug)]
pub struct Ce<'m>(Pin<'m>);

/// Delays.
#[derive(Debug)]
pub struct Delay<'m>(Pin<'m>);

impl Transfer<u8> for Spi<'_> {
    type Error = Infallible;

    /// # Panics
    /// When it is the second transfer while CSN is low, or has more than 64 octets: the chip is told of a transaction as a whole.
    fn transfer<'w>(&mut self, words: &'w mut [u8]) -> Result<&'w [u8], Infallible> {
        let Pin { machine, radio } = self.pin;
        let mut mosi = [0; OCTETS_MAX];
        let len = words.len();
        mosi[..len].copy_from_slice(words);
        let mut selected = self.selected.borrow_mut();
        match &mut *selected {
            Selected::High => words.fill(0),
            Selected::Low => {
                machine.select(radio, &mosi[..len], words, airtime_core::Duration::ZERO);
                *selected = Selected::Transferred(mosi, len);
            }
            Selected::Transferred(..) => panic!("one transfer while CSN is low"),
        }
        Ok(words)
    }
}

impl OutputPin for Csn<'_> {
    type Error = Infallible;

    fn set_low(&mut self) -> Result<(), Infallible> {
        let mut selected = self.selected.borrow_mut();
        if matches!(*selected, Selected::High) {
            *selected = Selected::Low;
        }
        self.pin.machine.set_csn(self.pin.radio);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        let Pin { machine, radio } = self.pin;
        if let Selected::Transferred(mosi, len) = self.selected.take() {
            machine.deselect(radio, &mosi[..len]);
        }
        machine.set_csn(radio);
        Ok(())
    }
}

impl OutputPin for Ce<'_> {
    type Error = Infallible;

    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.machine.set_ce(self.0.radio, false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.machine.set_ce(self.0.radio, true);
        Ok(())
    }
}

impl DelayUs<u32> for Delay<'_> {
    fn delay_us(&mut self, us: u32) {
        self.0.machine.sleep(self.0.radio, airtime_core::Duration::from_micros(u64::from(us)));
    }
}

impl DelayMs<u32> for Delay<'_> {
    fn delay_ms(&mut self, ms: u32) {
        self.0.machine.sleep(self.0.radio, airtime_core::Duration::from_millis(u64::from(ms)));
    }
}
