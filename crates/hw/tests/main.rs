//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod board;
mod daemon;
mod device;
mod doctor;
mod hand;
mod published;
