//! Kconfig's defaults of a host, which are in force where its `sdkconfig` has no line.

use airtime_keys::Key;

use crate::plan::{Hosted, Lwip};

/// Option that a host has a value of without a line.
#[derive(Clone, Copy, Debug)]
pub struct Silent {
    /// Name, with `CONFIG_`.
    pub option: &'static str,
    /// Key that it is.
    pub key: &'static Key,
    /// Value as a file has it.
    pub value: &'static str,
    /// Value where Wi-Fi and lwIP are allocated in external memory first ([`SPIRAM`] without [`SPIRAM_IGNORED`]).
    pub spiram: &'static str,
    /// Source.
    pub source: &'static str,
}

/// Option by which Wi-Fi and lwIP are allocated in external memory first.
pub const SPIRAM: &str = "CONFIG_SPIRAM_TRY_ALLOCATE_WIFI_LWIP";

/// Option by which a build also starts without external memory, and so counts on none.
pub const SPIRAM_IGNORED: &str = "CONFIG_SPIRAM_IGNORE_NOTFOUND";

/// Transmit buffers of Wi-Fi, of which a build has one kind: dynamic ones, which cannot be chosen in external memory, and static ones.
pub const TX_BUFFERS: [&str; 2] = ["CONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER_NUM", "CONFIG_WIFI_RMT_STATIC_TX_BUFFER_NUM"];

/// The choice of static ones, and the other one of it.
pub const STATIC_TX: [&str; 2] = ["CONFIG_WIFI_RMT_STATIC_TX_BUFFER", "CONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER"];

const LWIP: &str = "ESP-IDF v5.5.1, components/lwip/Kconfig";
const REMOTE: &str = "esp_wifi_remote 1.5.1, idf_tag_v5.5.1/Kconfig.wifi.in";

const fn lwip(option: &'static str, key: &'static Key, value: &'static str) -> Silent {
    Silent { option, key, value, spiram: value, source: LWIP }
}

const fn remote(option: &'static str, key: &'static Key, value: &'static str, spiram: &'static str) -> Silent {
    Silent { option, key, value, spiram, source: REMOTE }
}

/// Options whose default differs from the plan's, which is that of the published configuration, with each default.
pub const SILENT: [Silent; 11] = [
    lwip("CONFIG_LWIP_TCP_SND_BUF_DEFAULT", Lwip::SND_BUF, "5760"),
    lwip("CONFIG_LWIP_TCP_WND_DEFAULT", Lwip::WND, "5760"),
    lwip("CONFIG_LWIP_TCP_RECVMBOX_SIZE", Lwip::TCP_RECVMBOX, "6"),
    lwip("CONFIG_LWIP_UDP_RECVMBOX_SIZE", Lwip::UDP_RECVMBOX, "6"),
    lwip("CONFIG_LWIP_TCPIP_RECVMBOX_SIZE", Lwip::TCPIP_RECVMBOX, "32"),
    lwip("CONFIG_LWIP_TCPIP_CORE_LOCKING", Lwip::CORE_LOCKING, "n"),
    remote("CONFIG_WIFI_RMT_STATIC_RX_BUFFER_NUM", Hosted::WIFI_STATIC_RX, "10", "16"),
    remote("CONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM", Hosted::WIFI_DYNAMIC_RX, "32", "32"),
    remote(TX_BUFFERS[0], Hosted::WIFI_TX_BUFFERS, "32", "32"),
    remote(TX_BUFFERS[1], Hosted::WIFI_TX_BUFFERS, "16", "16"),
    remote("CONFIG_WIFI_RMT_RX_BA_WIN", Hosted::RX_BA_WINDOW, "6", "16"),
];
