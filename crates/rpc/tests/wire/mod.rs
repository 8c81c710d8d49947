//! Octets in, octets out: containers, controls, command packets.

mod golden;
mod hex;
mod malformed;
mod round_trips;
