//! Interfaces of a frame and their priorities, and the limits of each transport. `common/esp_hosted_interface.h`,
//! `common/transport/esp_hosted_transport.h`.

/// Interface that the payload of a frame belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Interface {
    /// Ethernet frames of the station.
    Station = 1,
    /// Ethernet frames of the access point.
    AccessPoint = 2,
    /// Remote procedure calls.
    Serial = 3,
    /// Interface of Bluetooth: packets of HCI.
    Hci = 4,
    /// Messages between the two drivers.
    Private = 5,
    /// Raw throughput test.
    Test = 6,
    /// Interface of Ethernet frames.
    Ethernet = 7,
    /// A frame that fills a transfer; nobody's.
    Dummy = 8,
}

impl Interface {
    /// Interfaces in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Station,
        Self::AccessPoint,
        Self::Serial,
        Self::Hci,
        Self::Private,
        Self::Test,
        Self::Ethernet,
        Self::Dummy,
    ];

    /// The interface of this type field, 0..=15; none where there is none.
    pub const fn of(value: u8) -> Option<Self> {
        Some(match value {
            1 => Self::Station,
            2 => Self::AccessPoint,
            3 => Self::Serial,
            4 => Self::Hci,
            5 => Self::Private,
            6 => Self::Test,
            7 => Self::Ethernet,
            8 => Self::Dummy,
            _ => return None,
        })
    }

    /// The interface of packets: that of a station, or of a soft access point.
    pub const fn of_network(access_point: bool) -> Self {
        if access_point { Self::AccessPoint } else { Self::Station }
    }

    /// The queue its frames wait in.
    pub const fn priority(self) -> Priority {
        match self {
            Self::Serial => Priority::Serial,
            Self::Hci => Priority::Bluetooth,
            _ => Priority::Other,
        }
    }
}

/// Queues in front of the bus, the most urgent first; one is served only while those before it are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Priority {
    /// Remote procedure calls.
    Serial = 0,
    /// Priority of Bluetooth.
    Bluetooth = 1,
    /// Priority of all the rest.
    Other = 2,
}

/// Number of priorities.
pub const PRIORITIES: usize = 3;

/// Bus that a [host](crate::host::Host) and a [co-processor](crate::coprocessor::Coprocessor) know how to drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bus {
    /// SDIO, 1 or 4 lines.
    Sdio,
    /// SPI, full duplex.
    Spi,
    /// SPI, half duplex, 1, 2 or 4 lines: registers and data of its own, commanded as those of SDIO are.
    SpiHalfDuplex,
    /// A UART, without flow control: both send when they have something, and nobody counts buffers.
    Uart,
}

impl Bus {
    /// Octets of a buffer of the co-processor, which is also the largest frame.
    pub const fn buffer(self) -> u32 {
        self.transport().buffer_octets() as u32
    }

    /// Transport that its frames are made for.
    pub const fn transport(self) -> Transport {
        match self {
            Self::Sdio => Transport::Sdio,
            Self::Spi | Self::SpiHalfDuplex => Transport::Spi,
            Self::Uart => Transport::Uart,
        }
    }
}

/// Transport that frames are made for: what their layout follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Bus SDIO, slave at the co-processor.
    Sdio,
    /// Bus SPI, full duplex.
    Spi,
    /// Serial line, a UART.
    Uart,
}

impl Transport {
    /// Octets of a buffer, header included.
    pub const fn buffer_octets(self) -> usize {
        match self {
            Self::Sdio => 1536,
            Self::Spi | Self::Uart => 1600,
        }
    }

    /// True if frames carry a checksum unless configured otherwise. SPI has no check of its own and always needs it.
    pub const fn checksum_by_default(self) -> bool {
        !matches!(self, Self::Sdio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_fields_come_back() {
        for value in 0..16 {
            assert_eq!(
                Interface::of(value).map(|interface| interface as u8),
                (1..=8).contains(&value).then_some(value)
            );
        }
        for (at, interface) in Interface::ALL.into_iter().enumerate() {
            assert_eq!(interface as usize, at + 1);
        }
    }

    #[test]
    fn calls_go_before_bluetooth_and_that_before_packets() {
        assert!(Interface::Serial.priority() < Interface::Hci.priority());
        for interface in Interface::ALL {
            if !matches!(interface, Interface::Serial | Interface::Hci) {
                assert!(Interface::Hci.priority() < interface.priority(), "{interface:?}");
                assert!((interface.priority() as usize) < PRIORITIES);
            }
        }
    }
}
