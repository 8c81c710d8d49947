//! Start-up events, with which both sides describe themselves before anything else: an event of the private interface,
//! made of TLVs. `common/transport/esp_hosted_transport_init.h`; `send_slave_config` and `process_init_event` of
//! `host/drivers/transport/transport_drv.c`.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::header::{Header, Layout};
use super::interface::Interface;

/// Event type of start-up, in both directions.
pub const EVENT_INIT: u8 = 0x22;

/// Chips by their number in an image and in the TLV.
pub mod chip {
    /// Number of the chip ESP32.
    pub const ESP32: u8 = 0x00;
    /// Number of the chip ESP32-S2.
    pub const ESP32_S2: u8 = 0x02;
    /// Number of the chip ESP32-C3.
    pub const ESP32_C3: u8 = 0x05;
    /// Number of the chip ESP32-S3.
    pub const ESP32_S3: u8 = 0x09;
    /// Number of the chip ESP32-C2.
    pub const ESP32_C2: u8 = 0x0C;
    /// Number of the chip ESP32-C6.
    pub const ESP32_C6: u8 = 0x0D;
    /// Number of the chip ESP32-C61.
    pub const ESP32_C61: u8 = 0x14;
    /// Number of the chip ESP32-C5.
    pub const ESP32_C5: u8 = 0x17;
}

/// Bits of what a co-processor can do.
pub mod capability {
    /// Wi-Fi over SDIO.
    pub const WLAN_SDIO: u8 = 0x01;
    /// Bluetooth over its own UART.
    pub const BLUETOOTH_UART: u8 = 0x02;
    /// Bluetooth over SDIO.
    pub const BLUETOOTH_SDIO: u8 = 0x04;
    /// Bluetooth LE only.
    pub const BLE_ONLY: u8 = 0x08;
    /// Bluetooth BR/EDR only.
    pub const BR_EDR_ONLY: u8 = 0x10;
    /// Wi-Fi over SPI.
    pub const WLAN_SPI: u8 = 0x20;
    /// Bluetooth over SPI.
    pub const BLUETOOTH_SPI: u8 = 0x40;
    /// Frames carry checksums.
    pub const CHECKSUM: u8 = 0x80;
}

/// Bits of transports that came later.
pub mod extended {
    /// Wi-Fi over a UART.
    pub const WLAN_UART: u32 = 1 << 8;
}

/// Directions of the raw throughput test.
pub mod raw_throughput {
    /// Raw throughput test: none.
    pub const NONE: u8 = 0;
    /// The co-processor can do it.
    pub const AVAILABLE: u8 = 1;
    /// From the co-processor to the host.
    pub const TO_HOST: u8 = 2;
    /// From the host to the co-processor.
    pub const FROM_HOST: u8 = 4;
    /// Test in both directions.
    pub const BOTH: u8 = 8;
}

/// Mode in which the co-processor sends over SDIO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum SdioMode {
    /// As many packets a read as there are.
    Streaming,
    /// One packet a read.
    Packet,
}

/// A version of the firmware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Version {
    /// Major number of the version.
    pub major: u8,
    /// Minor number of the version.
    pub minor: u8,
    /// Patch number of the version.
    pub patch: u8,
}

impl Version {
    /// Version as one number: `major << 16 | minor << 8 | patch`.
    pub const fn packed(self) -> u32 {
        (self.major as u32) << 16 | (self.minor as u32) << 8 | self.patch as u32
    }

    /// From one number, of which the top octet means nothing.
    pub const fn of(packed: u32) -> Self {
        let [patch, minor, major, _] = packed.to_le_bytes();
        Self { major, minor, patch }
    }
}

/// Reason that octets are no start-up event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Not an event, or another one.
    #[error("a private packet of another kind")]
    Kind,
    /// It ends before its length says.
    #[error("a start-up event that is cut off")]
    Cut,
    /// A TLV does not have the length that its tag demands.
    #[error("TLV {tag:#04x} with {len} octets")]
    Tlv {
        /// Tag of the TLV.
        tag: u8,
        /// Length of the TLV.
        len: u8,
    },
}

/// Start-up event of a co-processor. Fields that it leaves out stay none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CoprocessorStart {
    /// Number of the chip, one of [`chip`].
    pub chip: Option<u8>,
    /// Its [`capability`] bits.
    pub capabilities: Option<u8>,
    /// Its [`raw_throughput`] test.
    pub raw_throughput: Option<u8>,
    /// Length of its queue to the host, in packets.
    pub tx_queue: Option<u8>,
    /// Length of its queue from the host.
    pub rx_queue: Option<u8>,
    /// Its firmware; before this TLV there was none, the host takes that for 0.0.0.
    pub firmware: Option<Version>,
    /// Mode in which it sends over SDIO; since 2.12.0.
    pub sdio_mode: Option<SdioMode>,
    /// More capability bits, of other transports.
    pub extended: Option<u32>,
    /// Number of TLVs that nobody knows.
    pub unknown: u8,
}

/// Start-up event with which a host answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct HostStart {
    /// Its capability bits; 0 in every release.
    pub capabilities: Option<u8>,
    /// The chip it has understood.
    pub chip: Option<u8>,
    /// Direction of the [`raw_throughput`] test that it wants.
    pub raw_throughput: Option<u8>,
    /// Load of the co-processor's receive queue in percent from which it throttles.
    pub throttle_high_percent: Option<u8>,
    /// Load below which it ceases.
    pub throttle_low_percent: Option<u8>,
    /// Number of TLVs that nobody knows.
    pub unknown: u8,
}

