//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod fuzzing;
#[path = "fuzzing/hci_log.rs"]
mod hci_log;
mod never_panics;
#[path = "fuzzing/sniffer.rs"]
mod sniffer;
