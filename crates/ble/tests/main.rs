//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod addresses;
mod events;
mod extended;
mod fuzzing;
mod hci;
mod masks;
mod never_panics;
mod procedures;
mod regressions;
mod security;
mod subrating;
mod support;
mod termination;
mod turns;
