//! Raw frames over custom messages: structures, filter, limits, both sides head to head.

mod bounds;
mod filter;
mod injection;
mod pair;
mod structures;
