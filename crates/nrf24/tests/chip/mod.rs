//! The virtual chip, register by register, bit by bit and nanosecond by nanosecond.

mod ack_payloads;
mod acknowledgement;
mod air;
mod announcement;
mod cycles;
mod delivery;
mod frames;
mod fuzzing;
mod interrupts;
mod lints;
mod never_panics;
mod pipes;
mod registers;
