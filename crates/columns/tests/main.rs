//! The tests of this package, one program.

mod page;
mod read_back;
mod rows;
