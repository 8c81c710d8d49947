//! Our driver on virtual chips: what it reaches, what it delivers, and what it never does.
//!
//! The closed forms are computed here from bits and microseconds; nothing of the arithmetic under test is used.

mod ack_payload;
mod bus;
mod ceilings;
mod closed_form;
mod faults;
mod pair;
mod stream;
