//! What comes over the bus is wrong.

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::air::Rate;
use airtime_nrf24::driver::{Config, Error, Radio, Role};
use airtime_nrf24::wire::{Register, command};
use airtime_nrf24::wires::Spi;
use embedded_hal::spi::{self, Operation};
use embedded_hal_async::spi::SpiDevice;

use super::pair::{self, FREE, Inbox, config, payload};
use super::stream;

/// A bus with somebody in the middle, who sees what was sent and changes what came back.
struct Tapped<F>(Spi, F);

impl<F> spi::ErrorType for Tapped<F> {
    type Error = Infallible;
}

impl<F: FnMut(&[u8], &mut [u8])> SpiDevice for Tapped<F> {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let [Operation::TransferInPlace(octets)] = operations else { panic!("the driver transfers in place") };
        let sent = octets.to_vec();
        self.0.transfer_in_place(octets).await?;
        (self.1)(&sent, octets);
        Ok(())
    }
}

/// What `configure` says when the bus does this.
fn configured(config: Config, tap: impl FnMut(&[u8], &mut [u8]) + 'static) -> Option<Result<(), Error>> {
    let said = Rc::new(Cell::new(None));
    let says = said.clone();
    let tapped = move |radio: pair::Driver, _| async move {
        let (spi, ce, irq, delay) = radio.release();
        let mut radio = Radio::new(Tapped(spi, tap), ce, irq, delay);
        says.set(Some(radio.configure(&config, Role::Receiver).await));
    };
    pair::run([FREE; 2], Loss::None, Duration::from_secs(1), tapped, |_, _| async {});
    said.get()
}

#[test]
fn where_no_chip_answers_the_driver_says_so() {
    for level in [0x00, 0xFF] {
        let silent = configured(config(Rate::M2, 5), move |_, came| came.fill(level));
        assert_eq!(silent, Some(Err(Error::NoChip)));
    }
}

#[test]
fn a_chip_that_is_still_in_its_reset_is_waited_for() {
    let mut left = 20;
    let late = configured(config(Rate::M2, 5), move |_, came| {
        if left > 0 {
            left -= 1;
            came.fill(0);
        }
    });
    assert_eq!(late, Some(Ok(())));
}

#[test]
fn a_chip_without_250_kbps_is_found_out() {
    let address = Register::RfSetup.address();
    let old = configured(config(Rate::K250, 5), move |sent, came| {
        if sent[0] == command::R_REGISTER | address {
            came[1] &= !0x20;
        }
    });
    assert_eq!(old, Some(Err(Error::Register { register: Register::RfSetup, wrote: 0x26, read: 0x06 })));
}

#[test]
fn an_address_that_does_not_come_back_is_found_out() {
    let address = Register::TxAddr.address();
    let bad = configured(config(Rate::M2, 4), move |sent, came| {
        if sent[0] == command::R_REGISTER | address {
            assert_eq!(sent.len(), 5, "four octets of address");
            came[4] ^= 1;
        }
    });
    assert_eq!(bad, Some(Err(Error::Register { register: Register::TxAddr, wrote: 0x78, read: 0x79 })));
}

#[test]
fn an_impossible_width_is_flushed_and_the_link_goes_on() {
    let (flushed, corrupt) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let (flushes, corrupts) = (flushed.clone(), corrupt.clone());
    let inbox = Inbox::default();
    let came = inbox.clone();
    let config = config(Rate::M2, 5);
    let receive = move |radio: pair::Driver, _| async move {
        let (spi, ce, irq, delay) = radio.release();
        let mut widths = 0;
        let tap = move |sent: &[u8], came: &mut [u8]| {
            if sent[0] == command::R_RX_PL_WID && came[0] & 0x0E != 0x0E {
                widths += 1;
                came[1] = match widths {
                    5 => 33,
                    9 => 0,
                    13 => 255,
                    _ => came[1],
                };
            }
            flushes.set(flushes.get() + u32::from(sent[0] == command::FLUSH_RX));
        };
        let mut radio = Radio::new(Tapped(spi, tap), ce, irq, delay);
        radio.configure(&config, Role::Receiver).await.unwrap();
        radio.start().unwrap();
        let mut octets = [0; 32];
        loop {
            radio.wait_irq().await.unwrap();
            radio.on_irq().await.unwrap();
            while let Some(received) = radio.read(&mut octets).await.unwrap() {
                came.borrow_mut().push(octets[..received.len].to_vec());
            }
            corrupts.set(radio.corrupt_widths());
        }
    };
    let send = move |radio, task| stream::send(radio, task, config, 100, false);
    pair::run([FREE; 2], Loss::None, Duration::from_secs(1), send, receive);
    assert_eq!((flushed.get(), corrupt.get()), (1 + 3, 3), "one flush is of the configuration");
    let inbox = inbox.borrow();
    assert_eq!(inbox.len(), 97, "each flush took the one payload that was there");
    let mut sent = (0..100).map(payload);
    assert!(inbox.iter().all(|octets| sent.any(|payload| octets[..] == payload)), "the others intact and in order");
}
