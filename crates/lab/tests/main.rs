//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod asked;
mod configurations;
mod cost_of_loss;
mod declared;
mod interrupted;
mod nrf24;
mod one_goodput;
mod sentences;
mod sniff;
mod support;
mod wifi;
