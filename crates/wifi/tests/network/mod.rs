//! The whole pipeline as one plant.

mod mechanisms;
mod outside;
mod properties;
mod published;
mod raw;
mod raw_frames;
mod raw_half_duplex;
mod raw_spi;
mod rig;
mod scenarios;
mod start;
