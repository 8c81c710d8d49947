//! The two programs of the driver's transfer examples.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::bench::Bench;
use super::config::{Sending, Source, Write};
use super::frames::fill;
use super::radio::Rf24;
use super::serial::Serial;
use crate::air::PAYLOAD_MAX;
use crate::driver::Error;
use crate::trace::{DropPoint, Note, Upload};

/// Number of the radio of a host that has one.
const RADIO: usize = 0;

/// Whole milliseconds from one pause to the next: `millis() - pauseTime > 3`.
const PAUSE_MS: u64 = 4;

/// Sends frames as `sending` says, and returns when they are over.
///
/// # Errors
/// When the bus or the pin fails.
pub async fn send<B, SPI, CE, DELAY>(
    bench: &B,
    radio: &mut Rf24<SPI, CE, DELAY>,
    sending: &Sending,
) -> Result<(), Error>
where
    B: Bench,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    radio.begin().await?;
    radio.stop_listening().await?;
    if bench.now() < sending.start {
        bench.wait(sending.start).await;
    }
    let mut payload = [0; PAYLOAD_MAX];
    let payload = &mut payload[..usize::from(sending.payload)];
    let (mut number, mut paused) = (0, millis(bench));
    let mut port = Serial::new(if let Source::Serial(baud) = sending.source { baud } else { 1 }, sending.start);
    while bench.now() < sending.end && !bench.stops() {
        if !is_there(bench, sending, number, &mut port).await {
            continue;
        }
        fill(number, payload);
        let upload = Upload { packet: number, payload: sending.payload, ..Upload::default() };
        number = number.wrapping_add(1);
        hand_over(bench, radio, sending.write, payload, upload).await?;
        if sending.pauses && millis(bench) - paused >= PAUSE_MS {
            paused = millis(bench);
            radio.tx_stand_by().await?;
        }
    }
    Ok(())
}

/// Waits until frame `number` can be there and looks for it; what the serial port has brought is taken.
async fn is_there(bench: &impl Bench, sending: &Sending, number: u32, port: &mut Serial) -> bool {
    match sending.source {
        Source::Memory => true,
        Source::Every(every) => {
            let due = sending.start + every * u64::from(number);
            let early = bench.now() < due;
            if early {
                bench.wait(due).await;
            }
            !early
        }
        Source::Serial(_) => {
            let octets = u64::from(sending.payload);
            let (held, lost) = port.look(bench.now());
            if lost > 0 {
                bench.note(Note::Dropped { at: DropPoint::Queue, octets: lost as u32 });
            }
            if held < octets {
                bench.look_out(port.when(octets)).await;
                return false;
            }
            port.take(octets);
            true
        }
    }
}

/// Writes one frame as the program does; what the chip gives up is thrown away, and is lost.
async fn hand_over<B, SPI, CE, DELAY>(
    bench: &B,
    radio: &mut Rf24<SPI, CE, DELAY>,
    write: Write,
    payload: &[u8],
    upload: Upload,
) -> Result<(), Error>
where
    B: Bench,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    // The driver's own advice to whoever gets false: stand by, which throws away what is in the FIFO.
    while write == Write::Fast && !radio.has_room().await? {
        radio.tx_stand_by().await?;
    }
    radio.start_fast_write(payload).await?;
    bench.note(Note::Upload { radio: RADIO, upload });
    if write == Write::Blocking {
        radio.end_write().await?;
    }
    Ok(())
}

/// Listens and reads whatever comes: `while (radio.available()) radio.read(…)`.
///
/// # Errors
/// When the bus or the pin fails.
pub async fn receive<B, SPI, CE, DELAY>(bench: &B, radio: &mut Rf24<SPI, CE, DELAY>) -> Result<(), Error>
where
    B: Bench,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    radio.begin().await?;
    radio.start_listening().await?;
    let mut payload = [0; PAYLOAD_MAX];
    while !bench.stops() {
        if radio.available().await? {
            let octets = radio.read(&mut payload).await?;
            if octets > 0 {
                bench.note(Note::Delivered { octets: octets as u32 });
                bench.received(&payload[..octets]);
            }
        }
    }
    Ok(())
}

fn millis(bench: &impl Bench) -> u64 {
    bench.now().as_nanos() / 1_000_000
}
