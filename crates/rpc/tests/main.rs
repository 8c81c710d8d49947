//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod calls;
mod crypto;
mod extended;
mod extended_transfer;
mod fuzzing;
mod never_panics;
mod service;
mod suite;
mod wire;
