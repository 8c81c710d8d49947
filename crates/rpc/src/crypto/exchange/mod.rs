//! The key exchange, step by step: the client's key, the server's key and signature, and a confirmation from each.

mod client;
mod server;
mod step;

pub use client::ClientExchange;
pub use server::ServerExchange;
pub use step::Step;

use super::Session;

/// Outcome of a step.
#[derive(Debug)]
pub struct Progress {
    /// The step to be sent now.
    pub send: Option<Step>,
    /// The session, when the exchange is over. It begins after `send`.
    pub session: Option<Session>,
}
