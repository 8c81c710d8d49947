//! Octets in, octets out: frames of the bus, start-up, fragments, calls.

mod calls;
mod fragments;
mod frames;
mod port;
mod rpc;
mod start;
