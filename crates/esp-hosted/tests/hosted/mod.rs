//! Host and co-processor of ESP-hosted, head to head over a bus that takes no time, or some.

mod calls;
mod credits;
mod data;
mod exchange;
mod faults;
mod firmware;
mod half_duplex;
mod line;
mod linux;
mod random;
mod raw;
mod rig;
mod start;
