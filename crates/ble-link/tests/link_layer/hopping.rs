//! The channel of every event is the one that algorithm #2 gives.

use super::watch::Watch;

/// Channel of event `counter` with all 37 channels in use. Core 6.0, Vol 6, Part B, 4.5.8.3, written down
/// a second time.
fn channel(access_address: u32, counter: u16) -> u8 {
    let identifier = (access_address >> 16) as u16 ^ (access_address & 0xffff) as u16;
    let permute = |value: u16| u16::from_be_bytes(value.to_be_bytes().map(u8::reverse_bits));
    let mix = |value: u16| ((u32::from(permute(value)) * 17 + u32::from(identifier)) & 0xffff) as u16;
    let random = mix(mix(mix(counter ^ identifier))) ^ identifier;
    (random % 37) as u8
}

#[test]
fn every_event_is_on_its_channel() {
    // Core 6.0, Vol 6, Part C, 3.1.
    assert_eq!([1, 2, 3].map(|counter| channel(0x8e89_bed6, counter)), [20, 6, 21]);
    let mut watch = Watch::new(&[("ble.conn_interval", "7.5ms"), ("ble.loss", "{ per = 0.1 }")]);
    let seen = watch.until(|seen| seen.openings.len() > 2_000);
    let mut used = std::collections::BTreeSet::new();
    for opening in &seen.openings {
        assert_eq!(opening.channel, channel(opening.link, opening.counter), "event {}", opening.counter);
        used.insert(opening.channel);
    }
    assert_eq!(used.len(), 37);
}
