//! The nRF24L01+ under a driver of one's own, which knows nothing but `embedded-hal`: `cargo run -p airtime-nrf24 --example chip`.

use core::convert::Infallible;

use airtime_core::Instant;
use airtime_nrf24::chip::{Chip, Options};
use embedded_hal::spi::{ErrorType, Operation, SpiDevice};

/// A driver as firmware has it: SPI is all that it sees of the chip.
struct Radio<SPI>(SPI);

impl<SPI: SpiDevice> Radio<SPI> {
    fn write(&mut self, register: u8, value: u8) -> Result<(), SPI::Error> {
        self.0.write(&[0x20 | register, value])
    }

    fn read(&mut self, register: u8) -> Result<u8, SPI::Error> {
        let mut octets = [register, 0];
        self.0.transfer_in_place(&mut octets)?;
        Ok(octets[1])
    }
}

/// The wires: each transaction is one assertion of CSN, at a time that the test chooses.
struct Wires {
    chip: Chip,
    now: Instant,
}

impl ErrorType for Wires {
    type Error = Infallible;
}

impl SpiDevice for Wires {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations {
            let mosi = match operation {
                Operation::Write(octets) => octets.to_vec(),
                Operation::TransferInPlace(octets) => octets.to_vec(),
                other => unimplemented!("the driver above has no need of {other:?}"),
            };
            let mut miso = vec![0; mosi.len()];
            self.chip.select(self.now, &mosi, &mut miso);
            self.chip.deselect(self.now, &mosi);
            if let Operation::TransferInPlace(octets) = operation {
                octets.copy_from_slice(&miso);
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), Infallible> {
    // The supply has been up for longer than the 100 ms of a power-on reset. Product Specification 1.0, 6.1.7.
    let mut radio = Radio(Wires { chip: Chip::new(Options::default()), now: Instant::from_nanos(200_000_000) });
    assert_eq!(radio.read(0x05)?, 2, "RF_CH after a reset");
    radio.write(0x05, 108)?;
    println!("the chip is on channel {}, at {:?}", radio.read(0x05)?, radio.0.chip.tuned());
    Ok(())
}
