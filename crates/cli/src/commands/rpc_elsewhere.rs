//! `airtime rpc` where there are no sockets of UNIX.

use crate::exit::{Exit, Failure};
use crate::request::Manner;

pub mod arguments {
    //! Arguments: none.

    /// `airtime rpc`.
    #[derive(Debug, clap::Args)]
    pub struct RpcArguments {}
}

/// A number of octets, for commands that are parsed and refused.
///
/// # Errors
/// When it is none.
pub fn octets(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a number of octets".to_owned())
}

/// Says that there is nothing to be had.
pub fn rpc(_: &arguments::RpcArguments, _: Manner) -> Result<Exit, Failure> {
    Err(Failure::Machine("`airtime rpc` needs a UNIX such as Linux or macOS".to_owned()))
}
