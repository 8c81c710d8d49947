//! `airtime trace`: captures as files, what is read of them, and what is said of files that are none.

mod against;
mod books;
mod faults;
mod files;
mod others;
mod program;
mod stations;
