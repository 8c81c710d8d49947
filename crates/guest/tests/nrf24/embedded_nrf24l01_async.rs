//! embedded-nrf24l01-async 0.3.1: `embedded-hal-async` 1.0.

use airtime_core::Duration;
use airtime_nrf24::wires::{Ce, Spi, Task};
use embedded_hal_async::digital::Wait;
use embedded_nrf24l01_async::{Configuration, CrcMode, DataRate, NRF24L01, StandbyMode};

use super::scene::{ADDRESS, CHANNEL, HEAD_START_MS, Inbox, OCTETS, Style, payload};

type Device = NRF24L01<core::convert::Infallible, Ce, Spi>;

async fn radio(ce: Ce, spi: Spi, style: Style) -> StandbyMode<Device> {
    let mut radio = NRF24L01::new(ce, spi).await.unwrap();
    radio.set_frequency(CHANNEL).await.unwrap();
    radio.set_rf(&DataRate::R2Mbps, 1).await.unwrap();
    radio.set_crc(CrcMode::TwoBytes).await.unwrap();
    let acknowledges = style != Style::NoAck;
    radio.set_auto_ack(&[acknowledges; 6]).await.unwrap();
    radio.set_auto_retransmit(0, if acknowledges { 15 } else { 0 }).await.unwrap();
    let length = (!acknowledges).then_some(OCTETS as u8);
    radio.set_pipes_rx_lengths(&[length; 6]).await.unwrap();
    radio.set_pipes_rx_enable(&[true, false, false, false, false, false]).await.unwrap();
    radio.set_rx_addr(0, &ADDRESS).await.unwrap();
    radio.set_tx_addr(&ADDRESS).await.unwrap();
    radio
}

/// Sends `count` payloads.
pub async fn sender(task: Task, style: Style, count: u32) {
    let wires = task.wires();
    let mut irq = wires.irq;
    let radio = radio(wires.ce, wires.spi, style).await;
    let mut tx = radio.tx().await.map_err(|(_, error)| error).unwrap();
    task.sleep(Duration::from_millis(u64::from(HEAD_START_MS))).await;
    for index in 0..count {
        if style == Style::Send {
            tx.send(&payload(index)).await.unwrap();
            tx.wait_empty().await.unwrap();
            continue;
        }
        while !tx.can_send().await.unwrap() {
            let Ok(()) = irq.wait_for_low().await;
            tx.clear_interrupts().await.unwrap();
        }
        tx.send(&payload(index)).await.unwrap();
    }
}

/// Sends three payloads and waits for them.
pub async fn three(task: Task) {
    let wires = task.wires();
    let radio = radio(wires.ce, wires.spi, Style::Stream).await;
    let mut tx = radio.tx().await.map_err(|(_, error)| error).unwrap();
    for index in 0..3 {
        tx.send(&payload(index)).await.unwrap();
    }
    tx.wait_empty().await.unwrap();
}

/// Receives for ever.
pub async fn receiver(task: Task, style: Style, inbox: Inbox) {
    let wires = task.wires();
    let mut irq = wires.irq;
    let radio = radio(wires.ce, wires.spi, style).await;
    let mut rx = radio.rx().await.map_err(|(_, error)| error).unwrap();
    loop {
        let Ok(()) = irq.wait_for_low().await;
        while rx.can_read().await.unwrap().is_some() {
            let octets = rx.read().await.unwrap();
            inbox.borrow_mut().push(octets.as_ref().try_into().unwrap());
        }
    }
}
