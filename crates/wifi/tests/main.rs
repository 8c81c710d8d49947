//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod air;
mod air_published;
mod cell;
mod codec;
mod codec_never_panics;
mod fuzzing;
mod hosted;
mod network;
mod ota;
mod raw;
