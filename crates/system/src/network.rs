//! An address of IPv4 with the length of its network.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use super::error::SystemError;

/// An address and how many of its bits are those of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv4Network {
    /// The address of a device in it.
    pub address: Ipv4Addr,
    /// Bits of the network, 1..=30.
    pub length: u8,
}

impl Ipv4Network {
    /// The device's address with the length, as ip(8) takes it.
    pub fn with_length(self) -> String {
        format!("{}/{}", self.address, self.length)
    }
}

/// The network alone: `10.0.0.0/24`.
impl fmt::Display for Ipv4Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let network = self.address.to_bits() & (u32::MAX << (32 - self.length));
        write!(f, "{}/{}", Ipv4Addr::from_bits(network), self.length)
    }
}

impl FromStr for Ipv4Network {
    type Err = SystemError;

    fn from_str(text: &str) -> Result<Self, SystemError> {
        let parsed = text.split_once('/').and_then(|(address, length)| {
            let (address, length) = (address.parse().ok()?, length.parse().ok()?);
            (1..=30).contains(&length).then_some(Self { address, length })
        });
        parsed.ok_or_else(|| SystemError::Address(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_network() {
        for (text, network) in
            [("10.0.0.1/24", "10.0.0.0/24"), ("172.16.255.9/12", "172.16.0.0/12"), ("1.2.3.4/30", "1.2.3.4/30")]
        {
            let parsed: Ipv4Network = text.parse().unwrap();
            assert_eq!((parsed.to_string().as_str(), parsed.with_length().as_str()), (network, text));
        }
        for text in ["", "10.0.0.1", "10.0.0.1/0", "10.0.0.1/31", "10.0.0.1/x", "10.0.0/24", "fe80::1/64"] {
            assert!(text.parse::<Ipv4Network>().is_err(), "{text}");
        }
    }
}
