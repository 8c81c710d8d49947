//! Initialisation and configuration of Wi-Fi. `wifi_init_config_t`, `wifi_config_t` of ESP-IDF.

use alloc::vec::Vec;

/// Initial configuration of Wi-Fi: the co-processor takes nearly all of it instead of the values it was built with.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WifiInitConfig {
    /// Static receive buffers.
    #[prost(int32, tag = "1")]
    pub static_rx_buf_num: i32,
    /// Dynamic receive buffers.
    #[prost(int32, tag = "2")]
    pub dynamic_rx_buf_num: i32,
    /// Type of transmit buffers: 0 static, 1 dynamic.
    #[prost(int32, tag = "3")]
    pub tx_buf_type: i32,
    /// Static transmit buffers.
    #[prost(int32, tag = "4")]
    pub static_tx_buf_num: i32,
    /// Dynamic transmit buffers.
    #[prost(int32, tag = "5")]
    pub dynamic_tx_buf_num: i32,
    /// Cached transmit buffers.
    #[prost(int32, tag = "6")]
    pub cache_tx_buf_num: i32,
    /// Channel state information on (1) or off (0).
    #[prost(int32, tag = "7")]
    pub csi_enable: i32,
    /// Reception of A-MPDUs on (1) or off (0).
    #[prost(int32, tag = "8")]
    pub ampdu_rx_enable: i32,
    /// Sending of A-MPDUs on (1) or off (0).
    #[prost(int32, tag = "9")]
    pub ampdu_tx_enable: i32,
    /// Sending of A-MSDUs on (1) or off (0).
    #[prost(int32, tag = "10")]
    pub amsdu_tx_enable: i32,
    /// Settings kept in flash (1) or not (0).
    #[prost(int32, tag = "11")]
    pub nvs_enable: i32,
    /// Short `printf` (1) or the full one (0).
    #[prost(int32, tag = "12")]
    pub nano_enable: i32,
    /// Block Ack window of the receiver, in MPDUs.
    #[prost(int32, tag = "13")]
    pub rx_ba_win: i32,
    /// Core of the Wi-Fi task.
    #[prost(int32, tag = "14")]
    pub wifi_task_core_id: i32,
    /// The longest beacon, in octets.
    #[prost(int32, tag = "15")]
    pub beacon_max_len: i32,
    /// Short buffers of management frames, 6 to 32.
    #[prost(int32, tag = "16")]
    pub mgmt_sbuf_num: i32,
    /// Bits of more features.
    #[prost(uint64, tag = "17")]
    pub feature_caps: u64,
    /// Power saving of a station without access point.
    #[prost(bool, tag = "18")]
    pub sta_disconnected_pm: bool,
    /// ESP-NOW peers with keys.
    #[prost(int32, tag = "19")]
    pub espnow_max_encrypt_num: i32,
    /// 0x1F2F3F4F: the structure is whole.
    #[prost(int32, tag = "20")]
    pub magic: i32,
    /// Type of receive buffers of management frames.
    #[prost(int32, tag = "21")]
    pub rx_mgmt_buf_type: i32,
    /// Receive buffers of management frames.
    #[prost(int32, tag = "22")]
    pub rx_mgmt_buf_num: i32,
    /// Queues of trigger-based PPDUs.
    #[prost(int32, tag = "23")]
    pub tx_hetb_queue_num: i32,
    /// Dump of HE-SIG-B on (1) or off (0).
    #[prost(int32, tag = "24")]
    pub dump_hesigb_enable: i32,
}

/// Request: initialise Wi-Fi.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WifiInit {
    /// Configuration to initialise with.
    #[prost(message, optional, tag = "1")]
    pub cfg: Option<WifiInitConfig>,
}

/// Protected management frames.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PmfConfig {
    /// Protected management frames are possible.
    #[prost(bool, tag = "1")]
    pub capable: bool,
    /// Protected management frames are required.
    #[prost(bool, tag = "2")]
    pub required: bool,
}

/// Threshold above which access points are good enough.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ScanThreshold {
    /// The weakest signal, in dBm.
    #[prost(int32, tag = "1")]
    pub rssi: i32,
    /// The weakest authentication.
    #[prost(int32, tag = "2")]
    pub authmode: i32,
    /// Number of dB by which 5 GHz may be weaker.
    #[prost(uint32, tag = "3")]
    pub rssi_5g_adjustment: u32,
}

/// Limit on the silence of a station.
#[derive(Clone, PartialEq, prost::Message)]
pub struct BssMaxIdle {
    /// Period in units of 1.024 s; 0 for ever.
    #[prost(uint32, tag = "1")]
    pub period: u32,
    /// Keep-alive with protected frames.
    #[prost(bool, tag = "2")]
    pub protected_keep_alive: bool,
}

