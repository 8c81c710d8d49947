//! Messages field by field. Comments of `common/proto/esp_hosted_rpc.proto` say what values mean where ESP-IDF's headers do
//! not; the names of fields are those of the file.

mod config;
mod device;
mod events;
mod gpio;
mod network;
mod ota;
mod wifi;

pub use config::{
    ApConfig, BssMaxIdle, PmfConfig, ScanThreshold, StaConfig, WifiConfig, WifiConfigOf, WifiGetConfig, WifiGotConfig,
    WifiInit, WifiInitConfig, WifiSetConfig,
};
pub use device::{
    CustomEvent, CustomReply, CustomRequest, FeatureControl, FeatureControlled, FirmwareVersion, Heartbeat,
    HeartbeatConfig, MacAddress, MacAddressOf, SetMacAddress,
};
pub use events::{
    ApStaConnected, ApStaDisconnected, EspInit, Joined, Left, StaConnected, StaDisconnected, StaScanDone,
    StaScanDoneDetails, WifiEvent,
};
pub use gpio::{GpioConfig, GpioConfigure, GpioLevel, GpioMode, GpioPin, GpioPull, GpioSetLevel};
pub use network::{DhcpDns, DhcpDnsReply, Iface};
pub use ota::{AppDescription, AppDescriptionReply, OtaWrite};
pub use wifi::{
    ActiveScanTime, ApRecord, ApRecordReply, ApRecords, Bandwidth, BandwidthReply, Channel, ChannelBitmap,
    ChannelReply, Country, CountryCode, CountryCodeReply, CountryReply, HeApInfo, Ifx, Mode, ModeReply, Number,
    NumberReply, Power, PowerReply, PowerSave, PowerSaveReply, Protocol, ProtocolReply, RssiReply, ScanConfig,
    ScanStart, ScanTime, Storage,
};

/// A request without arguments.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Empty {}

/// A reply that is nothing but a status.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Status {
    /// Outcome: a [`status`](super::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
}
