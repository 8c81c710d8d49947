//! Hosts on their wires, chips and medium as one plant, and the books of it.

mod books;
mod plant;
mod support;
mod timing;
