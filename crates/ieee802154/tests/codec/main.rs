//! Golden bytes and round trips of frames and of headers of captures.

mod frames;
mod tap;
