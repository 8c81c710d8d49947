//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

#[cfg(feature = "capture")]
mod capture;
mod cell;
mod network;
