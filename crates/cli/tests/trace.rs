//! `airtime trace`: captures as files, what is read of them, and what is said of files that are none.

#[path = "trace/books.rs"]
mod books;
#[path = "trace/faults.rs"]
mod faults;
#[path = "trace/files.rs"]
mod files;
#[path = "trace/program.rs"]
mod program;
