//! The code of both images against each other, in virtual time.

mod cable;
mod card;
mod chips;
mod memory;
mod ota;
mod raw;
mod silent;
mod slot;
mod world;
