//! Remote calls over the virtual air, timed by connection events.

mod support;

#[path = "rpc_link/bench.rs"]
mod bench;
#[path = "rpc_link/calls.rs"]
mod calls;
#[path = "rpc_link/events.rs"]
mod events;
#[path = "rpc_link/lost.rs"]
mod lost;
