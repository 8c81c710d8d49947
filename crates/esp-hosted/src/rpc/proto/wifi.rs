//! Wi-Fi: modes, channels, scans.

use alloc::vec::Vec;

/// Request: be a station (1), an access point (2), both (3) or none (0).
#[derive(Clone, PartialEq, prost::Message)]
pub struct Mode {
    /// Mode of Wi-Fi: `wifi_mode_t`.
    #[prost(int32, tag = "1")]
    pub mode: i32,
}

/// Reply with the mode.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ModeReply {
    /// Mode of Wi-Fi: `wifi_mode_t`.
    #[prost(int32, tag = "1")]
    pub mode: i32,
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "2")]
    pub resp: i32,
}

/// Request: save power.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PowerSave {
    /// 0 not, 1 less, 2 more.
    #[prost(int32, tag = "1")]
    pub r#type: i32,
}

/// Reply with the mode of power saving.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PowerSaveReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// 0 not, 1 less, 2 more.
    #[prost(int32, tag = "2")]
    pub r#type: i32,
}

/// Request: send with at most this power.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Power {
    /// Power in units of 0.25 dBm.
    #[prost(int32, tag = "1")]
    pub power: i32,
}

/// Reply with the largest transmit power.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PowerReply {
    /// Power in units of 0.25 dBm.
    #[prost(int32, tag = "1")]
    pub power: i32,
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "2")]
    pub resp: i32,
}

/// Request: go to a channel.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Channel {
    /// Number of the primary channel.
    #[prost(int32, tag = "1")]
    pub primary: i32,
    /// Secondary channel: 0 none, 1 above, 2 below.
    #[prost(int32, tag = "2")]
    pub second: i32,
}

/// Reply with the channel.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ChannelReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Number of the primary channel.
    #[prost(int32, tag = "2")]
    pub primary: i32,
    /// Secondary channel: 0 none, 1 above, 2 below.
    #[prost(int32, tag = "3")]
    pub second: i32,
}

/// Request about one interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Ifx {
    /// 0 station, 1 access point.
    #[prost(int32, tag = "1")]
    pub ifx: i32,
}

/// Request: speak these.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Protocol {
    /// 0 station, 1 access point.
    #[prost(int32, tag = "1")]
    pub ifx: i32,
    /// b, g, n, LR, ... a bit each.
    #[prost(int32, tag = "2")]
    pub protocol_bitmap: i32,
}

/// Reply with the protocols of an interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ProtocolReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// b, g, n, LR, ... a bit each.
    #[prost(int32, tag = "2")]
    pub protocol_bitmap: i32,
}

/// Request: use this width.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Bandwidth {
    /// 0 station, 1 access point.
    #[prost(int32, tag = "1")]
    pub ifx: i32,
    /// 1: 20 MHz, 2: 40 MHz.
    #[prost(int32, tag = "2")]
    pub bw: i32,
}

/// Reply with the width of an interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct BandwidthReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// 1: 20 MHz, 2: 40 MHz.
    #[prost(int32, tag = "2")]
    pub bw: i32,
}

/// Request: keep settings there.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Storage {
    /// 0 flash, 1 RAM.
    #[prost(int32, tag = "1")]
    pub storage: i32,
}

/// A regulatory domain.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Country {
    /// Code, 3 octets.
    #[prost(bytes = "vec", tag = "1")]
    pub cc: Vec<u8>,
    /// Number of the first channel.
    #[prost(uint32, tag = "2")]
    pub schan: u32,
    /// Number of channels.
    #[prost(uint32, tag = "3")]
    pub nchan: u32,
    /// Power in units of 0.25 dBm.
    #[prost(int32, tag = "4")]
    pub max_tx_power: i32,
    /// 0 automatic, 1 manual.
    #[prost(int32, tag = "5")]
    pub policy: i32,
}

/// Reply with the country.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CountryReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Country with its channels.
    #[prost(message, optional, tag = "2")]
    pub country: Option<Country>,
}

/// Request: obey this country.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CountryCode {
    /// Country code in letters.
    #[prost(bytes = "vec", tag = "1")]
    pub country: Vec<u8>,
    /// Set if 802.11d is used.
    #[prost(bool, tag = "2")]
    pub ieee80211d_enabled: bool,
}

/// Reply with the country code.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CountryCodeReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Country code in letters.
    #[prost(bytes = "vec", tag = "2")]
    pub country: Vec<u8>,
}

/// Time of an active scan.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ActiveScanTime {
    /// Least per channel, in ms.
    #[prost(uint32, tag = "1")]
    pub min: u32,
    /// Most per channel, in ms.
    #[prost(uint32, tag = "2")]
    pub max: u32,
}

/// Time of a scan.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ScanTime {
    /// Time per channel of an active scan.
    #[prost(message, optional, tag = "1")]
    pub active: Option<ActiveScanTime>,
    /// Time per channel of a passive scan, in ms.
    #[prost(uint32, tag = "2")]
    pub passive: u32,
}

