//! Status codes of replies: 0, or an error of ESP-IDF. `components/esp_common/include/esp_err.h`,
//! `components/esp_wifi/include/esp_wifi.h`, v5.5.1.

/// Status of success: `ESP_OK`.
pub const OK: i32 = 0;
/// Failed, for a reason that nobody says.
pub const FAIL: i32 = -1;
/// Out of memory.
pub const NO_MEM: i32 = 0x101;
/// An argument that is not allowed.
pub const INVALID_ARG: i32 = 0x102;
/// Invalid state for the request.
pub const INVALID_STATE: i32 = 0x103;
/// A length that is not allowed.
pub const INVALID_SIZE: i32 = 0x104;
/// Not found: the thing asked for is not there.
pub const NOT_FOUND: i32 = 0x105;
/// Not supported by this firmware.
pub const NOT_SUPPORTED: i32 = 0x106;
/// Timeout: no answer in time.
pub const TIMEOUT: i32 = 0x107;
/// Wi-Fi has not been initialised.
pub const WIFI_NOT_INIT: i32 = 0x3001;
/// Wi-Fi has not been started.
pub const WIFI_NOT_STARTED: i32 = 0x3002;
/// No such Wi-Fi interface.
pub const WIFI_IF: i32 = 0x3004;
/// The station is not connected.
pub const WIFI_NOT_CONNECT: i32 = 0x300F;
