//! The published gateway: IP between TUN devices over one half-duplex radio at each end, by RF24Gateway on RF24Network on RF24.
//!
//! ```text
//!   TUN device ─► queue ─► 24 octets behind a header of 8 ─► writeFast() ┐
//!   TUN device ◄─ queue ◄─ fragments in order ◄─ read() ◄─ available()   ┘ radio 0: listens but while a message goes out
//! ```
//!
//! One loop does all of it: it reads what the radio has, hands one packet to the TUN device, takes what the TUN device has, sends
//! all of that, and sleeps. While it sends its radio is deaf, and while it sleeps the three places of the RX FIFO are all there is.
//!
//! Behaviour is that of RF24Gateway at 2.1.5 and RF24Network at f06c267, rewritten, for two nodes that know their addresses: the master,
//! 00, and its child 01. Left out is what a network of more would do: routing, RF24Mesh's look-ups of addresses, multicast.

mod config;
mod interrupts;
mod message;
mod node;
mod program;
mod tun;
mod write;

pub use config::{Address, GatewayConfig};
pub use message::{Assembly, FRAGMENT_MAX, HEADER, Header, MESSAGE_MAX};
pub use node::GatewayNode;
pub use program::{Tun, gateway};
pub use tun::GatewayKernel;
