//! Parts of every image for a Bluetooth board, whatever the board.
#![no_std]

mod data_length;
mod fault;
mod no_heap;
mod stack;

pub use data_length::suggest_data_length;
pub use stack::Stack;
