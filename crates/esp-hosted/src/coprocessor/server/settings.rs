//! Settings of Wi-Fi: the values that the firmware was compiled with, as the host's `WifiInit` replaces them.

use alloc::vec::Vec;

use crate::rpc::proto::WifiInitConfig;

/// A value of the firmware that the host's `WifiInit` has replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overridden {
    /// Name of the field.
    pub field: &'static str,
    /// Value that the firmware was compiled with.
    pub compiled: i64,
    /// Value that the host has set.
    pub host: i64,
}

/// Settings of Wi-Fi.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wifi {
    /// Values that the firmware was compiled with.
    pub compiled: WifiInitConfig,
    /// Values that count, once the host has initialised Wi-Fi.
    pub merged: Option<WifiInitConfig>,
    /// Compiled values that the host's have replaced.
    pub overridden: Vec<Overridden>,
    /// Set once it is started.
    pub started: bool,
    /// Set once an SSID is set.
    pub configured: bool,
    /// Primary and secondary channel.
    pub channel: (u8, u8),
    /// Station, access point or both: `wifi_mode_t`.
    pub(super) mode: i32,
}

impl Wifi {
    /// Wi-Fi of a firmware that was compiled with these values.
    pub fn new(compiled: WifiInitConfig) -> Self {
        Self { compiled, ..Self::default() }
    }

    /// Source: `get_merged_init_config`, which always takes the host's value; but `cache_tx_buf_num` and `feature_caps`
    /// stay as compiled when the host's features differ and the firmware caches no transmit buffers.
    pub(super) fn merge(&mut self, host: &WifiInitConfig) {
        let mut merged = host.clone();
        // Bit 1: `WIFI_ENABLE_CACHE_TX_BUFFER` (`esp_wifi.h`).
        let caches = self.compiled.feature_caps & 2 != 0;
        if !caches && host.feature_caps != self.compiled.feature_caps {
            merged.cache_tx_buf_num = self.compiled.cache_tx_buf_num;
            merged.feature_caps = self.compiled.feature_caps;
        }
        self.overridden.clear();
        let (compiled, overridden) = (&self.compiled, &mut self.overridden);
        let mut compare = |field, compiled: i64, host: i64| {
            if compiled != host {
                overridden.push(Overridden { field, compiled, host });
            }
        };
        macro_rules! compare {
            ($($field:ident)*) => { $(compare(stringify!($field), compiled.$field as i64, merged.$field as i64);)* };
        }
        compare!(static_rx_buf_num dynamic_rx_buf_num tx_buf_type static_tx_buf_num dynamic_tx_buf_num rx_mgmt_buf_type);
        compare!(rx_mgmt_buf_num cache_tx_buf_num feature_caps csi_enable ampdu_rx_enable ampdu_tx_enable);
        compare!(amsdu_tx_enable nvs_enable nano_enable rx_ba_win wifi_task_core_id beacon_max_len mgmt_sbuf_num);
        compare!(sta_disconnected_pm espnow_max_encrypt_num tx_hetb_queue_num dump_hesigb_enable);
        self.merged = Some(merged);
    }
}
