//! The code of both images against each other, in virtual time.

mod cable;
mod chips;
mod memory;
mod ota;
mod silent;
mod world;
