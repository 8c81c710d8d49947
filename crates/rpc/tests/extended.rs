//! Extended mode: octets, both machines over a pipe, faults, and what frames cost.

#[path = "extended/calls.rs"]
mod calls;
#[path = "extended/codec.rs"]
mod codec;
#[path = "extended/credits.rs"]
mod credits;
#[path = "extended/faults.rs"]
mod faults;
#[path = "extended/mixed.rs"]
mod mixed;
#[path = "extended/nonsense.rs"]
mod nonsense;
#[path = "extended/overhead.rs"]
mod overhead;
#[path = "extended/sealed.rs"]
mod sealed;
#[path = "extended/support/mod.rs"]
mod support;
#[path = "extended/vectors.rs"]
mod vectors;
