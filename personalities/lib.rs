//! Devices as airtime knows them, as text: the files of this folder, for whoever embeds them.
//!
//! ```
//! let (_, text) = airtime_personalities::ALL.iter().find(|(name, _)| *name == "macos").unwrap();
//! assert!(text.contains("source"));
//! ```
#![no_std]
#![warn(missing_docs)]

/// Name and text of each; one that others are based on comes before them.
pub const ALL: &[(&str, &str)] = &[
    ("zephyr-ll", include_str!("zephyr-ll.toml")),
    ("zephyr-ll-2025", include_str!("zephyr-ll-2025.toml")),
    ("zephyr-ll-v3.2", include_str!("zephyr-ll-v3.2.toml")),
    ("zephyr-host-v3.2", include_str!("zephyr-host-v3.2.toml")),
    ("nordic-sdc", include_str!("nordic-sdc.toml")),
    ("nordic-softdevice", include_str!("nordic-softdevice.toml")),
    ("macos", include_str!("macos.toml")),
    ("iphone", include_str!("iphone.toml")),
    ("android-pixel", include_str!("android-pixel.toml")),
    ("bluez", include_str!("bluez.toml")),
    ("esp32-p4-c6", include_str!("esp32-p4-c6.toml")),
    ("esp32-p4-c5", include_str!("esp32-p4-c5.toml")),
    ("esp32-p4-esp32", include_str!("esp32-p4-esp32.toml")),
    ("rpi-esp32c6", include_str!("rpi-esp32c6.toml")),
    ("rpi-esp32c6-ng", include_str!("rpi-esp32c6-ng.toml")),
    ("rpi-esp32", include_str!("rpi-esp32.toml")),
    ("ideal", include_str!("ideal.toml")),
    ("ti-cc26x2", include_str!("ti-cc26x2.toml")),
    ("cyw43439", include_str!("cyw43439.toml")),
    ("esp32c3-bluedroid", include_str!("esp32c3-bluedroid.toml")),
    ("esp32-bluedroid", include_str!("esp32-bluedroid.toml")),
    ("esp32c3-nimble", include_str!("esp32c3-nimble.toml")),
    ("esp32-nimble", include_str!("esp32-nimble.toml")),
    ("esp32c6-nimble", include_str!("esp32c6-nimble.toml")),
    ("esp32c6-bluedroid", include_str!("esp32c6-bluedroid.toml")),
    ("android-10", include_str!("android-10.toml")),
    ("nexus-android-6", include_str!("nexus-android-6.toml")),
    ("nexus-android-5", include_str!("nexus-android-5.toml")),
    ("iphone-7", include_str!("iphone-7.toml")),
    ("iphone-6", include_str!("iphone-6.toml")),
];
