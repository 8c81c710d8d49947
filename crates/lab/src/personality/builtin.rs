//! The personalities that ship with airtime; what one is based on comes before it.

/// Name and text of each.
pub const BUILTIN: &[(&str, &str)] = &[
    ("zephyr-ll", include_str!("../../../../personalities/zephyr-ll.toml")),
    ("nordic-sdc", include_str!("../../../../personalities/nordic-sdc.toml")),
    ("macos", include_str!("../../../../personalities/macos.toml")),
    ("iphone", include_str!("../../../../personalities/iphone.toml")),
    ("android-pixel", include_str!("../../../../personalities/android-pixel.toml")),
    ("bluez", include_str!("../../../../personalities/bluez.toml")),
    ("esp32-p4-c6", include_str!("../../../../personalities/esp32-p4-c6.toml")),
    ("ideal", include_str!("../../../../personalities/ideal.toml")),
];
