//! Our own driver under the same conditions.

use airtime_core::Duration;
use airtime_nrf24::air::{Crc, Rate};
use airtime_nrf24::driver::{Config, Radio, Role};
use airtime_nrf24::wires::{Ce, Delay, Irq, Spi, Task};

use super::scene::{ADDRESS, CHANNEL, HEAD_START_MS, Inbox, Style, payload};

fn config(pll_break: bool) -> Config {
    Config {
        channel: CHANNEL,
        rate: Rate::M2,
        address_width: 5,
        crc: Crc::Two,
        auto_ack: true,
        ard: 0,
        arc: 15,
        power: 1,
        address: ADDRESS,
        pll_break,
    }
}

fn radio(task: &Task) -> Radio<Spi, Ce, Irq, Delay> {
    let wires = task.wires();
    Radio::new(wires.spi, wires.ce, wires.irq, wires.delay)
}

/// Sends `count` payloads.
pub async fn sender(task: Task, style: Style, pll_break: bool, count: u32) {
    let mut radio = radio(&task);
    radio.configure(&config(pll_break), Role::Transmitter).await.unwrap();
    task.sleep(Duration::from_millis(u64::from(HEAD_START_MS))).await;
    radio.start().unwrap();
    let mut next = 0;
    while next < count {
        while next < count && radio.has_room() {
            radio.write(&payload(next), style == Style::NoAck).await.unwrap();
            next += 1;
        }
        radio.wait_irq().await.unwrap();
        radio.on_irq().await.unwrap();
    }
}

/// Receives for ever.
pub async fn receiver(task: Task, inbox: Inbox) {
    let mut radio = radio(&task);
    radio.configure(&config(false), Role::Receiver).await.unwrap();
    radio.start().unwrap();
    let mut octets = [0; 32];
    loop {
        radio.wait_irq().await.unwrap();
        radio.on_irq().await.unwrap();
        while radio.read(&mut octets).await.unwrap().is_some() {
            inbox.borrow_mut().push(octets);
        }
    }
}