/// An access point.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ApConfig {
    /// SSID, up to 32 octets.
    #[prost(bytes = "vec", tag = "1")]
    pub ssid: Vec<u8>,
    /// Password, up to 64 octets.
    #[prost(bytes = "vec", tag = "2")]
    pub password: Vec<u8>,
    /// Octets of the SSID; 0: up to its zero.
    #[prost(uint32, tag = "3")]
    pub ssid_len: u32,
    /// Number of the primary channel.
    #[prost(uint32, tag = "4")]
    pub channel: u32,
    /// Authentication mode: `wifi_auth_mode_t`.
    #[prost(int32, tag = "5")]
    pub authmode: i32,
    /// Beacons without the SSID (1) or with it (0).
    #[prost(uint32, tag = "6")]
    pub ssid_hidden: u32,
    /// Stations at most.
    #[prost(uint32, tag = "7")]
    pub max_connection: u32,
    /// Interval of beacons, in units of 1024 us.
    #[prost(uint32, tag = "8")]
    pub beacon_interval: u32,
    /// Pairwise cipher: `wifi_cipher_type_t`.
    #[prost(int32, tag = "9")]
    pub pairwise_cipher: i32,
    /// Answers to ranging (fine timing measurement).
    #[prost(bool, tag = "10")]
    pub ftm_responder: bool,
    /// Protected management frames.
    #[prost(message, optional, tag = "11")]
    pub pmf_cfg: Option<PmfConfig>,
    /// Derivation of the SAE element.
    #[prost(int32, tag = "12")]
    pub sae_pwe_h2e: i32,
    /// Beacons that announce a change of channel.
    #[prost(uint32, tag = "13")]
    pub csa_count: u32,
    /// Beacons between two DTIMs.
    #[prost(uint32, tag = "14")]
    pub dtim_period: u32,
    /// Flag: the transition to WPA2 is disabled (Transition Disable).
    #[prost(uint32, tag = "15")]
    pub transition_disable: u32,
    /// Flag: the extension of SAE is enabled.
    #[prost(uint32, tag = "16")]
    pub sae_ext: u32,
    /// Limit on the silence of a station.
    #[prost(message, optional, tag = "17")]
    pub bss_max_idle_cfg: Option<BssMaxIdle>,
    /// Seconds between two group keys; 0 never.
    #[prost(uint32, tag = "18")]
    pub gtk_rekey_interval: u32,
}

/// Configuration of a station: `wifi_sta_config_t`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StaConfig {
    /// SSID, up to 32 octets.
    #[prost(bytes = "vec", tag = "1")]
    pub ssid: Vec<u8>,
    /// Password, up to 64 octets.
    #[prost(bytes = "vec", tag = "2")]
    pub password: Vec<u8>,
    /// 0 fast, 1 all channels.
    #[prost(int32, tag = "3")]
    pub scan_method: i32,
    /// Set if `bssid` counts.
    #[prost(bool, tag = "4")]
    pub bssid_set: bool,
    /// Address of the access point.
    #[prost(bytes = "vec", tag = "5")]
    pub bssid: Vec<u8>,
    /// Channel to begin with; 0 unknown.
    #[prost(uint32, tag = "6")]
    pub channel: u32,
    /// Beacons between two that it listens to.
    #[prost(uint32, tag = "7")]
    pub listen_interval: u32,
    /// By signal or by security.
    #[prost(int32, tag = "8")]
    pub sort_method: i32,
    /// Threshold above which an access point is good enough.
    #[prost(message, optional, tag = "9")]
    pub threshold: Option<ScanThreshold>,
    /// Protected management frames.
    #[prost(message, optional, tag = "10")]
    pub pmf_cfg: Option<PmfConfig>,
    /// 802.11k, v, r and others, a bit each.
    #[prost(uint32, tag = "11")]
    pub bitmask: u32,
    /// Derivation of the SAE element.
    #[prost(int32, tag = "12")]
    pub sae_pwe_h2e: i32,
    /// Attempts before the next access point.
    #[prost(uint32, tag = "13")]
    pub failure_retry_cnt: u32,
    /// HE options, a bit each.
    #[prost(uint32, tag = "14")]
    pub he_bitmask: u32,
    /// Password identifier of SAE H2E.
    #[prost(bytes = "vec", tag = "15")]
    pub sae_h2e_identifier: Vec<u8>,
    /// Mode of SAE-PK: `wifi_sae_pk_mode_t`.
    #[prost(uint32, tag = "16")]
    pub sae_pk_mode: u32,
}

/// Configuration by the kind of the interface.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum WifiConfigOf {
    /// Configuration of an access point.
    #[prost(message, tag = "1")]
    Ap(ApConfig),
    /// Configuration of a station.
    #[prost(message, tag = "2")]
    Sta(StaConfig),
}

/// Configuration of an interface: `wifi_config_t`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WifiConfig {
    /// Configuration, of an access point or of a station.
    #[prost(oneof = "WifiConfigOf", tags = "1, 2")]
    pub u: Option<WifiConfigOf>,
}

/// Request: configure an interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WifiSetConfig {
    /// 0 station, 1 access point.
    #[prost(int32, tag = "1")]
    pub iface: i32,
    /// Configuration to set.
    #[prost(message, optional, tag = "2")]
    pub cfg: Option<WifiConfig>,
}

/// Request: how is an interface configured?
#[derive(Clone, PartialEq, prost::Message)]
pub struct WifiGetConfig {
    /// 0 station, 1 access point.
    #[prost(int32, tag = "1")]
    pub iface: i32,
}

/// Reply with the configuration of an interface.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WifiGotConfig {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// 0 station, 1 access point.
    #[prost(int32, tag = "2")]
    pub iface: i32,
    /// Configuration in force.
    #[prost(message, optional, tag = "3")]
    pub cfg: Option<WifiConfig>,
}
