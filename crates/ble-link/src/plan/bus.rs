//! Bus between a host and its controller, as the keys of either end say it.

use airtime_ble::transport::Bus;
use airtime_core::Duration;
use airtime_keys::{Fault, Key, Words};

use super::device::{Advertiser, Initiator};

/// Bus that HCI goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum HciBus {
    /// A UART with H4.
    Uart,
    /// A three-wire UART (H5).
    ThreeWire,
    /// USB at full speed.
    Usb,
    /// SPI.
    Spi,
    /// Memory that two cores share.
    Ipc,
}

/// Baud of a UART that nobody says another of: that of Zephyr's boards with a controller behind one. zephyr, samples/bluetooth/hci_uart,
/// boards/nrf52840dk_nrf52840.overlay.
pub const UART_BAUD: u32 = 1_000_000;

/// Window of a three-wire UART. linux, drivers/bluetooth/hci_h5.c, `H5_TX_WIN_MAX`; zephyr, drivers/bluetooth/hci/h5.c, `tx_win`.
pub const WINDOW: u8 = 4;

/// Clock of SPI. *Assumed*: the most that a BlueNRG-MS takes.
pub const SPI_HZ: u32 = 8_000_000;

/// Time of a packet from one core to the other: half of the 43 us that 16 octets take there and back between the two cores of an nRF54L15,
/// by Zephyr's ICBMSG before 2026. nrfconnect/sdk-zephyr#4240, which makes it 14 us.
pub const IPC_DELAY: Duration = Duration::from_nanos(21_500);

/// Keys of one end about its bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusKeys {
    /// Kind of the bus.
    pub hci: Option<HciBus>,
    /// Baud of a UART of either kind.
    pub baud: Option<u32>,
    /// Window of a three-wire UART.
    pub window: Option<u8>,
    /// Checks on a three-wire UART.
    pub crc: Option<bool>,
    /// Clock of SPI.
    pub spi_hz: Option<u32>,
    /// Time that a packet waits on SPI, or takes between two cores.
    pub delay: Option<Duration>,
}

impl BusKeys {
    /// The bus, with what is in effect where nothing is said.
    pub fn bus(self) -> Bus {
        let baud = self.baud.unwrap_or(UART_BAUD);
        match self.hci {
            None => Bus::Memory,
            Some(HciBus::Uart) => Bus::Uart { baud },
            Some(HciBus::ThreeWire) => {
                Bus::ThreeWire { baud, window: self.window.unwrap_or(WINDOW), crc: self.crc.unwrap_or(false) }
            }
            Some(HciBus::Usb) => Bus::Usb,
            Some(HciBus::Spi) => {
                Bus::Spi { hz: self.spi_hz.unwrap_or(SPI_HZ), delay: self.delay.unwrap_or(Duration::ZERO) }
            }
            Some(HciBus::Ipc) => Bus::Ipc { delay: self.delay.unwrap_or(IPC_DELAY) },
        }
    }

    /// These keys with the values that `bus` has in effect.
    pub(super) fn filled(self, bus: Bus) -> Self {
        match bus {
            Bus::Uart { baud } => Self { baud: Some(baud), ..self },
            Bus::ThreeWire { baud, window, crc } => {
                Self { baud: Some(baud), window: Some(window), crc: Some(crc), ..self }
            }
            Bus::Spi { hz, delay } => Self { spi_hz: Some(hz), delay: Some(delay), ..self },
            Bus::Ipc { delay } => Self { delay: Some(delay), ..self },
            _ => self,
        }
    }

    /// Checks that each value belongs to the bus; `keys` are those of the end, in the order of the fields.
    fn check(self, keys: [&'static Key; 6]) -> Result<(), Fault> {
        let [hci, baud, window, crc, spi_hz, delay] = keys;
        let uarts = &[HciBus::Uart, HciBus::ThreeWire][..];
        let of = [
            (self.baud.is_some(), baud, uarts),
            (self.window.is_some(), window, &[HciBus::ThreeWire]),
            (self.crc.is_some(), crc, &[HciBus::ThreeWire]),
            (self.spi_hz.is_some(), spi_hz, &[HciBus::Spi]),
            (self.delay.is_some(), delay, &[HciBus::Spi, HciBus::Ipc]),
        ];
        for (is_set, key, buses) in of {
            if is_set && !self.hci.is_some_and(|own| buses.contains(&own)) {
                let words: Vec<String> = buses.iter().map(|bus| format!("\"{}\"", bus.word())).collect();
                let what = format!("`{}` without `{}` = {}", key.name, hci.name, words.join(" or "));
                return Err(Fault::new(what).about([key, hci]));
            }
        }
        Ok(())
    }
}

/// The bus of an end, whose keys have the same names at both.
macro_rules! with_bus {
    ($end:ty) => {
        impl $end {
            /// Keys of its bus.
            pub const fn bus_keys(&self) -> BusKeys {
                BusKeys {
                    hci: self.hci,
                    baud: self.hci_baud,
                    window: self.hci_window,
                    crc: self.hci_crc,
                    spi_hz: self.hci_spi_hz,
                    delay: self.hci_delay,
                }
            }

            /// Fills in what is in effect on `bus`.
            pub(super) fn fill_bus(&mut self, bus: Bus) {
                let keys = self.bus_keys().filled(bus);
                (self.hci_baud, self.hci_window, self.hci_crc) = (keys.baud, keys.window, keys.crc);
                (self.hci_spi_hz, self.hci_delay) = (keys.spi_hz, keys.delay);
            }

            /// Checks that what it says of a bus is of the one that it has.
            pub(super) fn check_bus(&self) -> Result<(), Fault> {
                let keys =
                    [Self::HCI, Self::HCI_BAUD, Self::HCI_WINDOW, Self::HCI_CRC, Self::HCI_SPI_HZ, Self::HCI_DELAY];
                self.bus_keys().check(keys)
            }
        }
    };
}

with_bus!(Initiator);
with_bus!(Advertiser);
