//! Values in effect where the chip, the mode or TCP has the last word.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::units::Size;
use airtime_keys::{Key, Value, Words};
use airtime_link::Granted;
use airtime_net::traffic::{Traffic, Transport};

use crate::plan::{Mode, Radio, Scenario};
use crate::rf24::Length;

/// Bits of a window field. RFC 9293, 3.1.
const WINDOW_BITS: u32 = 16;

/// Values in effect that are not what the plan's keys say.
pub fn granted(scenario: &Scenario) -> Vec<Granted> {
    let mut granted = Vec::new();
    // Nobody acknowledges such a frame, so the chip never sends it again.
    let alone = match (scenario.mode(), scenario.radio.auto_ack) {
        (Mode::Stream, _) if !scenario.is_raw() => Some("nrf24.mode=stream"),
        (_, false) => Some("nrf24.auto_ack=false"),
        _ => None,
    };
    if let Some(by) = alone {
        granted.extend([Radio::ARC, Radio::ARD].map(|key| Granted::new(key, Value::Null, by)));
    }
    if scenario.is_raw() && !scenario.radio.auto_ack && scenario.radio.payload_length == Length::Dynamic {
        // Product Specification 1.0, 7.3.4: lint.dynamic_length_without_ack.
        granted.push(Granted::new(Radio::PAYLOAD_LENGTH, "static", "nrf24.auto_ack=false"));
    }
    if let Transport::Tcp { window, .. } = scenario.traffic.transport() {
        let (scaled, shift) = scaled(window);
        let by = format!("window scale {shift}");
        granted.push(Granted::new(Traffic::WINDOW, format!("{}", Size(scaled.into())), by));
    }
    granted
}

/// Window that its field can say, and the shift that it takes: the least by which the field holds it. RFC 7323, 2.3.
fn scaled(window: u32) -> (u32, u32) {
    let shift = (u32::BITS - window.leading_zeros()).saturating_sub(WINDOW_BITS);
    (window >> shift << shift, shift)
}

/// Name of the key because of which `key` means nothing in `scenario`.
pub fn keeper(key: &Key, scenario: &Scenario) -> String {
    if scenario.is_raw() && key.name == Radio::PLL_BREAK.name {
        return "nrf24.auto_ack=true".into();
    }
    if key.table() == Traffic::KIND.table() || scenario.is_raw() || Radio::KEYS_OF_RAW.contains(&key.name) {
        return format!("traffic.kind={}", scenario.traffic.kind.word());
    }
    format!("nrf24.mode={}", scenario.mode().name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_beyond_its_field_is_a_multiple_of_its_scale() {
        assert_eq!(scaled(7_300), (7_300, 0));
        assert_eq!(scaled(65_535), (65_535, 0));
        assert_eq!(scaled(65_537), (65_536, 1));
        assert_eq!(scaled(1_000_001), (1_000_000, 4));
        assert_eq!(scaled(1_048_576), (1_048_576, 5));
    }
}
