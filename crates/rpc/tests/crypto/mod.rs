//! Keys and seals: known answers, exchanges, replays.

mod exchange;
mod gcm;
mod hex;
mod sessions;
mod support;
