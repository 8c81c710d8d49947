//! Calls from client to server over memory, in the published protocol.

mod caller;
mod defects;
mod golden;
mod negotiation;
mod pipe;
mod random;
mod sealed;
mod waits;
