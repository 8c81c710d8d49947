//! nrf24-rs 0.2.0: `embedded-hal` 1.0, blocking.

use airtime_guest::nrf24::Machine;
use embedded_hal::delay::DelayNs;
use nrf24_rs::Nrf24l01;
use nrf24_rs::config::{DataPipe, DataRate, NrfConfig, PALevel};

use super::scene::{ADDRESS, CHANNEL, HEAD_START_MS, Inbox, OCTETS, payload};

/// How a program waits from one `write` to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// For this many µs, as its examples do.
    Us(u32),
    /// For the interrupt.
    Irq,
}

fn config() -> NrfConfig {
    NrfConfig::default().channel(CHANNEL).data_rate(DataRate::R2Mbps).pa_level(PALevel::Low).auto_retry((0, 15))
}

/// Writes `count` payloads; how many of them the driver says have failed is added to `failed`.
pub fn sender(machine: &Machine<'_>, waits: Waits, count: u32, failed: &std::cell::Cell<u32>) {
    let wires = machine.wires(0);
    let (irq, mut delay) = (wires.irq, wires.delay);
    let mut radio = Nrf24l01::new(wires.spi, wires.ce, &mut delay, config()).unwrap();
    radio.open_writing_pipe(&ADDRESS).unwrap();
    radio.stop_listening().unwrap();
    delay.delay_ms(HEAD_START_MS);
    for index in 0..count {
        let written = radio.write(&mut delay, &payload(index));
        failed.set(failed.get() + u32::from(written.is_err()));
        match waits {
            Waits::Us(us) => delay.delay_us(us),
            Waits::Irq => drop(irq.wait_low(None)),
        }
    }
}

/// Receives for ever.
pub fn receiver(machine: &Machine<'_>, inbox: &Inbox) {
    let wires = machine.wires(0);
    let (irq, mut delay) = (wires.irq, wires.delay);
    let mut radio = Nrf24l01::new(wires.spi, wires.ce, &mut delay, config()).unwrap();
    radio.open_reading_pipe(DataPipe::DP1, &ADDRESS).unwrap();
    radio.start_listening().unwrap();
    loop {
        irq.wait_low(None);
        // `read` does not clear RX_DR; whoever waits for the line has to.
        radio.interrupt_src().unwrap();
        while radio.data_available().unwrap() {
            let mut octets = [0; OCTETS];
            radio.read(&mut octets).unwrap();
            inbox.borrow_mut().push(octets);
        }
    }
}
