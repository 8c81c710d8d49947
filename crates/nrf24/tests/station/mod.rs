//! The published tunnel and ours, on virtual radios and a host with the same costs.

mod ack_payload;
mod auto_ack;
mod faults;
mod legacy;
mod node;
mod rig;
mod stranger;
mod stream;
