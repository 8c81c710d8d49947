//! Values that were asked for and are not in effect.

use alloc::format;
use alloc::string::String;

use airtime_keys::Value;
use serde::{Deserialize, Serialize};

/// Value of a key that the plan asks for, beside the one in effect.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Asked {
    /// Dotted name of the key.
    pub key: String,
    /// Value that the plan asks for.
    pub asked: Value,
    /// Value in effect; null where the key has none here.
    pub granted: Value,
    /// Name of who keeps it there; empty where the key means nothing to the rest of the plan.
    pub by: String,
}

impl Asked {
    /// Line about the key: what was asked for, what was granted, and by whom.
    pub fn says(&self) -> String {
        let Self { key, by, .. } = self;
        let asked = shown(&self.asked);
        match (&self.granted, by.as_str()) {
            (Value::Null, "") => format!("{key}: {asked} asked for, without effect here"),
            (Value::Null, by) => format!("{key}: {asked} asked for, without effect: {by}"),
            (granted, "") => format!("{key}: {} granted, {asked} asked for", shown(granted)),
            (granted, by) => format!("{key}: {} granted by {by}, {asked} asked for", shown(granted)),
        }
    }
}

/// A value as plans have it, without quotation marks.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| format!("{value}"), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_both_values_and_who_refused() {
        let of = |granted: Value, by: &str| {
            let (key, asked) = ("ble.conn_interval".into(), "7.5ms".into());
            Asked { key, asked, granted, by: by.into() }.says()
        };
        assert_eq!(of("30ms".into(), "iphone"), "ble.conn_interval: 30ms granted by iphone, 7.5ms asked for");
        assert_eq!(of(30.into(), ""), "ble.conn_interval: 30 granted, 7.5ms asked for");
        assert_eq!(of(Value::Null, "mode legacy"), "ble.conn_interval: 7.5ms asked for, without effect: mode legacy");
        assert_eq!(of(Value::Null, ""), "ble.conn_interval: 7.5ms asked for, without effect here");
    }
}
