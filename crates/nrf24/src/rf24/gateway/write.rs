//! Messages out: `network.write()` towards a node that the radio reaches directly.

use airtime_core::{Duration, Instant};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::message::{FRAGMENT_MAX, HEADER, frame, frames};
use crate::driver::Error;
use crate::legacy::headers;
use crate::rf24::{Bench, Rf24};
use crate::trace::{Note, Purpose, Upload};

/// Number of the radio of a host that has one.
const RADIO: usize = 0;

/// `txTimeout` of `begin()`: how long a FIFO that does not empty is started again. RF24Network f06c267.
const TIMEOUT: Duration = Duration::from_millis(25);

/// Busy loop behind a fragment that failed: `timer = millis() + 2; while (millis() < timer)` of `main_write()`. RF24Network f06c267.
const AGAIN: Duration = Duration::from_millis(2);

/// Tries of a fragment before its message is given up: `retriesPerFrag >= 3`.
const TRIES: u32 = 3;

/// A message on its way out.
pub(super) struct Message<'a> {
    /// Node that sends it.
    pub from: u16,
    /// Node it is for.
    pub to: u16,
    /// Number among those of this node.
    pub number: u32,
    /// The IP packet that it is.
    pub packet: &'a [u8],
}

impl Message<'_> {
    /// Sends it with the radio's own acknowledgements, and listens again; says if all of it is across.
    pub(super) async fn send<B, SPI, CE, DELAY>(
        &self,
        bench: &B,
        radio: &mut Rf24<SPI, CE, DELAY>,
    ) -> Result<bool, Error>
    where
        B: Bench,
        SPI: SpiDevice,
        CE: OutputPin,
        DELAY: DelayNs,
    {
        radio.stop_listening_to_write().await?;
        radio.set_auto_ack(0, true).await?;
        let sent = self.send_frames(bench, radio).await?;
        // A message of one frame leaves the acknowledgement of pipe 0 on: `write_to_pipe()`.
        if frames(self.packet.len()) > 1 {
            radio.set_auto_ack(0, false).await?;
        }
        radio.start_listening().await?;
        Ok(sent)
    }

    async fn send_frames<B, SPI, CE, DELAY>(&self, bench: &B, radio: &mut Rf24<SPI, CE, DELAY>) -> Result<bool, Error>
    where
        B: Bench,
        SPI: SpiDevice,
        CE: OutputPin,
        DELAY: DelayNs,
    {
        let all = frames(self.packet.len());
        let (mut index, mut tries, mut uploaded) = (0, 0, false);
        while index < all {
            let (octets, len) = frame(self.from, self.to, self.id(), self.packet, index);
            let mut sent = radio.has_room().await?;
            if sent {
                radio.start_fast_write(&octets[..len]).await?;
                bench.note(Note::Upload { radio: RADIO, upload: self.upload(index, uploaded) });
                uploaded = true;
            }
            // Only the last waits for those before it; a frame that was given up is started again for as long as that takes.
            if !sent || index + 1 == all {
                let emptied = radio.tx_stand_by_within(TIMEOUT, || bench.now()).await?;
                sent &= emptied;
            }
            if sent {
                (index, tries, uploaded) = (index + 1, 0, false);
                continue;
            }
            // A message of one frame is tried once, and nothing waits behind it.
            if all == 1 {
                return Ok(false);
            }
            // The last try is waited for as well.
            bench.spin(until_millis(bench.now() + AGAIN)).await;
            tries += 1;
            if tries == TRIES {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Number of the message in its headers, which is never 0.
    fn id(&self) -> u16 {
        (self.number % u32::from(u16::MAX)) as u16 + 1
    }

    fn upload(&self, index: usize, again: bool) -> Upload {
        let from = index * FRAGMENT_MAX;
        let octets = (self.packet.len() - from).min(FRAGMENT_MAX);
        let headers = headers(self.packet).saturating_sub(from).min(octets);
        Upload {
            packet: self.number,
            payload: (octets - headers) as u8,
            headers: headers as u8,
            tunnel: HEADER as u8,
            purpose: if again { Purpose::Repeat } else { Purpose::New },
        }
    }
}

/// The whole millisecond that `until` is in: `millis()` counts no others.
fn until_millis(until: Instant) -> Instant {
    Instant::from_nanos(until.as_nanos() / 1_000_000 * 1_000_000)
}
