//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod attributes;
mod cycles;
mod nrf24;
mod startup;
mod support;
mod values;
