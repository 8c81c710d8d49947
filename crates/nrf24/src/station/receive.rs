//! From the RX FIFO into the ring.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::desk::{Bell, Desk, Woken};
use super::transmit::{Slot, wake_if_due};
use crate::air::PAYLOAD_MAX;
use crate::driver::{Config, Error, Radio, Role};
use crate::trace::{DropPoint, Note};

/// The pipe on which a node listens.
const PIPE: u8 = 0;

/// The task of the radio that receives: reads whatever has come, CE high all the while, and puts it into the ring.
///
/// Returns once the desk stops.
///
/// # Errors
/// When the radio cannot be set up, or its bus or pins fail.
pub async fn receive<D, SPI, CE, IRQ, DELAY>(
    desk: &D,
    radio: &mut Radio<SPI, CE, IRQ, DELAY>,
    config: &Config,
) -> Result<(), Error>
where
    D: Desk,
    SPI: SpiDevice,
    CE: OutputPin,
    IRQ: Wait,
    DELAY: DelayNs,
{
    radio.configure(config, Role::Receiver).await?;
    radio.start()?;
    while !desk.stops() {
        radio.wait_irq().await?;
        radio.on_irq().await?;
        store_all(desk, radio).await?;
    }
    radio.stop()
}

/// The task of the only radio of the end that does not poll: as [`receive`], and keeps payloads ready to ride on its
/// acknowledgements.
///
/// Returns once the desk stops.
///
/// # Errors
/// When the radio cannot be set up, or its bus or pins fail.
pub async fn answer<D, SPI, CE, IRQ, DELAY>(
    desk: &D,
    radio: &mut Radio<SPI, CE, IRQ, DELAY>,
    config: &Config,
) -> Result<(), Error>
where
    D: Desk,
    SPI: SpiDevice,
    CE: OutputPin,
    IRQ: Wait,
    DELAY: DelayNs,
{
    radio.configure(config, Role::Receiver).await?;
    radio.start()?;
    let mut slot = Slot::new();
    while !desk.stops() {
        while slot.next(desk, radio.has_room()).is_some() && radio.write_ack(PIPE, slot.octets()).await? {
            slot.written(desk);
        }
        let (reason, until) = slot.outlook(desk, radio.has_room());
        if let Woken::Irq(line) = desk.wait_or_irq(radio.wait_irq(), Bell::Transmit, until, reason).await {
            line?;
            radio.irq_is_low()?;
            let events = radio.on_irq().await?;
            if events.rx {
                store_all(desk, radio).await?;
            }
        }
        desk.with_tunnel(wake_if_due);
    }
    radio.stop()
}

/// Reads until the RX FIFO is empty.
pub(super) async fn store_all<D, SPI, CE, IRQ, DELAY>(
    desk: &D,
    radio: &mut Radio<SPI, CE, IRQ, DELAY>,
) -> Result<(), Error>
where
    D: Desk,
    SPI: SpiDevice,
    CE: OutputPin,
    IRQ: Wait,
    DELAY: DelayNs,
{
    let mut payload = [0; PAYLOAD_MAX];
    while let Some(received) = radio.read(&mut payload).await? {
        if desk.with_ring(|ring| ring.put(&payload[..received.len])) {
            desk.ring(Bell::Assemble);
        } else {
            desk.note(Note::Dropped { at: DropPoint::Ring, octets: received.len as u32 });
        }
    }
    Ok(())
}
