//! Two tunnels over a scripted air.

mod bounds;
mod compression;
mod delivery;
mod faults;
mod format;
mod pipe;
mod polling;
mod properties;
mod sealing;
