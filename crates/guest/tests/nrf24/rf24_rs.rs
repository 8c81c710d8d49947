//! rf24-rs 0.3.1: `embedded-hal` 1.0, blocking.

use airtime_guest::nrf24::Machine;
use embedded_hal::delay::DelayNs;
use rf24::radio::prelude::{EsbDataRate, EsbFifo, EsbInit, EsbRadio};
use rf24::radio::{RF24, RadioConfig};
use rf24::{DataRate, PaLevel};

use super::scene::{ADDRESS, CHANNEL, HEAD_START_MS, Inbox, OCTETS, Style, payload};

/// How the data rate is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// In the configuration alone.
    WithConfig,
    /// Once more by `set_data_rate`.
    SetDataRate,
}

fn config() -> RadioConfig {
    RadioConfig::default()
        .with_channel(CHANNEL)
        .with_data_rate(DataRate::Mbps2)
        .with_pa_level(PaLevel::Low)
        .with_auto_retries(0, 15)
        .with_dynamic_payloads(true)
        .with_ask_no_ack(true)
        .with_tx_address(&ADDRESS)
        .with_rx_address(1, &ADDRESS)
}

/// Sends `count` payloads.
pub fn sender(machine: &Machine<'_>, style: Style, asks: Asks, count: u32) {
    let wires = machine.wires(0);
    let (irq, mut delay) = (wires.irq, machine.wires(0).delay);
    let mut radio = RF24::new(wires.ce, wires.spi, wires.delay);
    radio.init().unwrap();
    radio.with_config(&config()).unwrap();
    if asks == Asks::SetDataRate {
        radio.set_data_rate(DataRate::Mbps2).unwrap();
    }
    radio.as_tx(Some(&ADDRESS)).unwrap();
    delay.delay_ms(HEAD_START_MS);
    for index in 0..count {
        match style {
            Style::Send => assert!(radio.send(&payload(index), false).unwrap(), "payload {index} was acknowledged"),
            Style::Stream | Style::NoAck => {
                while !radio.write(&payload(index), style == Style::NoAck, true).unwrap() {
                    irq.wait_low(None);
                }
            }
        }
    }
}

/// Receives for ever.
pub fn receiver(machine: &Machine<'_>, asks: Asks, inbox: &Inbox) {
    let wires = machine.wires(0);
    let irq = wires.irq;
    let mut radio = RF24::new(wires.ce, wires.spi, wires.delay);
    radio.init().unwrap();
    radio.with_config(&config()).unwrap();
    if asks == Asks::SetDataRate {
        radio.set_data_rate(DataRate::Mbps2).unwrap();
    }
    radio.as_rx().unwrap();
    loop {
        irq.wait_low(None);
        while radio.available().unwrap() {
            let mut octets = [0; OCTETS];
            assert_eq!(usize::from(radio.read(&mut octets, None).unwrap()), OCTETS);
            inbox.borrow_mut().push(octets);
        }
    }
}
