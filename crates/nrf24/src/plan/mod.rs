//! Plans of IP over the nRF24L01+: keys, what holds between them, and the scenario they come to.

mod check;
mod facts;
mod keys;
mod limited;
mod link;
mod raw;
mod scenario;

pub(crate) use facts::{DYNAMIC_RAW, DYNAMIC_TUNNEL};
pub use keys::{ARD_STEP, Air, Bus, Host, Power, Radio, Stall, Tunnel};
pub use link::Nrf24;
pub use scenario::{LINKS, Mode, Scenario, TABLES, Use};
