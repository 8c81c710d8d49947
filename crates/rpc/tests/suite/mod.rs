//! The published checks and benchmarks against the real machines, over a pipe that takes its time.

mod bench;
mod conformance;
mod liar;
mod pipe;
