//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod bind;
mod fake_clock;
mod fuzzing;
mod hosts;
mod never_panics;
mod nrf24_link;
mod nrf24_stations;
mod rpc;
mod support;
