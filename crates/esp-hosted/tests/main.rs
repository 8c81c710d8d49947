//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod codec;
mod codec_never_panics;
mod fuzzing;
mod hosted;
mod raw;
