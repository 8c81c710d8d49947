//! Remote calls over the virtual air, timed by connection events.

mod bench;
mod calls;
mod events;
mod lost;
