//! Our driver: asynchronous, driven by the IRQ line, `no_std`, without allocation.
//!
//! Generic over `embedded_hal_async::spi::SpiDevice`, `embedded_hal::digital::OutputPin` (CE), `embedded_hal_async::digital::Wait`
//! (IRQ) and `embedded_hal_async::delay::DelayNs`, so the lab's wires, a Raspberry Pi and a microcontroller run the same.
//!
//! ```text
//! transmitter                                   receiver
//!   configure(&config, Role::Transmitter)         configure(&config, Role::Receiver)
//!   start()                                       start()
//!   loop {                                        loop {
//!       while has_room() { write(frame, no_ack) }     wait_irq(); on_irq()
//!       wait_irq(); on_irq() -> sent, max_rt          while let Some(received) = read(&mut payload) { … }
//!   }                                             }
//! ```
//!
//! Every SPI transaction shifts STATUS out, and the driver looks at each: room in the TX FIFO and whether the RX FIFO
//! is empty cost no transaction of their own. Section numbers are of the nRF24L01+ Product Specification 1.0.

mod bus;
mod config;
mod configure;
pub(crate) mod error;
mod fifo;
mod radio;
mod receive;
mod stay;
mod transmit;

pub use config::{Config, Role};
pub use error::{Error, Setting};
pub use radio::{Events, Radio};
pub use receive::Received;
