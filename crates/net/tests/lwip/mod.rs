//! lwIP on a simple link: against what real lwIP code did on one, segment by segment, and under loss.

mod calls;
mod datagrams;
mod grid;
mod link;
mod properties;
mod receiver;
mod traces;
