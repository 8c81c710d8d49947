//! The co-processor itself: addresses, versions, heartbeat, features, custom messages.

use alloc::vec::Vec;

/// Request: the address of an interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct MacAddressOf {
    /// 1 station, 2 access point.
    #[prost(int32, tag = "1")]
    pub mode: i32,
}

/// Reply with the address of an interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct MacAddress {
    /// MAC address, six octets.
    #[prost(bytes = "vec", tag = "1")]
    pub mac: Vec<u8>,
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "2")]
    pub resp: i32,
}

/// Request: give an interface an address.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SetMacAddress {
    /// MAC address, six octets.
    #[prost(bytes = "vec", tag = "1")]
    pub mac: Vec<u8>,
    /// 1 station, 2 access point.
    #[prost(int32, tag = "2")]
    pub mode: i32,
}

/// Request: beat, or do not.
#[derive(Clone, PartialEq, prost::Message)]
pub struct HeartbeatConfig {
    /// Set to turn the heartbeat on.
    #[prost(bool, tag = "1")]
    pub enable: bool,
    /// Seconds between two beats.
    #[prost(int32, tag = "2")]
    pub duration: i32,
}

/// Event: the co-processor is alive.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Heartbeat {
    /// Number of the beat.
    #[prost(int32, tag = "1")]
    pub hb_num: i32,
}

/// Reply: the version of the co-processor.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FirmwareVersion {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Major number of the firmware's version.
    #[prost(uint32, tag = "2")]
    pub major1: u32,
    /// Minor number of the firmware's version.
    #[prost(uint32, tag = "3")]
    pub minor1: u32,
    /// Patch number of the firmware's version.
    #[prost(uint32, tag = "4")]
    pub patch1: u32,
}

/// Request: switch a feature.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FeatureControl {
    /// Feature that is switched: 1 is Bluetooth.
    #[prost(int32, tag = "1")]
    pub feature: i32,
    /// Command to Bluetooth: 1 init, 2 deinit, 3 enable, 4 disable.
    #[prost(int32, tag = "2")]
    pub command: i32,
    /// 1: release memory when deinitialised.
    #[prost(int32, tag = "3")]
    pub option: i32,
}

/// Reply about a feature that was switched.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FeatureControlled {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Feature, as asked.
    #[prost(int32, tag = "2")]
    pub feature: i32,
    /// Command, as asked.
    #[prost(int32, tag = "3")]
    pub command: i32,
    /// Option, as asked.
    #[prost(int32, tag = "4")]
    pub option: i32,
}

/// Request: a message of the application, in its own structure.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CustomRequest {
    /// Number of the message; 0xFFFF_FFFF is reserved.
    #[prost(uint32, tag = "1")]
    pub custom_msg_id: u32,
    /// Its octets, 8166 at most.
    #[prost(bytes = "vec", tag = "2")]
    pub data: Vec<u8>,
}

/// Reply of the application's handler.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CustomReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Number of the message, as asked.
    #[prost(uint32, tag = "2")]
    pub custom_msg_id: u32,
    /// Octets of the answer.
    #[prost(bytes = "vec", tag = "3")]
    pub data: Vec<u8>,
}

/// Event: a message of the application.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CustomEvent {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Number of the event.
    #[prost(uint32, tag = "2")]
    pub custom_event_id: u32,
    /// Payload of the event.
    #[prost(bytes = "vec", tag = "3")]
    pub data: Vec<u8>,
}
