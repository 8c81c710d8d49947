//! Events that the co-processor sends unasked. `wifi_event_t` of ESP-IDF.

use alloc::vec::Vec;

/// Event: it has started.
#[derive(Clone, PartialEq, prost::Message)]
pub struct EspInit {
    /// Reason of the start, one octet in practice.
    #[prost(bytes = "vec", tag = "1")]
    pub init_data: Vec<u8>,
}

/// Event without arguments.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WifiEvent {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Number of the event: `wifi_event_t`.
    #[prost(int32, tag = "2")]
    pub event_id: i32,
}

/// Event: a station has joined our access point.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ApStaConnected {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Address of the station.
    #[prost(bytes = "vec", tag = "2")]
    pub mac: Vec<u8>,
    /// Its association identifier.
    #[prost(uint32, tag = "3")]
    pub aid: u32,
    /// Set if it belongs to a mesh.
    #[prost(bool, tag = "4")]
    pub is_mesh_child: bool,
}

/// Event: a station has left our access point.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ApStaDisconnected {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Address of the station.
    #[prost(bytes = "vec", tag = "2")]
    pub mac: Vec<u8>,
    /// Its association identifier.
    #[prost(uint32, tag = "3")]
    pub aid: u32,
    /// Set if it belongs to a mesh.
    #[prost(bool, tag = "4")]
    pub is_mesh_child: bool,
    /// Reason code of 802.11.
    #[prost(uint32, tag = "5")]
    pub reason: u32,
}

/// Result of a scan.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StaScanDoneDetails {
    /// Outcome of the scan: 0 is success.
    #[prost(uint32, tag = "1")]
    pub status: u32,
    /// Access points found.
    #[prost(uint32, tag = "2")]
    pub number: u32,
    /// Number of the scan.
    #[prost(uint32, tag = "3")]
    pub scan_id: u32,
}

/// Event: a scan is over.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StaScanDone {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Result of the scan.
    #[prost(message, optional, tag = "2")]
    pub scan_done: Option<StaScanDoneDetails>,
}

/// The access point that our station has joined.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Joined {
    /// SSID of the access point, up to 32 octets.
    #[prost(bytes = "vec", tag = "1")]
    pub ssid: Vec<u8>,
    /// Length of the SSID in octets.
    #[prost(uint32, tag = "2")]
    pub ssid_len: u32,
    /// BSSID of the access point.
    #[prost(bytes = "vec", tag = "3")]
    pub bssid: Vec<u8>,
    /// Number of the primary channel.
    #[prost(uint32, tag = "4")]
    pub channel: u32,
    /// Authentication mode: `wifi_auth_mode_t`.
    #[prost(int32, tag = "5")]
    pub authmode: i32,
    /// Association identifier (AID) of the station.
    #[prost(int32, tag = "6")]
    pub aid: i32,
}

/// Event: our station has joined.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StaConnected {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Access point that was joined.
    #[prost(message, optional, tag = "2")]
    pub sta_connected: Option<Joined>,
}

/// Details of a lost connection: the access point, and the reason.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Left {
    /// SSID of the access point, up to 32 octets.
    #[prost(bytes = "vec", tag = "1")]
    pub ssid: Vec<u8>,
    /// Length of the SSID in octets.
    #[prost(uint32, tag = "2")]
    pub ssid_len: u32,
    /// Address of the access point.
    #[prost(bytes = "vec", tag = "3")]
    pub bssid: Vec<u8>,
    /// Reason code of 802.11, or one of ESP-IDF.
    #[prost(uint32, tag = "4")]
    pub reason: u32,
    /// Last signal in dBm.
    #[prost(int32, tag = "5")]
    pub rssi: i32,
}

/// Event: our station has left.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StaDisconnected {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Access point that was left, and the reason.
    #[prost(message, optional, tag = "2")]
    pub sta_disconnected: Option<Left>,
}
