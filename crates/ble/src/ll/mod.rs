//! The link layer: PDUs, hopping, connections and their events, control procedures, advertising,
//! scanning and initiating.

pub mod access_address;
pub mod advertising;
pub mod connection;
pub mod control;
pub mod encryption;
pub mod event;
pub mod hopping;
pub mod length;
pub mod pdu;
pub mod procedure;
pub mod scanning;
pub mod transmit;
