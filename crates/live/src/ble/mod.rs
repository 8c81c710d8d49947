//! Bluetooth LE in real time: virtual radios for outside hosts, and our own hosts on controllers of others.
//!
//! - [`Radios`]: controllers on one medium, paced, without sockets and without a clock · `server` adds both
//! - [`endpoint`]: an outside host's end of an HCI · [`h4`]: packets out of its octets · [`traffic`]: what it exchanged
//! - [`client`]: one of our own hosts on a controller of somebody else's · `dial` adds socket and clock · [`rate`]: its payload by the second
//! - [`system`]: the operating system's own Bluetooth, which has its own host · `linux`: Linux's · `native`: that of macOS and of Windows
//! - [`scan`]: who advertises, as our host hears it · [`place`]: where a controller is · `usb`: dongles
//! - [`watch`]: what went over the air, a record for each connection · [`Report`]: what there is to say
//! - [`whole`]: what has arrived against what was sent
//! - [`options`]: endpoints and peers as people write them · [`predict`]: what a host as slow as a measured one would carry
//! - [`Virtual`]: both ends of remote calls in virtual time

pub mod client;
pub mod config;
#[cfg(unix)]
pub mod dial;
pub mod endpoint;
pub mod event;
pub mod h4;
pub mod host;
mod line;
#[cfg(target_os = "linux")]
pub mod linux;
#[cfg(any(target_os = "macos", windows, test))]
pub mod native;
pub mod options;
pub mod place;
pub mod predict;
pub mod radios;
pub mod rate;
pub mod record;
pub mod report;
pub mod scan;
#[cfg(unix)]
pub mod server;
pub mod station;
#[cfg(unix)]
mod stream;
pub mod system;
pub mod traffic;
#[cfg(unix)]
pub mod usb;
pub mod virtual_time;
pub mod watch;
pub mod whole;

pub use config::{Config, EndpointConfig, PeerConfig};
pub use event::Sink;
pub use place::Place;
pub use radios::Radios;
pub use report::Report;
pub use virtual_time::Virtual;
