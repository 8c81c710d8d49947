//! The loop of the gateway.

use core::future::Future;

use airtime_core::Duration;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::config::GatewayConfig;
use super::message::{Assembly, Header, MESSAGE_MAX};
use super::write::Message;
use crate::air::PAYLOAD_MAX;
use crate::driver::Error;
use crate::rf24::{Bench, Rf24};
use crate::trace::{DropPoint, Note};

/// Time that the loop sends from its queue before it throws the rest away, where that is not short.
const SENDS_FOR: Duration = Duration::from_millis(750);

/// Packets that are thrown away then, or more.
const QUEUE_LONG: usize = 10;

/// TUN device of the gateway, with the two queues between it and the radio.
pub trait Tun {
    /// Moves every packet that the device has to the queue for the radio.
    fn read_all(&self) -> impl Future<Output = ()>;

    /// Packets in the queue for the radio.
    fn waiting(&self) -> usize;

    /// Takes the first packet of the queue for the radio, written to `packet`: its octets.
    fn next(&self, packet: &mut [u8]) -> Option<usize>;

    /// Throws away all of the queue for the radio; packets, and octets.
    fn throw(&self) -> (u32, u32);

    /// Puts a packet that came whole into the queue for the device.
    fn came(&self, packet: &[u8]);

    /// Writes the first packet of the queue for the device to it, if there is one.
    fn write_one(&self) -> impl Future<Output = ()>;

    /// State of the flag that the interrupt handler sets.
    fn interrupted(&self) -> bool;

    /// Clears that flag.
    fn clear_interrupt(&self);
}

/// Carries packets between `tun` and the radio until the bench stops.
///
/// # Errors
/// When the bus or the pin fails.
pub async fn gateway<B, T, SPI, CE, DELAY>(
    bench: &B,
    tun: &T,
    radio: &mut Rf24<SPI, CE, DELAY>,
    config: &GatewayConfig,
) -> Result<(), Error>
where
    B: Bench,
    T: Tun,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    radio.begin().await?;
    radio.set_auto_ack(0, false).await?;
    radio.start_listening().await?;
    if config.interrupts {
        radio.report_receptions().await?;
    }
    let (mut assembly, mut number) = (Assembly::new(), 0);
    while !bench.stops() {
        if config.interrupts {
            poll(bench, tun, radio, config.sleep).await?;
        }
        radio_in((bench, tun), radio, config, &mut assembly).await?;
        tun.write_one().await;
        tun.read_all().await;
        radio_out((bench, tun), radio, config, &mut number).await?;
        if !config.interrupts {
            bench.sleep(config.sleep).await;
        }
    }
    Ok(())
}

/// Beginning of `poll()`: a sleep where no interrupt has come since the last one and no frame waits. Nothing wakes it before its end, and
/// what comes meanwhile is forgotten with the flag.
async fn poll<B, T, SPI, CE, DELAY>(
    bench: &B,
    tun: &T,
    radio: &mut Rf24<SPI, CE, DELAY>,
    sleep: Duration,
) -> Result<(), Error>
where
    B: Bench,
    T: Tun,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    if !tun.interrupted() && !radio.available().await? && !tun.interrupted() {
        bench.sleep(sleep).await;
    }
    tun.clear_interrupt();
    Ok(())
}

/// Reads until the RX FIFO is empty twice in a row, as a loop around `update()` does.
async fn radio_in<B, T, SPI, CE, DELAY>(
    (bench, tun): (&B, &T),
    radio: &mut Rf24<SPI, CE, DELAY>,
    config: &GatewayConfig,
    assembly: &mut Assembly,
) -> Result<(), Error>
where
    B: Bench,
    T: Tun,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    let (mut again, mut payload) = (true, [0; PAYLOAD_MAX]);
    while core::mem::take(&mut again) {
        while radio.available().await? {
            again = true;
            let octets = radio.read(&mut payload).await?;
            let Some((header, part)) = Header::parse(&payload[..octets]) else { continue };
            let whole = if header.to == config.address.number() { assembly.frame(header, part) } else { None };
            if let Some(packet) = whole {
                tun.came(packet);
                break;
            }
        }
    }
    let thrown = assembly.thrown();
    if thrown > 0 {
        bench.note(Note::Resync { octets: thrown });
    }
    Ok(())
}

/// Sends all of the queue, deaf meanwhile.
async fn radio_out<B, T, SPI, CE, DELAY>(
    (bench, tun): (&B, &T),
    radio: &mut Rf24<SPI, CE, DELAY>,
    config: &GatewayConfig,
    number: &mut u32,
) -> Result<(), Error>
where
    B: Bench,
    T: Tun,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    let began = bench.now();
    let mut packet = [0; MESSAGE_MAX];
    loop {
        if bench.now() > began + SENDS_FOR && tun.waiting() >= QUEUE_LONG {
            let (packets, octets) = tun.throw();
            let each = octets.checked_div(packets).unwrap_or(0);
            (0..packets).for_each(|_| bench.note(Note::Dropped { at: DropPoint::Queue, octets: each }));
            return Ok(());
        }
        let Some(octets) = tun.next(&mut packet) else { return Ok(()) };
        let (from, to) = (config.address.number(), config.address.other().number());
        let message = Message { from, to, number: *number, packet: &packet[..octets] };
        *number = number.wrapping_add(1);
        if !message.send(bench, radio).await? {
            bench.note(Note::Dropped { at: DropPoint::MaxRt, octets: octets as u32 });
        }
    }
}