/// Channels, a bit each.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ChannelBitmap {
    /// Channels in 2.4 GHz, a bit each.
    #[prost(uint32, tag = "1")]
    pub ghz_2_channels: u32,
    /// Channels in 5 GHz, a bit each.
    #[prost(uint32, tag = "2")]
    pub ghz_5_channels: u32,
}

/// Parameters of a scan.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ScanConfig {
    /// Only this SSID.
    #[prost(bytes = "vec", tag = "1")]
    pub ssid: Vec<u8>,
    /// Only this access point.
    #[prost(bytes = "vec", tag = "2")]
    pub bssid: Vec<u8>,
    /// Only this channel; 0 all.
    #[prost(uint32, tag = "3")]
    pub channel: u32,
    /// Hidden ones too.
    #[prost(bool, tag = "4")]
    pub show_hidden: bool,
    /// 0 active, 1 passive.
    #[prost(int32, tag = "5")]
    pub scan_type: i32,
    /// Time per channel.
    #[prost(message, optional, tag = "6")]
    pub scan_time: Option<ScanTime>,
    /// Time on the own channel between, in ms.
    #[prost(uint32, tag = "7")]
    pub home_chan_dwell_time: u32,
    /// Only these channels.
    #[prost(message, optional, tag = "8")]
    pub channel_bitmap: Option<ChannelBitmap>,
}

/// Request: begin a scan with this configuration.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ScanStart {
    /// Parameters of the scan.
    #[prost(message, optional, tag = "1")]
    pub config: Option<ScanConfig>,
    /// Set if the reply waits for the end.
    #[prost(bool, tag = "2")]
    pub block: bool,
    /// Set if `config` counts.
    #[prost(int32, tag = "3")]
    pub config_set: i32,
}

/// Request: up to so many.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Number {
    /// Largest number of records to send.
    #[prost(int32, tag = "1")]
    pub number: i32,
}

/// Reply with the number of access points that were found.
#[derive(Clone, PartialEq, prost::Message)]
pub struct NumberReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Number of access points that were found.
    #[prost(int32, tag = "2")]
    pub number: i32,
}

/// HE of an access point.
#[derive(Clone, PartialEq, prost::Message)]
pub struct HeApInfo {
    /// BSS colour and its bits.
    #[prost(uint32, tag = "1")]
    pub bitmask: u32,
    /// Index among its BSSIDs.
    #[prost(uint32, tag = "2")]
    pub bssid_index: u32,
}

/// An access point that was found.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ApRecord {
    /// BSSID of the access point.
    #[prost(bytes = "vec", tag = "1")]
    pub bssid: Vec<u8>,
    /// SSID of the access point, up to 32 octets.
    #[prost(bytes = "vec", tag = "2")]
    pub ssid: Vec<u8>,
    /// Number of the primary channel.
    #[prost(uint32, tag = "3")]
    pub primary: u32,
    /// Secondary channel: 0 none, 1 above, 2 below.
    #[prost(int32, tag = "4")]
    pub second: i32,
    /// Signal in dBm.
    #[prost(int32, tag = "5")]
    pub rssi: i32,
    /// Authentication mode: `wifi_auth_mode_t`.
    #[prost(int32, tag = "6")]
    pub authmode: i32,
    /// Cipher of pairs.
    #[prost(int32, tag = "7")]
    pub pairwise_cipher: i32,
    /// Cipher of the group.
    #[prost(int32, tag = "8")]
    pub group_cipher: i32,
    /// Antenna that heard it: `wifi_ant_t`.
    #[prost(int32, tag = "9")]
    pub ant: i32,
    /// b, g, n, LR, WPS, FTM, a bit each.
    #[prost(uint32, tag = "10")]
    pub bitmask: u32,
    /// Regulatory domain of the access point.
    #[prost(message, optional, tag = "11")]
    pub country: Option<Country>,
    /// HE capabilities of the access point: `wifi_he_ap_info_t`.
    #[prost(message, optional, tag = "12")]
    pub he_ap: Option<HeApInfo>,
    /// 1: 20 MHz, 2: 40 MHz, ...
    #[prost(uint32, tag = "13")]
    pub bandwidth: u32,
    /// Centre of the first segment.
    #[prost(uint32, tag = "14")]
    pub vht_ch_freq1: u32,
    /// Centre of the second.
    #[prost(uint32, tag = "15")]
    pub vht_ch_freq2: u32,
}

/// Reply with the access points that were found.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ApRecords {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Number of records.
    #[prost(int32, tag = "2")]
    pub number: i32,
    /// Records of access points.
    #[prost(message, repeated, tag = "3")]
    pub ap_records: Vec<ApRecord>,
}

/// Reply with one access point.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ApRecordReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Record of the access point.
    #[prost(message, optional, tag = "2")]
    pub ap_record: Option<ApRecord>,
}

/// Reply with the signal strength of the access point.
#[derive(Clone, PartialEq, prost::Message)]
pub struct RssiReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Signal in dBm.
    #[prost(int32, tag = "2")]
    pub rssi: i32,
}
