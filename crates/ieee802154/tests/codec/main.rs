//! Golden bytes and round trips of frames and of headers of captures; arbitrary octets.

mod frames;
mod never_panics;
mod tap;
