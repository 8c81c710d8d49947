//! The nRF24L01+ under a driver of one's own, which knows nothing but `embedded-hal`: `cargo run -p airtime-nrf24 --example chip`.

use airtime_core::Instant;
use airtime_nrf24::chip::{Chip, Options};
use embedded_hal::spi::{ErrorKind, ErrorType, Operation, SpiDevice};

/// A driver as firmware has it: SPI is all that it sees of the chip.
struct Radio<SPI>(SPI);

impl<SPI: SpiDevice> Radio<SPI> {
    /// Writes a register; the chip answers with its status.
    fn write(&mut self, register: u8, value: u8) -> Result<u8, SPI::Error> {
        self.both_ways(0x20 | register, value).map(|[status, _]| status)
    }

    fn read(&mut self, register: u8) -> Result<u8, SPI::Error> {
        self.both_ways(register, 0).map(|[_, value]| value)
    }

    fn both_ways(&mut self, command: u8, octet: u8) -> Result<[u8; 2], SPI::Error> {
        let mut octets = [command, octet];
        self.0.transfer_in_place(&mut octets)?;
        Ok(octets)
    }
}

/// The wires: each transaction is one assertion of CSN, at a time that the test chooses.
struct Wires {
    chip: Chip,
    now: Instant,
}

impl ErrorType for Wires {
    type Error = ErrorKind;
}

impl SpiDevice for Wires {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
        // The driver above sends and receives at once, and nothing else is wired.
        let [Operation::TransferInPlace(octets)] = operations else { return Err(ErrorKind::Other) };
        let mosi = octets.to_vec();
        self.chip.select(self.now, &mosi, octets);
        self.chip.deselect(self.now, &mosi);
        Ok(())
    }
}

fn main() -> Result<(), ErrorKind> {
    // The supply has been up for longer than the 100 ms of a power-on reset. Product Specification 1.0, 6.1.7.
    let mut radio = Radio(Wires { chip: Chip::new(Options::default()), now: Instant::from_nanos(200_000_000) });
    assert_eq!(radio.read(0x05)?, 2, "RF_CH after a reset");
    assert_eq!(radio.write(0x05, 108)?, 0x0e, "nothing has arrived: RX_P_NO is 111");
    assert_eq!((radio.read(0x05)?, radio.0.chip.tuned().0), (108, 108));
    println!("the chip is tuned to 2508 MHz: {:?}", radio.0.chip.tuned());
    Ok(())
}
