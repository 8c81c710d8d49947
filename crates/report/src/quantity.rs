//! Values with a unit as numbers: in a spreadsheet the unit belongs to the column's name.

use airtime_core::Duration;
use airtime_lab::quantity::Quantity;
use serde_json::Value;

use crate::cells;

/// Heading of the column of a key, with the unit of its values.
pub(crate) fn heading(prefix: &str, key: &str) -> String {
    format!("{prefix}.{key}{}", Quantity::of(key).ending())
}

/// Cell of a key's value: a number where values of its kind are; empty where it is none.
pub(crate) fn cell(key: &str, value: &Value) -> String {
    cell_of(Quantity::of(key), value)
}

/// The same of a key whose quantity is known.
pub(crate) fn cell_of(quantity: Quantity, value: &Value) -> String {
    let Some(text) = value.as_str() else { return cells::value(value) };
    match quantity {
        Quantity::Word => text.to_owned(),
        quantity => quantity.number(text).map(|number| number.to_string()).unwrap_or_default(),
    }
}

/// Cell of a time with its unit, in milliseconds.
pub(crate) fn millis(text: &str) -> String {
    text.parse().map(|time: Duration| time.as_millis_f64().to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_go_to_the_name_of_the_column() {
        let of = |key: &str, value: Value| (heading("params", key), cell(key, &value));
        assert_eq!(of("ble.conn_interval", "11.25ms".into()), ("params.ble.conn_interval_ms".into(), "11.25".into()));
        assert_eq!(of("traffic.offered", "400kbps".into()), ("params.traffic.offered_kbps".into(), "400".into()));
        assert_eq!(of("traffic.write", "16kB".into()), ("params.traffic.write_octets".into(), "16000".into()));
        assert_eq!(of("nrf24.spi_clock", "10MHz".into()), ("params.nrf24.spi_clock_hz".into(), "10000000".into()));
        assert_eq!(of("coc.sdu", 492.into()), ("params.coc.sdu".into(), "492".into()));
        assert_eq!(of("wifi.width", "20MHz".into()), ("params.wifi.width_mhz".into(), "20".into()));
        assert_eq!(of("nrf24.power", "-6dBm".into()), ("params.nrf24.power_dbm".into(), "-6".into()));
        assert_eq!(of("ble.phy", "2M".into()), ("params.ble.phy".into(), "2M".into()));
        assert_eq!(of("wifi.rts_threshold", "none".into()).1, "", "no number is an empty cell");
        assert_eq!(millis("30ms"), "30");
    }
}
