//! Octets in, octets out: frames of the bus, start-up, fragments, calls.

mod calls;
mod fragments;
mod frames;
mod line;
mod port;
mod rpc;
mod start;
