//! embedded-nrf24l01 0.2.0: `embedded-hal` 0.2, blocking.

use airtime_guest::nrf24::{Machine, v02};
use embedded_hal::delay::DelayNs;
use embedded_nrf24l01::{Configuration, CrcMode, DataRate, NRF24L01, StandbyMode, TxMode};

use super::scene::{ADDRESS, CHANNEL, HEAD_START_MS, Inbox, OCTETS, Style, payload};

type Device<'m> = NRF24L01<core::convert::Infallible, v02::Ce<'m>, v02::Csn<'m>, v02::Spi<'m>>;

fn radio<'m>(wires: v02::Wires<'m>, style: Style) -> StandbyMode<Device<'m>> {
    let mut radio = NRF24L01::new(wires.ce, wires.csn, wires.spi).unwrap();
    radio.set_frequency(CHANNEL).unwrap();
    radio.set_rf(&DataRate::R2Mbps, 1).unwrap();
    radio.set_crc(CrcMode::TwoBytes).unwrap();
    let acknowledges = style != Style::NoAck;
    radio.set_auto_ack(&[acknowledges; 6]).unwrap();
    radio.set_auto_retransmit(0, if acknowledges { 15 } else { 0 }).unwrap();
    let length = (!acknowledges).then_some(OCTETS as u8);
    radio.set_pipes_rx_lengths(&[length; 6]).unwrap();
    radio.set_pipes_rx_enable(&[true, false, false, false, false, false]).unwrap();
    radio.set_rx_addr(0, &ADDRESS).unwrap();
    radio.set_tx_addr(&ADDRESS).unwrap();
    radio
}

/// Sends `count` payloads.
pub fn sender(machine: &Machine<'_>, style: Style, count: u32) {
    let wires = machine.wires(0);
    let mut tx = radio(wires.v02(), style).tx().map_err(|(_, error)| error).unwrap();
    let (irq, mut delay) = (wires.irq, wires.delay);
    delay.delay_ms(HEAD_START_MS);
    for index in 0..count {
        if style == Style::Send {
            tx.send(&payload(index)).unwrap();
            tx.wait_empty().unwrap();
            continue;
        }
        while !tx.can_send().unwrap() {
            irq.wait_low(None);
            tx.clear_interrupts().unwrap();
        }
        tx.send(&payload(index)).unwrap();
    }
}

/// Does something with a transmitter.
pub fn in_tx(machine: &Machine<'_>, act: impl FnOnce(&mut TxMode<Device<'_>>)) {
    let wires = machine.wires(0);
    act(&mut radio(wires.v02(), Style::Stream).tx().map_err(|(_, error)| error).unwrap());
}

/// Receives for ever.
pub fn receiver(machine: &Machine<'_>, style: Style, inbox: &Inbox) {
    let wires = machine.wires(0);
    let mut rx = radio(wires.v02(), style).rx().map_err(|(_, error)| error).unwrap();
    let irq = wires.irq;
    loop {
        irq.wait_low(None);
        while rx.can_read().unwrap().is_some() {
            let octets = rx.read().unwrap();
            inbox.borrow_mut().push(octets.as_ref().try_into().unwrap());
        }
    }
}
