//! Addresses of the network, which host and co-processor share when the host sleeps.

use alloc::vec::Vec;

/// Request about one interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Iface {
    /// Number of the interface.
    #[prost(int32, tag = "1")]
    pub iface: i32,
}

/// Request: these are the addresses.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DhcpDns {
    /// Number of the interface.
    #[prost(int32, tag = "1")]
    pub iface: i32,
    /// Set if its link is up.
    #[prost(int32, tag = "2")]
    pub net_link_up: i32,
    /// Set if it has an address.
    #[prost(int32, tag = "3")]
    pub dhcp_up: i32,
    /// IPv4 address from DHCP.
    #[prost(bytes = "vec", tag = "4")]
    pub dhcp_ip: Vec<u8>,
    /// Network mask from DHCP.
    #[prost(bytes = "vec", tag = "5")]
    pub dhcp_nm: Vec<u8>,
    /// Gateway from DHCP.
    #[prost(bytes = "vec", tag = "6")]
    pub dhcp_gw: Vec<u8>,
    /// Set if it has a name server.
    #[prost(int32, tag = "7")]
    pub dns_up: i32,
    /// Address of the name server.
    #[prost(bytes = "vec", tag = "8")]
    pub dns_ip: Vec<u8>,
    /// Kind of its address.
    #[prost(int32, tag = "9")]
    pub dns_type: i32,
}

/// Reply and event.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DhcpDnsReply {
    /// Number of the interface.
    #[prost(int32, tag = "1")]
    pub iface: i32,
    /// Set if its link is up.
    #[prost(int32, tag = "2")]
    pub net_link_up: i32,
    /// Set if it has an address.
    #[prost(int32, tag = "3")]
    pub dhcp_up: i32,
    /// IPv4 address from DHCP.
    #[prost(bytes = "vec", tag = "4")]
    pub dhcp_ip: Vec<u8>,
    /// Network mask from DHCP.
    #[prost(bytes = "vec", tag = "5")]
    pub dhcp_nm: Vec<u8>,
    /// Gateway from DHCP.
    #[prost(bytes = "vec", tag = "6")]
    pub dhcp_gw: Vec<u8>,
    /// Set if it has a name server.
    #[prost(int32, tag = "7")]
    pub dns_up: i32,
    /// Address of the name server.
    #[prost(bytes = "vec", tag = "8")]
    pub dns_ip: Vec<u8>,
    /// Kind of its address.
    #[prost(int32, tag = "9")]
    pub dns_type: i32,
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "10")]
    pub resp: i32,
}
