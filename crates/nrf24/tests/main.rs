//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod chip;
mod driver;
mod network;
mod rf24;
mod station;
mod tunnel;
mod tunnel_fuzzing;
mod tunnel_never_panics;
