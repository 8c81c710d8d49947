//! The code of both images against each other, in virtual time.

mod air;
mod cable;
mod card;
mod chips;
mod memory;
mod ota;
mod raw;
mod sequence;
mod silent;
mod slot;
mod spoken;
mod world;
