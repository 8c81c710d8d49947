//! Two hosts back to back over a perfect controller pair.

mod att;
mod overflow;
mod pipe;
mod robustness;
mod rpc;
mod security;
mod set_up;
mod streaming;
