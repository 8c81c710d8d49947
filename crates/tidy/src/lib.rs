//! Tests of the repository itself, read as text; there is nothing in the library.
//!
//! `cargo test -p airtime-tidy` takes a second. Each check is a function of text, so that one test shows it a bad text, and
//! another the files that git knows.
