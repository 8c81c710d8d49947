//! New firmware for the co-processor: the table, images, staging, the sequence, and power that goes at any point.

mod boot;
mod cuts;
mod hosted;
mod image;
mod partition;
mod slots;
mod stage;
mod support;