impl CoprocessorStart {
    /// Reads the payload of a private frame whose `kind` is an event.
    ///
    /// # Errors
    /// When it is another event or malformed.
    pub fn parse(payload: &[u8]) -> Result<Self, StartError> {
        let mut start = Self::default();
        tlvs(payload, |tag, value| {
            match tag {
                0x11 => start.capabilities = Some(one(value)?),
                0x12 => start.chip = Some(one(value)?),
                0x13 => start.raw_throughput = Some(one(value)?),
                0x14 => start.rx_queue = Some(one(value)?),
                0x15 => start.tx_queue = Some(one(value)?),
                0x16 => start.extended = Some(four(value)?),
                0x17 => start.firmware = Some(Version::of(four(value)?)),
                0x18 => {
                    start.sdio_mode = Some(if one(value)? == 0 { SdioMode::Packet } else { SdioMode::Streaming });
                }
                _ => start.unknown = start.unknown.saturating_add(1),
            }
            Some(())
        })?;
        Ok(start)
    }

    /// Appends the event as a frame to `out`, in the order in which co-processors send.
    pub fn emit(&self, layout: &Layout, out: &mut Packet) {
        let mut event = Event::new();
        event.octet(0x12, self.chip);
        event.octet(0x11, self.capabilities);
        event.octet(0x13, self.raw_throughput);
        event.octet(0x15, self.tx_queue);
        event.octet(0x14, self.rx_queue);
        event.word(0x17, self.firmware.map(Version::packed));
        event.octet(0x18, self.sdio_mode.map(|mode| u8::from(mode == SdioMode::Streaming)));
        event.word(0x16, self.extended);
        event.emit(layout, out);
    }
}

impl HostStart {
    /// Reads the payload of a private frame whose `kind` is an event.
    ///
    /// # Errors
    /// When it is another event or malformed.
    pub fn parse(payload: &[u8]) -> Result<Self, StartError> {
        let mut start = Self::default();
        tlvs(payload, |tag, value| {
            match tag {
                0x44 => start.capabilities = Some(one(value)?),
                0x45 => start.chip = Some(one(value)?),
                0x46 => start.raw_throughput = Some(one(value)?),
                0x47 => start.throttle_high_percent = Some(one(value)?),
                0x48 => start.throttle_low_percent = Some(one(value)?),
                _ => start.unknown = start.unknown.saturating_add(1),
            }
            Some(())
        })?;
        Ok(start)
    }

    /// Appends the event as a frame to `out`, in the order in which hosts send.
    pub fn emit(&self, layout: &Layout, out: &mut Packet) {
        let mut event = Event::new();
        event.octet(0x44, self.capabilities);
        event.octet(0x45, self.chip);
        event.octet(0x46, self.raw_throughput);
        event.octet(0x47, self.throttle_high_percent);
        event.octet(0x48, self.throttle_low_percent);
        event.emit(layout, out);
    }
}

/// Shows every TLV of a start-up event to `take`, which refuses one by `None`.
fn tlvs<'a>(payload: &'a [u8], mut take: impl FnMut(u8, &'a [u8]) -> Option<()>) -> Result<(), StartError> {
    let mut reader = Reader::new(payload);
    if reader.u8() != Some(EVENT_INIT) {
        return Err(StartError::Kind);
    }
    let len = reader.u8().ok_or(StartError::Cut)?;
    let mut reader = Reader::new(reader.take(len.into()).ok_or(StartError::Cut)?);
    while let Some(tag) = reader.u8() {
        let len = reader.u8().ok_or(StartError::Cut)?;
        let value = reader.take(len.into()).ok_or(StartError::Cut)?;
        take(tag, value).ok_or(StartError::Tlv { tag, len })?;
    }
    Ok(())
}

fn one(value: &[u8]) -> Option<u8> {
    let &[octet] = value else { return None };
    Some(octet)
}

fn four(value: &[u8]) -> Option<u32> {
    value.try_into().ok().map(u32::from_le_bytes)
}

/// An event being made; its bound is that of eight TLVs.
struct Event {
    octets: [u8; 2 + 8 * 6],
    len: usize,
}

impl Event {
    fn new() -> Self {
        let mut octets = [0; 50];
        octets[0] = EVENT_INIT;
        Self { octets, len: 2 }
    }

    fn octet(&mut self, tag: u8, value: Option<u8>) {
        if let Some(value) = value {
            self.put(&[tag, 1, value]);
        }
    }

    fn word(&mut self, tag: u8, value: Option<u32>) {
        if let Some(value) = value {
            let [a, b, c, d] = value.to_le_bytes();
            self.put(&[tag, 4, a, b, c, d]);
        }
    }

    fn put(&mut self, octets: &[u8]) {
        self.octets[self.len..self.len + octets.len()].copy_from_slice(octets);
        self.len += octets.len();
        self.octets[1] = (self.len - 2) as u8;
    }

    fn emit(&self, layout: &Layout, out: &mut Packet) {
        let header = Header { kind: Header::PRIVATE_EVENT, ..Header::new(Interface::Private) };
        header.emit(layout, &self.octets[..self.len], out);
    }
}
