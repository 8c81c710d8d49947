//! Reach of an address that is listened at: this machine alone, or others as well. That is asked for by one flag everywhere.

use std::net::{IpAddr, SocketAddr};

/// Flag of the command line that lets other machines in.
pub const FLAG: &str = "--allow-remote";

/// True if other machines can reach whoever listens at `ip`.
pub fn is_remote(ip: IpAddr) -> bool {
    !ip.is_loopback()
}

/// Sentence on a listener that other machines reach, as far as one is known to be there.
pub fn said(kind: &str, at: SocketAddr) -> Option<String> {
    is_remote(at.ip()).then(|| format!("{kind} {at} can be reached from other machines ({FLAG})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_reach_is_said() {
        for (at, remote) in
            [("127.0.0.1:5", false), ("127.9.9.9:5", false), ("[::1]:5", false), ("0.0.0.0:5", true), ("[::]:5", true)]
        {
            let said = said("tcp", at.parse().unwrap());
            assert_eq!(said.is_some(), remote, "{at}");
            assert!(said.is_none_or(|said| said.contains("other machines (--allow-remote)")));
        }
    }
}
