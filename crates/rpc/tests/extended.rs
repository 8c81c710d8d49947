//! Extended mode: octets, both machines over a pipe, faults, and what frames cost.

mod calls;
mod codec;
mod credits;
mod faults;
mod mixed;
mod nonsense;
mod overhead;
mod sealed;
mod support;
mod vectors;
