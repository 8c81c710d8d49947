//! The link layer: PDUs, hopping, connections and their events, control procedures, advertising,
//! scanning and initiating.

pub mod accept_list;
pub mod access_address;
pub mod address;
pub mod advertising;
pub mod connection;
pub mod control;
pub mod encryption;
pub mod event;
pub mod extended;
pub mod hopping;
pub mod identity;
pub mod length;
pub mod outbox;
pub mod pdu;
pub(crate) mod pre_emption;
pub mod procedure;
pub mod resolving_list;
pub mod room;
pub mod scanning;
pub mod security;
pub mod subrating;
pub(crate) mod ticker;
pub mod transmit;
pub(crate) mod turns;
