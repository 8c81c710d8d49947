//! Octets in, octets out: frames of the bus, start-up, fragments, calls, frames of the air.

mod calls;
mod fragments;
mod frames;
mod ieee80211;
mod port;
mod radiotap;
mod rpc;
mod start;
