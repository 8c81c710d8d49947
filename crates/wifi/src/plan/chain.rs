//! The chain of host, bus and co-processor: the key that names it, and what its personality says.

use alloc::string::String;

use airtime_keys::Keys;
use airtime_net::lwip;

use crate::network::Costs;

/// Key that names the chain.
#[derive(Clone, Debug, PartialEq, Eq, Keys)]
#[keys(table = "wifi")]
pub struct Board {
    /// Chain of host, bus and co-processor.
    #[key(kind = Kind::Personality, default = "esp32-p4-c6")]
    pub personality: String,
}

/// Properties of a chain: what its stages cost, and what its chips have.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// CPU time of the host's TCP/IP stack.
    pub stack: lwip::Costs,
    /// Time of tasks at both ends of the bus. Whether they share a core with the sender is the plan's business.
    pub costs: Costs,
    /// Set if the radio has HE in 40 MHz.
    pub he_40mhz: bool,
    /// Highest HE rate index of the radio.
    pub he_mcs_max: u8,
    /// Set if the radio has 5 GHz.
    pub band_5ghz: bool,
    /// Memories of the chips and sizes of what is in them.
    pub memory: Memory,
}

/// Memories of a chain's chips and sizes of what is in them, in octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Within the host.
    pub host_internal: u64,
    /// Beside the host.
    pub host_external: u64,
    /// Within the co-processor.
    pub coprocessor: u64,
    /// A buffer of the transport.
    pub transport_block: u64,
    /// A Wi-Fi buffer.
    pub wifi_buffer: u64,
    /// A packet of the stack.
    pub pbuf: u64,
}
