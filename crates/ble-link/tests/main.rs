//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod air;
mod perfetto;
mod read_back;
mod rpc;
mod support;
mod timeline;
