//! The four threads of the published program, as tasks of whoever runs them.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::assembly::{Assembly, START_OCTETS, start_packet};
use super::desk::{Channel, Desk};
use super::device::Device;
use super::{Config, Error, Framing, ip};
use crate::air::PAYLOAD_MAX;
use crate::trace::{DropPoint, Note, Purpose, Upload};

/// Number of the radio that transmits.
const RADIO: usize = 0;

/// Number of times that the published transmitter sends again after all retransmissions of the chip, before it flushes
/// the FIFO.
const SENDS_AGAIN: u32 = 2;

/// From the TUN device into the channel, as fast as they come. Returns when the device is gone.
pub async fn read_tun<D: Desk>(desk: &D) {
    while let Some(packet) = desk.read_packet().await {
        put(desk, Channel::Transmit, packet);
    }
}

/// Puts a packet into `channel`, or notes that it has no room.
fn put<D: Desk>(desk: &D, channel: Channel, packet: D::Packet) {
    if let Err(packet) = desk.put(channel, packet) {
        desk.note(Note::Dropped { at: DropPoint::Queue, octets: packet.len() as u32 });
    }
}

/// From the channel to the radio.
///
/// # Errors
/// When the bus or a pin fails, and where the published program panics.
pub async fn transmit<D, SPI, CE, DELAY>(
    desk: &D,
    device: &mut Device<SPI, CE, DELAY>,
    config: &Config,
) -> Result<(), Error>
where
    D: Desk,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    device.configure(config, false).await?;
    let mut number = 0;
    loop {
        let packet = desk.next(Channel::Transmit).await;
        let sending = Sending { desk, config, packet: &packet, number };
        sending.send(device).await?;
        number = number.wrapping_add(1);
    }
}

/// One IP packet on its way out.
struct Sending<'a, D> {
    desk: &'a D,
    config: &'a Config,
    packet: &'a [u8],
    number: u32,
}

impl<D: Desk> Sending<'_, D> {
    async fn send<SPI: SpiDevice, CE: OutputPin, DELAY: DelayNs>(
        &self,
        device: &mut Device<SPI, CE, DELAY>,
    ) -> Result<(), Error> {
        let mut reached = true;
        if self.config.framing == Framing::StartPacket {
            device.push(&start_packet(self.packet.len())).await?;
            let tunnel = START_OCTETS as u8;
            self.uploaded(Upload { packet: self.number, tunnel, purpose: Purpose::Control, ..Upload::default() });
            reached &= flush_out(device).await?;
        }
        let header = usize::from(self.config.framing == Framing::Sequence);
        let step = PAYLOAD_MAX - header;
        let batch = usize::from(self.config.batch.max(1));
        let chunks = self.packet.len().div_ceil(step);
        for first in (0..chunks).step_by(batch) {
            for index in first..(first + batch).min(chunks) {
                self.push(device, index, step, header).await?;
            }
            reached &= flush_out(device).await?;
            if !self.config.delay.is_zero() {
                self.desk.sleep(self.config.delay).await;
            }
        }
        if !reached {
            self.desk.note(Note::Dropped { at: DropPoint::MaxRt, octets: self.packet.len() as u32 });
        }
        Ok(())
    }

    /// Pushes chunk `index` of `step` octets of the packet.
    async fn push<SPI: SpiDevice, CE: OutputPin, DELAY: DelayNs>(
        &self,
        device: &mut Device<SPI, CE, DELAY>,
        index: usize,
        step: usize,
        header: usize,
    ) -> Result<(), Error> {
        let from = index * step;
        let chunk = &self.packet[from..(from + step).min(self.packet.len())];
        let mut payload = [index as u8; PAYLOAD_MAX];
        payload[header..header + chunk.len()].copy_from_slice(chunk);
        device.push(&payload[..header + chunk.len()]).await?;
        let headers = ip::headers(self.packet).saturating_sub(from).min(chunk.len());
        self.uploaded(Upload {
            packet: self.number,
            payload: (chunk.len() - headers) as u8,
            headers: headers as u8,
            tunnel: header as u8,
            purpose: Purpose::New,
        });
        Ok(())
    }

    /// Notes the composition of the payload that was just pushed.
    fn uploaded(&self, upload: Upload) {
        self.desk.note(Note::Upload { radio: RADIO, upload });
    }
}

/// Sends the FIFO, again when the chip gives up, and throws it away at last; the rest of the IP packet follows all the same.
async fn flush_out<SPI: SpiDevice, CE: OutputPin, DELAY: DelayNs>(
    device: &mut Device<SPI, CE, DELAY>,
) -> Result<bool, Error> {
    for _ in 0..=SENDS_AGAIN {
        if device.send().await? {
            return Ok(true);
        }
    }
    device.flush_output().await?;
    Ok(false)
}

/// From the radio to the channel of the writer: asks the chip again and again if there is something, and so never waits where
/// the bus does not. Returns once the desk stops.
///
/// # Errors
/// When the bus or a pin fails, and where the published program panics.
pub async fn receive<D, SPI, CE, DELAY>(
    desk: &D,
    device: &mut Device<SPI, CE, DELAY>,
    config: &Config,
) -> Result<(), Error>
where
    D: Desk,
    SPI: SpiDevice,
    CE: OutputPin,
    DELAY: DelayNs,
{
    device.configure(config, true).await?;
    let mut assembly = Assembly::new(config.framing);
    let mut payload = [0; PAYLOAD_MAX];
    // What came whole out of the assembly goes to the writer; how much of it the kernel will take.
    let pass = |written: &[u8]| {
        put(desk, Channel::Write, desk.packet(written));
        ip::accepted(written).map_or(0, <[u8]>::len)
    };
    while !desk.stops() {
        if !device.data_available().await? {
            continue;
        }
        device.begin_reading()?;
        while !desk.stops()
            && let Some(len) = device.read_one(&mut payload).await?
        {
            if len > 0
                && let Some(accepted) = assembly.payload(&payload[..len]).map(pass)
            {
                assembly.taken(accepted);
            }
        }
        device.end_reading().await?;
        if let Some(accepted) = assembly.drained().map(pass) {
            assembly.taken(accepted);
        }
        let thrown = assembly.thrown();
        if thrown > 0 {
            desk.note(Note::Resync { octets: thrown });
        }
    }
    Ok(())
}

/// From the channel to the TUN device, and through the kernel.
pub async fn write_tun<D: Desk>(desk: &D) {
    loop {
        let packet = desk.next(Channel::Write).await;
        let octets = packet.len() as u32;
        let taken = ip::accepted(&packet).map(<[u8]>::len);
        desk.write_packet(packet, taken).await;
        desk.note(match taken {
            Some(len) => Note::Delivered { octets: len as u32 },
            None => Note::Dropped { at: DropPoint::Malformed, octets },
        });
    }
}
